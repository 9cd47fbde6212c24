import type { Page } from 'playwright/test';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { endGrantOf } from './database.ts';
import { sandbox } from './sandbox.ts';
import { expect, test } from './trader.ts';

test('an owner lowers the trading limits and revokes the permission', {
  tag: '@phone-long',
}, async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change limits' }).click();
  await page.getByLabel('Order limit (USD)').fill('25');
  await page.getByLabel('Daily limit (USD)').fill('100');
  await page.getByRole('button', { name: 'Sign limits' }).click();
  const panel = page.getByRole('region', { name: 'Trading permission' });
  await expect(panel).toContainText('$25.00');
  await expect(panel).toContainText('your wallet only');
  const { grant } = await trader.api.getAccount(trader.address);
  expect(grant).toMatchObject({ maxPerOrder: '25', maxPerDay: '100', withdrawAnywhere: false });

  const revoke = panel.getByRole('button', { name: 'Revoke from my wallet' });
  await expect(revoke).toHaveCSS('color', await colorOf(page, 'var(--no)'));
  await revoke.click();
  await expect(panel.getByText('until you sign a new permission')).toBeVisible();
  await panel.getByRole('button', { name: 'Cancel' }).click();
  await expect(panel.getByText('until you sign a new permission')).toBeHidden();
  await revoke.click();
  await panel.getByRole('button', { name: 'Confirm revoke' }).click();
  await expect(page.getByText('Revoked on chain')).toBeVisible();
  await expect
    .poll(async () => (await trader.api.getAccount(trader.address)).grant?.status ?? 'none')
    .toMatch(/none|expired/);
  // A message about the previous permission does not apply to the next one.
  await panel
    .getByRole('button', { name: /^(Sign trading permission|Renew for 30 days)$/ })
    .click();
  await expect(revoke).toBeVisible();
  await expect(page.getByText('Revoked on chain')).toBeHidden();
});

/** A colour of the theme as the browser computes it. */
function colorOf(page: Page, value: string): Promise<string> {
  return page.evaluate((color) => {
    const probe = document.createElement('i');
    probe.style.color = color;
    document.body.append(probe);
    const computed = getComputedStyle(probe).color;
    probe.remove();
    return computed;
  }, value);
}

test('a deposit to the address appears without a reload', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
}) => {
  await trader.signInDirectly();
  await page.goto('/deposit');
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expect(page.getByText('Waiting for your deposit…')).toBeVisible();
  await page.getByText('Add an amount to the QR code').click();
  await page.getByRole('textbox', { name: 'Amount in USDC' }).fill('25');
  await expect(page.getByRole('img', { name: /requesting \$25\.00$/ })).toBeVisible();
  const { usdc } = await trader.api.requestFunds(trader.address);
  await expect(page.getByText(/received$/)).toBeVisible();
  expect(await trader.cashMicros()).toBe(BigInt(Number(usdc)) * 1_000_000n);
});

test('a trader deposits their wallet balance', { tag: '@phone-long' }, async ({ trader, page }) => {
  await trader.arrive();
  const cashBefore = await trader.cashMicros();
  await trader.fillWallet(20);

  await page.goto('/deposit');
  const form = page.getByRole('form', { name: 'From your wallet' });
  const amount = form.getByRole('textbox', { name: 'From your wallet' });
  const button = page.getByTestId('deposit-button');
  await expect(form).toContainText('$20.00 USDC available');
  await amount.fill('20.01');
  await expect(button).toHaveText('Not enough USDC in your wallet');
  await amount.fill('12.5');
  await trader.tellOfWallet('chainChanged', '0x1');
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
  });
  await button.click();
  await expect(form.getByText('You rejected the request in your wallet')).toBeVisible();
  await expect(amount).toHaveValue('12.5');
  await button.click();
  await expect(page.getByText('$12.50 received')).toBeVisible();
  await expect(form).toContainText('$7.50 USDC available');
  expect(await trader.cashMicros()).toBe(cashBefore - 7_500_000n);
});

test('an expired permission shows a notice and renews with the same limits', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Trading permission' }).first();
  await page.getByRole('button', { name: 'Change limits' }).press('Enter');
  await expect(page.getByLabel('Order limit (USD)')).toBeFocused();
  await page.getByLabel('Order limit (USD)').fill('25');
  await page.getByLabel('Daily limit (USD)').fill('100');
  await page.getByRole('button', { name: 'Sign limits' }).press('Enter');
  await expect(panel).toContainText('$25.00');
  await expect(page.getByRole('button', { name: 'Change limits' })).toBeFocused();

  await endGrantOf(await trader.smartAccount(), 86_400);
  await page.reload();
  await expect(panel).toContainText('Your trading permission expires soon');
  await endGrantOf(await trader.smartAccount());
  await page.reload();
  await expect(panel).toContainText('Your trading permission has expired');
  await expect(panel).toContainText('up to $25.00 each and $100.00 a day');
  await page.getByRole('button', { name: 'Renew for 30 days' }).hover();
  await trader.tellOfWallet('chainChanged', '0x1');
  await page.evaluate(() => {
    // The network change is requested first, then the signature.
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 2;
  });
  await page.getByRole('button', { name: 'Renew for 30 days' }).click();
  await expect(panel.getByText('You rejected the request in your wallet')).toBeVisible();
  await page.getByRole('button', { name: 'Renew for 30 days' }).click();
  await expect(panel).not.toContainText('has expired');
  const { grant } = await trader.api.getAccount(trader.address);
  expect(grant).toMatchObject({ maxPerOrder: '25', maxPerDay: '100', status: 'recorded' });
});

