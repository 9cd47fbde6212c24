import { goTo, lookAtFocus } from './focus.ts';
import { expect, expectHydrated, test } from './trader.ts';

test('a new trader buys by keyboard alone', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(15);
  await page.goto(`/markets/${market.ticker}`);
  await trader.expectStep('connectWallet');
  await goTo(page, page.getByRole('radio', { name: /^Yes \d/ }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: /^No \d/ })).toBeChecked();
  await goTo(page, trader.button);
  await page.keyboard.press('Enter');
  await goTo(page, page.getByRole('button', { name: /Demo wallet 1/ }));
  await page.keyboard.press('Enter');
  // After the dialog closes, the focus returns and is kept between the steps.
  for (const step of ['signIn', 'signGrant', 'getTestFunds']) {
    await trader.expectStep(step);
    await expect(trader.button).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await trader.expectStep('enterAmount');
  await goTo(page, page.getByRole('textbox', { name: 'Amount' }), 'Shift+Tab');
  await page.keyboard.type('3');
  await trader.expectStep('place');
  await goTo(page, trader.button);
  await page.keyboard.press('Space');
  const row = await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'no')).toBe(row.filledContractMicros);
  expect(row.filledContractMicros).toBeGreaterThan(0n);
});

test('a holder sells and signs by keyboard alone', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(16);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '4');
  await page.goto(`/markets/${market.ticker}`);
  await expect(page.getByRole('region', { name: 'My position' })).toBeVisible();
  await goTo(page, page.getByRole('radio', { name: 'Buy', exact: true }));
  await page.keyboard.press('ArrowRight');
  await goTo(page, page.getByRole('button', { name: 'All', exact: true }));
  await page.keyboard.press('Enter');
  await trader.expectStep('place');
  await goTo(page, page.locator('summary').filter({ hasText: 'No network fee' }));
  await page.keyboard.press('Enter');
  await goTo(page, page.getByRole('radio', { name: 'Place for me' }));
  await page.keyboard.press('ArrowRight');
  await trader.expectStep('prepareCalls');
  await goTo(page, trader.button, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await trader.expectStep('signCalls');
  await expect(page.getByRole('region', { name: 'What you sign' })).toBeInViewport();
  await expect(trader.button).toBeInViewport({ ratio: 1 });
  await expect(trader.button).toBeFocused();
  await page.keyboard.press('Enter');
  const row = await trader.followToEnd();
  expect(row).toMatchObject({ kind: 'calldata', filledContractMicros: 4_000_000n });
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);
});

test('a list is filtered and a market is read by keyboard alone', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(17);
  await page.goto('/');
  await expectHydrated(page);
  const sort = page.locator('summary').filter({ hasText: 'Sort' });
  const closing = page.getByRole('link', { name: 'Closing soon', exact: true });
  await goTo(page, sort);
  await page.keyboard.press('Enter');
  await expect(closing).toBeVisible();
  await goTo(page, closing);
  await page.keyboard.press('Escape');
  await expect(closing).toBeHidden();
  await expect(sort).toBeFocused();
  await page.keyboard.press('Space');
  await goTo(page, closing);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/sort=closing/);

  await page.goto(`/markets/${market.ticker}`);
  await expectHydrated(page);
  await goTo(page, page.getByRole('radio', { name: '1D', exact: true }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: '1W', exact: true })).toBeChecked();
  const book = page.getByRole('group', { name: 'Order book side' });
  await goTo(page, book.getByRole('radio', { name: 'Yes' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('table', { name: /Asks and bids for No/ })).toBeVisible();
});

test('a menu closes on a press elsewhere', { tag: '@long' }, async ({ page }) => {
  await page.goto('/');
  await expectHydrated(page);
  const closing = page.getByRole('link', { name: 'Closing soon', exact: true });
  await page.locator('summary').filter({ hasText: 'Sort' }).click();
  await expect(closing).toBeVisible();
  await page.getByRole('contentinfo').click();
  await expect(closing).toBeHidden();
});

test('closing the phone sheet returns the focus', { tag: '@long' }, async ({ trader, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const market = await trader.findMarket(18);
  await page.goto(`/markets/${market.ticker}`);
  await trader.expectStep('connectWallet');
  const bar = page.getByRole('button', { name: /^Buy No/ });
  await goTo(page, bar);
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: /^Trade ticket/ });
  await expect(sheet.getByRole('radio', { name: /^No/ })).toBeChecked();
  await goTo(page, sheet.getByRole('textbox', { name: 'Amount' }));
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(bar).toBeFocused();
});

