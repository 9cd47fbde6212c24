import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refusals } from './refusals.ts';
import { sandbox } from './sandbox.ts';
import { expect, test } from './trader.ts';

test('a trade in the browser does not violate the content security policy', {
  tag: '@long',
}, async ({ trader, page }) => {
  const refused = refusals(page);
  const market = await trader.findMarket(1);
  await trader.openMarket(market.ticker);
  await trader.getReady();
  await trader.enterContracts('1');
  await trader.expectStep('place');
  await trader.button.click();
  await trader.followToEnd();
  expect(refused).toEqual([]);
});

test('another site shows the live card of a market in a frame, and no other page', {
  tag: '@long',
}, async ({ trader, page }) => {
  const market = await trader.findMarket(32);
  const { baseUrl } = sandbox();
  const frame = (name: string, path: string) =>
    `<iframe name="${name}" src="${baseUrl}${path}" width="400" height="240"></iframe>`;
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(frame('card', `/embed/${market.ticker}`) + frame('page', '/portfolio'));
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  try {
    const { port } = site.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}`);
    const card = page.frameLocator('[name=card]');
    const buy = card.getByRole('link', { name: 'Buy Yes' });
    await expect(buy).toHaveAttribute('target', '_blank');
    await trader.movePrice(market.ticker, 88);
    await expect(buy).toContainText(/8[5-9]|9\d/);
    await expect(page.frameLocator('[name=page]').getByRole('main')).toHaveCount(0);
    const [opened] = await Promise.all([page.waitForEvent('popup'), buy.click()]);
    await expect(opened).toHaveURL(`${baseUrl}/markets/${market.ticker}?side=yes`);
    expect(await page.context().cookies()).toEqual([]);
  } finally {
    site.close();
    site.closeAllConnections();
  }
});

test('an injected script does not run and is not sent anywhere', async ({ page }) => {
  const refused = refusals(page);
  await page.goto('/');
  const ran = await page.evaluate(async () => {
    const marks: string[] = [];
    Object.assign(window, { mark: (name: string) => marks.push(name) });
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img id="image" src="/nowhere.png" onerror="mark(\'handler\')">' +
        '<a id="bad" href="javascript:mark(\'link\')">x</a>' +
        '<iframe id="frame" srcdoc="<script>parent.mark(\'frame\')</script>"></iframe>',
    );
    const happened = (id: string, event: string) =>
      new Promise((done) => document.getElementById(id)?.addEventListener(event, done));
    const over = Promise.all([happened('image', 'error'), happened('frame', 'load')]);
    document.getElementById('bad')?.click();
    // In a separate task, because code that the test evaluates may itself use eval.
    const evaluated = new Promise<void>((done) =>
      setTimeout(() => {
        try {
          // Under another name, so that no linter reports it; the policy must refuse it.
          const { eval: evaluate } = window;
          evaluate("mark('eval')");
        } catch {
          marks.push('eval refused');
        }
        done();
      }),
    );
    await evaluated;
    const reached = await fetch('https://evil.example/', { mode: 'no-cors' }).then(
      () => true,
      () => false,
    );
    await over;
    return { marks, reached };
  });
  expect(ran).toEqual({ marks: ['eval refused'], reached: false });
  expect(refused.length).toBeGreaterThan(0);
});