test('given a wallet on another network, revoking switches it first', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await trader.arrive();
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Trading permission' });
  const revoke = panel.getByRole('button', { name: 'Revoke from my wallet' });
  await expect(revoke).toBeEnabled();
  await revoke.click();
  await trader.tellOfWallet('chainChanged', '0x1');
  const sure = panel.getByRole('button', { name: 'Confirm revoke' });
  await sure.click();
  await expect(page.getByText('Revoked on chain')).toBeVisible();
});

test('a deposit without ETH names the fee, and is sent for the owner once the service can', {
  tag: '@long',
}, async ({ trader, page }) => {
  await trader.arrive();
  await trader.fillWallet(5);
  const faults = controlChainFaults(sandbox());
  await faults.setGasMoney(trader.address, 0n);
  await page.route('**/v1/relay?*', (route) => route.abort());
  await page.goto('/deposit');
  const form = page.getByRole('form', { name: 'From your wallet' });
  await form.getByRole('textbox', { name: 'From your wallet' }).fill('5');
  await page.getByTestId('deposit-button').click();
  await expect(form.getByText('Not enough ETH for the network fee')).toBeVisible();
  await page.unroute('**/v1/relay?*');
  await page.getByTestId('deposit-button').click();
  await expect(page.getByText('$5.00 received')).toBeVisible();
});

test('account activity is listed and downloads as CSV', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(16);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '7');
  await page.goto('/activity');
  await expect(page.getByRole('link', { name: /Bought 7 Yes/ })).toBeVisible();
  await expect(page.getByText('Deposit', { exact: true }).first()).toBeVisible();
  await page.goto('/orders?type=withdrawal');
  await expect(page.getByText('No matching orders')).toBeVisible();
  await page.goto('/orders');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
  expect(lines[0]).toContain('filledQuantity');
  expect(lines).toHaveLength(2);
});

test('an owner sees active sessions and signs out everywhere', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const elsewhere = await trader.newToken();
  await trader.signInDirectly();
  await page.goto('/account');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await expect(sessions.filter({ hasText: 'this device' })).toHaveCount(1);
  await sessions.filter({ hasNotText: 'this device' }).getByRole('button').click();
  await expect(sessions).toHaveCount(1);
  await expect(elsewhere.listSessions()).rejects.toMatchObject({ code: 'token_invalid' });

  const again = await trader.newToken();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('no active API keys or webhooks');
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(dialog).toContainText('Sessions ended');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true }).first()).toBeVisible();
  await expect(again.listSessions()).rejects.toMatchObject({ code: 'token_invalid' });
});

test('signing out everywhere offers to revoke keys and webhooks and reports the result', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  const api = await trader.newToken();
  const { secret } = await api.createKey({ name: 'bot', scopes: ['read', 'trade'] });
  await api.createKey({ name: 'second bot', scopes: ['read'] });
  await api.createWebhook({ url: 'http://127.0.0.1:9/', description: 'x', eventTypes: [] });
  await trader.signInDirectly();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const dialog = page.getByRole('dialog');
  const keys = dialog.getByRole('checkbox', { name: /Revoke 2 API keys/ });
  const webhooks = dialog.getByRole('checkbox', { name: /Disable 1 webhook/ });
  await expect(keys).not.toBeChecked();
  await expect(webhooks).not.toBeChecked();
  await keys.check();
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(dialog).toContainText('API keys revoked2');
  await expect(dialog).toContainText('Still active: 1 webhook.');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true }).first()).toBeVisible();
  await expect(trader.withKey(secret).listOrders()).rejects.toMatchObject({
    code: 'api_key_invalid',
  });
  const again = await trader.newToken();
  expect(await again.listSessions()).toMatchObject({ apiKeys: 0, webhooks: 1 });
});

test('a new trader chooses limits before signing the permission', {
  tag: ['@phone-long', '@long'],
}, async ({ trader, page }) => {
  await trader.signInDirectly();
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Trading permission' });
  await expect(panel).toContainText('up to $1,000.00 each and $5,000.00 a day');
  await expect(panel).toContainText('only to your own wallet');
  await panel.getByText('$100', { exact: true }).click();
  await expect(panel).toContainText('up to $100.00 each and $500.00 a day');
  await panel.getByText('Other', { exact: true }).click();
  await panel.getByLabel('Order limit (USD)').fill('250');
  const anywhere = panel.getByRole('switch', { name: /other addresses/ });
  await expect(anywhere).not.toBeChecked();
  await anywhere.check();
  await panel.getByLabel('Daily withdrawal limit (USD)').fill('40');
  await expect(panel).toContainText('up to $40.00 a day to any address');
  await page.getByRole('button', { name: 'Sign trading permission' }).click();
  await expect(page.getByText('Signed, active with your next order')).toBeVisible();
  const { grant } = await trader.api.getAccount(trader.address);
  expect(grant).toMatchObject({
    maxPerOrder: '250',
    maxPerDay: '500',
    withdrawAnywhere: true,
    maxWithdrawPerDay: '40',
  });
});

test('a long session list starts with this device and expands on demand', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await trader.signInDirectly();
  for (let count = 0; count < 5; count += 1) await trader.newToken();
  await page.goto('/account');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(3);
  await expect(sessions.first()).toContainText('this device');
  await page.getByRole('button', { name: 'Show all 6' }).click();
  await expect(sessions).toHaveCount(6);
});

test('a session ended elsewhere signs the page out', { tag: '@long' }, async ({ trader, page }) => {
  await trader.signInDirectly();
  const elsewhere = await trader.newToken();
  await page.goto('/orders');
  await expect(page.getByText('No orders yet')).toBeVisible();
  await elsewhere.endAllSessions();
  await expect(page.getByRole('heading', { name: 'Sign in to see your orders' })).toBeVisible();
});