test('a withdrawal by keyboard alone', { tag: '@long' }, async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/withdraw');
  const amount = page.getByRole('textbox', { name: 'Amount' });
  await expect(amount).toBeVisible();
  const asset = page.getByRole('button', { name: /^Asset USDC/ });
  await goTo(page, asset);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Assets' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(asset).toBeFocused();
  await expect(page.getByRole('region', { name: 'Assets' })).toBeHidden();
  await goTo(page, amount);
  await page.keyboard.type('2.5');
  await goTo(page, page.getByRole('button', { name: 'My own wallet' }));
  await page.keyboard.press('Enter');
  const book = page.getByRole('button', { name: 'Address book' });
  await goTo(page, book);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Address book' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(book).toBeFocused();
  const review = page.getByRole('button', { name: 'Review withdrawal' });
  await goTo(page, review);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Review' })).toBeFocused();
  await goTo(page, page.getByRole('button', { name: 'Back' }));
  await page.keyboard.press('Enter');
  await expect(review).toBeFocused();
  await page.keyboard.press('Enter');
  await goTo(page, page.getByRole('button', { name: 'Withdraw $2.50 USDC' }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await expect.poll(() => trader.usdcMicrosOf(trader.address)).toBe(2_500_000n);
});

test('connecting, a key and signing out by keyboard alone', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await page.goto('/developers/keys');
  const connect = page.getByRole('main').getByRole('button', { name: 'Connect wallet' });
  await expectHydrated(page);
  await goTo(page, connect);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(connect).toBeFocused();
  await page.keyboard.press('Enter');
  await goTo(page, page.getByRole('button', { name: /Demo wallet 1/ }));
  await page.keyboard.press('Enter');
  const signIn = page.getByRole('button', { name: 'Sign in with your wallet' });
  await expect(signIn).toBeVisible();
  await goTo(page, signIn);
  await page.keyboard.press('Enter');
  const newKey = page.getByRole('button', { name: 'New API key' });
  await expect(newKey).toBeVisible();
  await goTo(page, newKey);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('secret')).toBeVisible();
  await expect(newKey).toBeFocused();

  await page.goto('/account');
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true }).first();
  await expect(signOut).toBeVisible();
  await goTo(page, signOut);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(trader.page.getByRole('button', { name: 'Sign out', exact: true })).toHaveCount(0);
});

test('a deposit by keyboard alone', { tag: '@long' }, async ({ trader, page }) => {
  await trader.arrive();
  await trader.fillWallet(5);
  const cashBefore = await trader.cashMicros();
  await page.goto('/deposit');
  const form = page.getByRole('form', { name: 'From your wallet' });
  await expect(form).toContainText('$5.00 USDC available');
  await goTo(page, form.getByRole('textbox', { name: 'From your wallet' }));
  await page.keyboard.type('2.5');
  const button = page.getByTestId('deposit-button');
  await goTo(page, button);
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
  });
  await page.keyboard.press('Enter');
  await expect(form.getByText('You rejected the request in your wallet')).toBeVisible();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('$2.50 received')).toBeVisible();
  await expect(button).toBeFocused();
  expect(await trader.cashMicros()).toBe(cashBefore + 2_500_000n);
});

test('a payout is redeemed by keyboard alone', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.takeMarket();
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '2');
  const cashBefore = await trader.cashMicros();
  await trader.controlExchange('settle', { ticker: market.ticker, result: 'yes' });
  await page.goto('/portfolio');
  const payouts = page.getByRole('region', { name: 'Payouts' });
  await expect(payouts).toContainText('$2.00');
  await goTo(page, payouts.getByRole('button', { name: 'Redeem' }));
  await page.keyboard.press('Enter');
  const row = await trader.followToEnd();
  expect(row.quoteUsdcMicros).toBe(2_000_000n);
  expect(await trader.cashMicros()).toBe(cashBefore + 2_000_000n);
});

test('the permission is revoked by keyboard alone', { tag: '@long' }, async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/account');
  const revoke = page.getByRole('button', { name: 'Revoke from my wallet' });
  const sure = page.getByRole('button', { name: 'Confirm revoke' });
  await expect(revoke).toBeEnabled();
  await goTo(page, revoke);
  await page.keyboard.press('Enter');
  await expect(sure).toBeFocused();
  await goTo(page, page.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Enter');
  await expect(revoke).toBeFocused();
  await page.keyboard.press('Enter');
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
  });
  await page.keyboard.press('Enter');
  await expect(page.getByText('You rejected the request in your wallet')).toBeVisible();
  await expect(sure).toBeFocused();
  await page.keyboard.press('Enter');
  const received = page.getByText('Only you can trade from this account now');
  await expect(received).toBeVisible();
  await expect(page.locator('[tabindex="-1"]').filter({ has: received })).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await page.locator('body').evaluate(lookAtFocus)).toMatchObject({ isShown: true });
});
