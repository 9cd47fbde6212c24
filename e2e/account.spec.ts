import type { Page } from 'playwright/test';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { endGrantOf } from './database.ts';
import { sandbox } from './sandbox.ts';
import { expect, test } from './trader.ts';

test('an owner tightens the permission and takes it back', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  await trader.arrive();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Choose other limits' }).click();
  await page.getByLabel('At most per order, in dollars').fill('25');
  await page.getByLabel('At most per day, in dollars').fill('100');
  await page.getByRole('button', { name: 'Sign these limits' }).click();
  const panel = page.getByRole('region', { name: 'Trading permission' });
  await expect(panel).toContainText('$25.00');
  await expect(panel).toContainText('your wallet only');
  const { grant } = await trader.api.getAccount(trader.address);
  expect(grant).toMatchObject({ maxPerOrder: '25', maxPerDay: '100', withdrawAnywhere: false });

  const revoke = panel.getByRole('button', { name: 'Revoke from my wallet' });
  await expect(revoke).toHaveCSS('color', await colorOf(page, 'var(--no)'));
  await revoke.click();
  await expect(panel.getByText('until you sign a new one')).toBeVisible();
  await panel.getByRole('button', { name: 'Keep it' }).click();
  await expect(panel.getByText('until you sign a new one')).toBeHidden();
  await revoke.click();
  await panel.getByRole('button', { name: 'Revoke it on chain' }).click();
  await expect(page.getByText('Revoked on chain')).toBeVisible();
  await expect
    .poll(async () => (await trader.api.getAccount(trader.address)).grant?.status ?? 'none')
    .toMatch(/none|expired/);
  // What was told of it is not true of the next one.
  await panel.getByRole('button', { name: /^(Sign the permission|Renew for 30 days)$/ }).click();
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

test('money that is sent to the address shows by itself', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
}) => {
  await trader.signInDirectly();
  await page.goto('/deposit');
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expect(page.getByText('Waiting for an arrival')).toBeVisible();
  await page.getByText('Put an amount into the code').click();
  await page.getByRole('textbox', { name: 'Amount in USDC' }).fill('25');
  await expect(page.getByRole('img', { name: /that asks for \$25\.00$/ })).toBeVisible();
  const { usdc } = await trader.api.requestFunds(trader.address);
  await expect(page.getByText(/arrived$/)).toBeVisible();
  expect(await trader.cashMicros()).toBe(BigInt(Number(usdc)) * 1_000_000n);
});

test('a trader deposits what their wallet holds', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  await trader.arrive();
  const cashBefore = await trader.cashMicros();
  await trader.fillWallet(20);

  await page.goto('/deposit');
  const form = page.getByRole('form', { name: 'From your wallet' });
  const amount = form.getByRole('textbox', { name: 'From your wallet' });
  const button = page.getByTestId('deposit-button');
  await expect(form).toContainText('$20.00 USDC there');
  await amount.fill('20.01');
  await expect(button).toHaveText('That is more than your wallet holds');
  await amount.fill('12.5');
  await trader.tellOfWallet('chainChanged', '0x1');
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
  });
  await button.click();
  await expect(form.getByText('You declined the request in your wallet')).toBeVisible();
  await expect(amount).toHaveValue('12.5');
  await button.click();
  await expect(page.getByText('$12.50 arrived')).toBeVisible();
  await expect(form).toContainText('$7.50 USDC there');
  expect(await trader.cashMicros()).toBe(cashBefore - 7_500_000n);
});

test('a permission that has ended is told, and renewed no wider than it was', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Trading permission' }).first();
  await page.getByRole('button', { name: 'Choose other limits' }).press('Enter');
  await expect(page.getByLabel('At most per order, in dollars')).toBeFocused();
  await page.getByLabel('At most per order, in dollars').fill('25');
  await page.getByLabel('At most per day, in dollars').fill('100');
  await page.getByRole('button', { name: 'Sign these limits' }).press('Enter');
  await expect(panel).toContainText('$25.00');
  await expect(page.getByRole('button', { name: 'Choose other limits' })).toBeFocused();

  await endGrantOf(await trader.smartAccount(), 86_400);
  await page.reload();
  await expect(panel).toContainText('Your permission ends soon');
  await endGrantOf(await trader.smartAccount());
  await page.reload();
  await expect(panel).toContainText('Your permission has ended');
  await expect(panel).toContainText('up to $25.00 each and $100.00 a day');
  await page.getByRole('button', { name: 'Renew for 30 days' }).hover();
  await trader.tellOfWallet('chainChanged', '0x1');
  await page.evaluate(() => {
    // The change of the network is asked for first, then the signature.
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 2;
  });
  await page.getByRole('button', { name: 'Renew for 30 days' }).click();
  await expect(panel.getByText('You declined the request in your wallet')).toBeVisible();
  await page.getByRole('button', { name: 'Renew for 30 days' }).click();
  await expect(panel).not.toContainText('has ended');
  const { grant } = await trader.api.getAccount(trader.address);
  expect(grant).toMatchObject({ maxPerOrder: '25', maxPerDay: '100', status: 'recorded' });
});

