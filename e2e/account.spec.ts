import { expect, test } from './trader.ts';

test('an owner tightens the permission and takes it back', { tag: '@phone' }, async ({
  trader,
  page,
}) => {
  await trader.arrive();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Choose other limits' }).click();
  await page.getByLabel('At most per order, in dollars').fill('25');
  await page.getByLabel('At most per day, in dollars').fill('100');
  await page.getByLabel('Withdraw to my own wallet only').check();
  await page.getByRole('button', { name: 'Sign these limits' }).click();
  const panel = page.getByRole('region', { name: 'Trading permission' });
  await expect(panel).toContainText('$25.00');
  await expect(panel).toContainText('your wallet only');
  const { grant } = await trader.api.getAccount(trader.address);
  expect(grant).toMatchObject({ maxPerOrder: '25', maxPerDay: '100', withdrawAnywhere: false });

  await panel.getByRole('button', { name: 'Revoke from my wallet' }).click();
  await expect(page.getByText('Revoked on chain')).toBeVisible();
  await expect
    .poll(async () => (await trader.api.getAccount(trader.address)).grant?.status ?? 'none')
    .toMatch(/none|expired/);
});

test('money that is sent to the address shows by itself', { tag: '@phone' }, async ({
  trader,
  page,
}) => {
  await trader.signInDirectly();
  await page.goto('/deposit');
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expect(page.getByText('Waiting for an arrival')).toBeVisible();
  const { usdc } = await trader.api.requestFunds(trader.address);
  await expect(page.getByText(/arrived$/)).toBeVisible();
  expect(await trader.cashMicros()).toBe(BigInt(Number(usdc)) * 1_000_000n);
});

test('an account’s life is listed, and taken home as a file', async ({ trader, page }) => {
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

test('an owner sees where they are signed in, and signs out everywhere', { tag: '@phone' }, async ({
  trader,
  page,
}) => {
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
  await expect(page.getByRole('button', { name: 'Sign in', exact: true }).first()).toBeVisible();
  await expect(again.listSessions()).rejects.toMatchObject({ code: 'token_invalid' });
});

test('a sign-in that is ended elsewhere ends on the page', async ({ trader, page }) => {
  await trader.signInDirectly();
  const elsewhere = await trader.newToken();
  await page.goto('/orders');
  await expect(page.getByText('No orders yet')).toBeVisible();
  await elsewhere.endAllSessions();
  await expect(page.getByRole('heading', { name: 'Sign in to see your orders' })).toBeVisible();
});
