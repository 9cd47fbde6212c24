import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright/test';
import { createClient } from '#lib/api/client.ts';
import { sandbox } from './sandbox.ts';
import { expect, test } from './trader.ts';

test('a developer creates, uses and revokes an API key', async ({ trader, page }) => {
  await trader.signInDirectly();
  await page.goto('/developers/keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByLabel('Name').fill('My program');
  await page.getByRole('button', { name: 'Create API key' }).click();
  const secret = (await page.getByTestId('secret').textContent()) ?? '';
  const mine = createClient({ baseUrl: sandbox().baseUrl, apiKey: secret });
  expect((await mine.listMarkets({ limit: 1 })).count).toBe(1);

  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText(`x-api-key: ${secret}`).first()).toBeVisible();
  await page.getByRole('navigation', { name: 'Developers' }).getByText('API keys').click();
  // Usage is recorded some seconds after the response; the page polls it.
  await page.getByText('Usage of My program').click();
  const row = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').first();
  await expect(row).toContainText(/^.*1 request in 30 days/);
  await row.getByText('View as table').click();
  await expect(row.getByRole('table', { name: 'Requests made with My program' })).toContainText(
    new Date().toISOString().slice(0, 10),
  );
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByRole('button', { name: 'Confirm revoke' }).click();
  await expect(page.getByRole('list', { name: 'API keys' })).toContainText('Revoked');
  await expect(mine.listMarkets({ limit: 1 })).rejects.toMatchObject({ code: 'api_key_invalid' });
});

/** Listens on a free port. @returns the port */
async function listen(target: Server): Promise<number> {
  await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening));
  const address = target.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function createWebhook(page: Page, port: number): Promise<void> {
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('Endpoint URL').fill(`http://127.0.0.1:${port}/hook`);
  await page.getByRole('button', { name: 'Create webhook' }).click();
}

test('a webhook receives events and its log shows the deliveries', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const received: string[] = [];
  const target = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk.toString('utf8')));
    request.on('end', () => response.writeHead(204).end());
  });
  const port = await listen(target);
  try {
    await trader.signInDirectly();
    await page.goto('/developers/webhooks');
    await createWebhook(page, port);
    await expect(page.getByTestId('secret')).toContainText('whsec_');
    await page.getByRole('link', { name: /127\.0\.0\.1/ }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    const delivery = page.getByRole('button', { name: /webhook\.test/ });
    await expect(delivery).toContainText('Delivered');
    await delivery.click();
    await expect(page.locator('pre')).toContainText('webhook.test');
    await expect(page.getByText(/^Responded 204 in \d+ ms$/)).toBeVisible();
    await expect(page.getByText('Events: all')).toBeVisible();
    expect(received.join('')).toContain('webhook.test');
  } finally {
    target.close();
  }
});

test('a failed delivery shows the response and the next attempt', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  const target = createServer((request, response) => {
    request.resume();
    response.writeHead(500).end();
  });
  const port = await listen(target);
  try {
    await trader.signInDirectly();
    await page.goto('/developers/webhooks');
    await expect(page.getByText('No webhooks yet')).toBeVisible();
    await createWebhook(page, port);
    await page.getByRole('link', { name: /127\.0\.0\.1/ }).click();
    await expect(page.getByText('No deliveries yet')).toBeVisible();
    await page.getByRole('button', { name: 'Send test event' }).click();
    const delivery = page.getByRole('button', { name: /webhook\.test/ });
    await expect(delivery).toContainText('Failed, will retry · 500');
    await delivery.click();
    await expect(page.getByText(/^Responded 500 in \d+ ms$/).first()).toBeVisible();
    await expect(page.getByText('Next attempt at')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Enabled; last attempt failed')).toBeVisible();
  } finally {
    target.close();
  }
});

test('a degraded status page says that funds are safe', { tag: '@long' }, async ({ page }) => {
  await page.route('**/v1/status', async (route) => {
    const response = await route.fetch();
    const status = await response.json();
    await route.fulfill({ json: { ...status, status: 'degraded' } });
  });
  await page.goto('/status');
  await expect(page.getByText('Your funds are safe')).toBeVisible();
  await expect(page.getByText('Degraded performance')).toBeVisible();
});

test('the status page lists every part', async ({ page }) => {
  await page.goto('/status');
  const parts = page.getByRole('list', { name: 'Parts' });
  for (const part of ['Exchange', 'Order processing', 'Chain', 'Database', 'Books']) {
    await expect(parts).toContainText(part);
  }
});