test('taking the permission back changes the network first, and tells of missing ether', {
  tag: '@long',
}, async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/account');
  const faults = controlChainFaults(sandbox());
  const panel = page.getByRole('region', { name: 'Trading permission' });
  const revoke = panel.getByRole('button', { name: 'Revoke from my wallet' });
  await expect(revoke).toBeEnabled();
  await faults.setGasMoney(trader.address, 0n);
  await revoke.click();
  await trader.tellOfWallet('chainChanged', '0x1');
  const sure = panel.getByRole('button', { name: 'Revoke it on chain' });
  await sure.click();
  await expect(panel.getByText('too little ether for the network’s fee')).toBeVisible();
  await faults.setGasMoney(trader.address, 10n ** 18n);
  await sure.click();
  await expect(page.getByText('Revoked on chain')).toBeVisible();
});

test('a deposit without ether for the fee is told before and after', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await trader.arrive();
  await trader.fillWallet(5);
  const faults = controlChainFaults(sandbox());
  await faults.setGasMoney(trader.address, 0n);
  await page.goto('/deposit');
  const form = page.getByRole('form', { name: 'From your wallet' });
  await expect(form.getByText('No ether for the network’s fee')).toBeVisible();
  await form.getByRole('textbox', { name: 'From your wallet' }).fill('5');
  await page.getByTestId('deposit-button').click();
  await expect(form.getByText('too little ether for the network’s fee')).toBeVisible();
  await faults.setGasMoney(trader.address, 10n ** 18n);
  await page.getByTestId('deposit-button').click();
  await expect(page.getByText('$5.00 arrived')).toBeVisible();
});

test('an account’s life is listed, and taken home as a file', { tag: '@long' }, async ({
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
  await expect(page.getByText('No orders like that')).toBeVisible();
  await page.goto('/orders');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
  expect(lines[0]).toContain('filledQuantity');
  expect(lines).toHaveLength(2);
});

test('an owner sees where they are signed in, and signs out everywhere', {
  tag: '@phone-long',
}, async ({ trader, page }) => {
  const elsewhere = await trader.newToken();
  await trader.signInDirectly();
  await page.goto('/account');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await expect(sessions.filter({ hasText: 'this one' })).toHaveCount(1);
  await sessions.filter({ hasNotText: 'this one' }).getByRole('button').click();
  await expect(sessions).toHaveCount(1);
  await expect(elsewhere.listSessions()).rejects.toMatchObject({ code: 'token_invalid' });

  const again = await trader.newToken();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('no API keys and no webhooks');
  await dialog.getByRole('button', { name: 'Sign out now' }).click();
  await expect(dialog).toContainText('Sign-ins ended');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true }).first()).toBeVisible();
  await expect(again.listSessions()).rejects.toMatchObject({ code: 'token_invalid' });
});

test('signing out everywhere offers to end keys and webhooks, and says what ended', {
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
  await dialog.getByRole('button', { name: 'Sign out now' }).click();
  await expect(dialog).toContainText('API keys revoked2');
  await expect(dialog).toContainText('Still working: 1 webhook.');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true }).first()).toBeVisible();
  await expect(trader.withKey(secret).listOrders()).rejects.toMatchObject({
    code: 'api_key_invalid',
  });
  const again = await trader.newToken();
  expect(await again.listSessions()).toMatchObject({ apiKeys: 0, webhooks: 1 });
});

test('a newcomer chooses what the permission allows before signing it', {
  tag: '@phone-long',
}, async ({ trader, page }) => {
  await trader.signInDirectly();
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Trading permission' });
  await expect(panel).toContainText('up to $1,000.00 each and $5,000.00 a day');
  await expect(panel).toContainText('only to your own wallet');
  await panel.getByText('$100', { exact: true }).click();
  await expect(panel).toContainText('up to $100.00 each and $500.00 a day');
  await panel.getByText('Other', { exact: true }).click();
  await panel.getByLabel('At most per order, in dollars').fill('250');
  const anywhere = panel.getByRole('switch', { name: /other addresses/ });
  await expect(anywhere).not.toBeChecked();
  await anywhere.check();
  await panel.getByLabel('To other addresses a day, in dollars').fill('40');
  await expect(panel).toContainText('up to $40.00 a day to any address');
  await page.getByRole('button', { name: 'Sign the permission' }).click();
  await expect(page.getByText('Signed, takes effect with your next order')).toBeVisible();
  const { grant } = await trader.api.getAccount(trader.address);
  expect(grant).toMatchObject({
    maxPerOrder: '250',
    maxPerDay: '500',
    withdrawAnywhere: true,
    maxWithdrawPerDay: '40',
  });
});

test('a long list of sign-ins begins with this one and is shown in full when asked for', {
  tag: '@long',
}, async ({ trader, page }) => {
  await trader.signInDirectly();
  for (let count = 0; count < 5; count += 1) await trader.newToken();
  await page.goto('/account');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(3);
  await expect(sessions.first()).toContainText('this one');
  await page.getByRole('button', { name: 'Show all 6' }).click();
  await expect(sessions).toHaveCount(6);
});

test('a sign-in that is ended elsewhere ends on the page', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await trader.signInDirectly();
  const elsewhere = await trader.newToken();
  await page.goto('/orders');
  await expect(page.getByText('No orders yet')).toBeVisible();
  await elsewhere.endAllSessions();
  await expect(page.getByRole('heading', { name: 'Sign in to see your orders' })).toBeVisible();
});
