import type { Page } from 'playwright/test';
import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from './trader.ts';
import { expireSession } from './wallet.ts';

function withdrawing(page: Page) {
  return {
    amount: page.getByRole('textbox', { name: 'Amount' }),
    to: page.getByRole('combobox', { name: 'To' }),
    button: page.getByTestId('withdraw-button'),
  };
}

async function expectWithdrawn(page: Page): Promise<void> {
  const status = page.getByTestId('order-status');
  await expect(status).toHaveAttribute('data-status', 'completed');
}

test('an expired session is renewed without losing the withdrawal', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/withdraw');
  const { amount, to, button } = withdrawing(page);
  await amount.fill('3');
  await to.fill(trader.address);
  // A modal dialog that is only hidden would keep the page from being used.
  await page.getByRole('button', { name: 'Address book' }).click();
  await expect(page.getByRole('dialog', { name: 'Address book' })).toBeVisible();
  await expireSession(page);
  await expect(page.getByText('Your session has expired.')).toBeVisible();
  await expect(amount).toBeHidden();
  await page.getByRole('button', { name: 'Sign in with your wallet' }).click();
  await expect(amount).toHaveValue('3');
  await expect(to).toHaveValue(trader.address);
  await button.click();
  await page.getByRole('button', { name: 'Withdraw $3.00 USDC' }).click();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await expect.poll(() => trader.usdcMicrosOf(trader.address)).toBe(3_000_000n);
});

test('with the default permission the wallet signs a withdrawal to another address', {
  tag: '@phone-long',
}, async ({ trader, page }) => {
  await trader.arrive();
  const before = await trader.cashMicros();
  const { address } = privateKeyToAccount(generatePrivateKey());
  await page.goto('/withdraw');
  const { amount, to, button } = withdrawing(page);
  await amount.fill('2.5');
  await to.fill(address);
  await button.click();
  await expect(page.getByText('Sign this withdrawal in your wallet')).toBeVisible();
  const withdraw = page.getByRole('button', { name: 'Withdraw $2.50 USDC' });
  await expect(withdraw).toBeEnabled();
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
  });
  await withdraw.click();
  await expect(page.getByText('You rejected the request in your wallet')).toBeVisible();
  expect(await trader.cashMicros()).toBe(before);
  await withdraw.click();
  await expectWithdrawn(page);
  expect(await trader.usdcMicrosOf(address)).toBe(2_500_000n);
  expect(await trader.cashMicros()).toBe(before - 2_500_000n);
});

test('without a permission a withdrawal is signed', { tag: '@long' }, async ({ trader, page }) => {
  await trader.signInDirectly();
  await trader.api.requestFunds(trader.address);
  await page.goto('/withdraw');
  const { amount, to, button } = withdrawing(page);
  await amount.fill('2');
  await to.fill(trader.address);
  await button.click();
  await expect(page.getByText('Sign this withdrawal in your wallet')).toBeVisible();
  await page.getByRole('button', { name: 'Withdraw $2.00 USDC' }).click();
  await expectWithdrawn(page);
  expect(await trader.usdcMicrosOf(trader.address)).toBe(2_000_000n);
});

test('a mistyped address shows an error before the review', async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/withdraw');
  const { amount, to, button } = withdrawing(page);
  const address = getAddress(privateKeyToAccount(generatePrivateKey()).address);
  const wrong = address.replace(/[a-f]/, (letter) => letter.toUpperCase());
  await amount.fill('1');
  await to.fill(wrong);
  await expect(page.getByText('This address has a typo')).toBeVisible();
  await expect(button).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save this address' })).toBeHidden();
  await to.fill(address);
  await expect(button).toHaveText('Review withdrawal');
});

test('the form stays usable when balances cannot be refreshed', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await trader.arrive();
  await page.goto('/withdraw');
  const { amount } = withdrawing(page);
  await amount.fill('4');
  // Two retries, then the query has failed; a later request is a new query.
  let refused = 0;
  await page.route('**/v1/tokens/portfolio/**', (route) => {
    refused += 1;
    return route.fulfill({ status: 503 });
  });
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => refused, { timeout: 50_000 }).toBeGreaterThan(3);
  await expect(amount).toHaveValue('4');
});
