import type { Page } from 'playwright/test';
import { expect, type Trader, test } from './trader.ts';
import {
  askedFor,
  askInVain,
  changeMidway,
  declineNext,
  holdResponse,
  holdWallet,
  LAG_MS,
  OTHER,
} from './wallet.ts';

test.describe('in the middle of a deposit', { tag: '@long' }, () => {
  async function begin(trader: Trader, page: Page) {
    await trader.arrive();
    await trader.fillWallet(5);
    await page.goto('/deposit');
    const form = page.getByRole('form', { name: 'From your wallet' });
    await form.getByRole('textbox', { name: 'From your wallet' }).fill('2');
    return { form, button: page.getByTestId('deposit-button') };
  }

  test('a slow signature is waited for', async ({ trader, page }) => {
    await page.clock.install();
    const { button } = await begin(trader, page);
    const confirm = await holdWallet(page);
    await button.click();
    await expect.poll(askedFor(page, 'eth_sendTransaction')).toBe(1);
    await page.clock.fastForward(LAG_MS);
    await expect(button).toHaveText('Confirm in your wallet');
    await confirm();
    await expect(page.getByText('$2.00 received')).toBeVisible();
  });

  test('switching accounts shows its own address and sends nothing', async ({ trader, page }) => {
    const { form, button } = await begin(trader, page);
    const own = await trader.smartAccount();
    const code = page.getByRole('img', { name: /^QR code/ });
    await expect(code).toHaveAccessibleName(new RegExp(own));
    await askInVain(page, () => button.click(), 'eth_sendTransaction');
    await trader.tellOfWallet('accountsChanged', [OTHER]);
    await expect(code).toBeVisible();
    await expect(code).not.toHaveAccessibleName(new RegExp(own));
    await expect(form).toBeHidden();
    await trader.tellOfWallet('accountsChanged', [trader.address]);
    await expect(code).toHaveAccessibleName(new RegExp(own));
    // The typed input is restored, and sending it needs a new confirmation.
    await expect(button).toHaveText('Deposit $2.00');
    await expect(button).toBeEnabled();
    expect(await trader.usdcMicrosOf(trader.address)).toBe(5_000_000n);
  });

  test('a wallet that disconnects is not waited for', async ({ trader, page }) => {
    const { button } = await begin(trader, page);
    await askInVain(page, () => button.click(), 'eth_sendTransaction');
    await changeMidway(trader, page, [], 'Connect a wallet to see your deposit address');
    expect(await trader.usdcMicrosOf(trader.address)).toBe(5_000_000n);
  });
});

test.describe('while the permission is being revoked', { tag: '@long' }, () => {
  async function begin(trader: Trader, page: Page) {
    await trader.arrive();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Revoke from my wallet' }).click();
    return page.getByRole('button', { name: /^(Confirm revoke|Confirm in your wallet)$/ });
  }
  const granted = async (trader: Trader) =>
    (await trader.api.getAccount(trader.address)).grant !== null;

  test('a slow signature is waited for', async ({ trader, page }) => {
    await page.clock.install();
    const button = await begin(trader, page);
    const confirm = await holdWallet(page);
    await button.click();
    await expect.poll(askedFor(page, 'eth_sendTransaction')).toBe(1);
    await page.clock.fastForward(LAG_MS);
    await expect(button).toHaveText('Confirm in your wallet');
    await confirm();
    await expect(page.getByText('Revoked on chain')).toBeVisible();
    await expect.poll(() => granted(trader)).toBe(false);
  });

  test('switching accounts shows its own permission and keeps the previous one', async ({
    trader,
    page,
  }) => {
    const button = await begin(trader, page);
    await askInVain(page, () => button.click(), 'eth_sendTransaction');
    await trader.tellOfWallet('accountsChanged', [OTHER]);
    await expect(page.getByRole('button', { name: 'Sign in first' })).toBeVisible();
    await expect(button).toBeHidden();
    await expect(page.getByText('disconnected or switched accounts')).toBeVisible();
    expect(await granted(trader)).toBe(true);
    await trader.tellOfWallet('accountsChanged', [trader.address]);
    await expect(page.getByRole('button', { name: 'Revoke from my wallet' })).toBeVisible();
  });

  test('a wallet that disconnects is not waited for', async ({ trader, page }) => {
    const button = await begin(trader, page);
    await askInVain(page, () => button.click(), 'eth_sendTransaction');
    await changeMidway(trader, page, [], 'Connect a wallet to see your account');
    expect(await granted(trader)).toBe(true);
  });
});

/** The number of a wallet's withdrawals at the service. */
const sent = async (trader: Trader) => {
  const api = await trader.newToken();
  const asked = { type: 'withdrawal', userAddress: trader.address } as const;
  return (await api.listOrders(asked)).orders.length;
};

test.describe('while a withdrawal is signed', { tag: '@long' }, () => {
  /** Without a permission a wallet also signs withdrawals to itself. */
  async function begin(trader: Trader, page: Page) {
    await trader.signInDirectly();
    await trader.api.requestFunds(trader.address);
    await page.goto('/withdraw');
    await page.getByRole('textbox', { name: 'Amount' }).fill('2');
    await page.getByRole('button', { name: 'My own wallet' }).click();
    await page.getByTestId('withdraw-button').click();
    return page.getByRole('button', { name: 'Withdraw $2.00 USDC' });
  }
  const arrived = (trader: Trader) => trader.usdcMicrosOf(trader.address);

  test('a slow signature is waited for', async ({ trader, page }) => {
    await page.clock.install();
    const sign = await begin(trader, page);
    const confirm = await holdWallet(page);
    await sign.click();
    await expect.poll(askedFor(page, 'eth_signTypedData_v4')).toBe(1);
    await page.clock.fastForward(LAG_MS);
    expect(await arrived(trader)).toBe(0n);
    await confirm();
    await expect.poll(() => arrived(trader)).toBe(2_000_000n);
  });

  test('switching accounts requires a sign-in and withdraws nothing', async ({ trader, page }) => {
    const sign = await begin(trader, page);
    await askInVain(page, () => sign.click(), 'eth_signTypedData_v4');
    await changeMidway(trader, page, [OTHER], 'Sign in to see your withdrawable balance');
    expect(await sent(trader)).toBe(0);
  });

  test('a wallet that disconnects is not waited for', async ({ trader, page }) => {
    const sign = await begin(trader, page);
    await askInVain(page, () => sign.click(), 'eth_signTypedData_v4');
    await changeMidway(trader, page, [], 'Connect a wallet to see your withdrawable balance');
    expect(await sent(trader)).toBe(0);
  });
});

test.describe('in the middle of a withdrawal', { tag: '@long' }, () => {
  async function begin(trader: Trader, page: Page) {
    await trader.arrive();
    await page.goto('/withdraw');
    await page.getByRole('textbox', { name: 'Amount' }).fill('2');
    await page.getByRole('button', { name: 'My own wallet' }).click();
    await page.getByTestId('withdraw-button').click();
    return page.getByRole('button', { name: 'Withdraw $2.00 USDC' });
  }
  const expectTyped = async (trader: Trader, page: Page) => {
    await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('2');
    await expect(page.getByRole('combobox', { name: 'To' })).toHaveValue(trader.address);
    await expect(page.getByTestId('withdraw-button')).toHaveText('Review withdrawal');
  };

  test('switching accounts hides the entered withdrawal', async ({ trader, page }) => {
    const withdraw = await begin(trader, page);
    await expect(withdraw).toBeEnabled();
    await trader.tellOfWallet('accountsChanged', [OTHER]);
    await expect(page.getByText('Sign in to see your withdrawable balance')).toBeVisible();
    await expect(withdraw).toBeHidden();
    await trader.tellOfWallet('accountsChanged', [trader.address]);
    await expectTyped(trader, page);
    expect(await sent(trader)).toBe(0);
  });

  test('a disconnected wallet closes the review and finds the form on return', {
    tag: '@phone',
  }, async ({ trader, page }) => {
    const withdraw = await begin(trader, page);
    await trader.tellOfWallet('accountsChanged', []);
    await expect(page.getByText('Connect a wallet to see your withdrawable balance')).toBeVisible();
    await expect(withdraw).toBeHidden();
    expect(await sent(trader)).toBe(0);
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByRole('button', { name: /Demo wallet 1/ }).click();
    await expectTyped(trader, page);
    await page.getByTestId('withdraw-button').click();
    await expect(withdraw).toBeVisible();
  });

  test('a reload keeps the form, navigation clears it', async ({ trader, page }) => {
    await begin(trader, page);
    await page.reload();
    await expectTyped(trader, page);
    await page.getByRole('link', { name: 'Portfolio' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Portfolio');
    await page.getByRole('link', { name: 'Withdraw' }).click();
    await expect(page.getByTestId('withdraw-button')).toHaveText('Enter an amount');
    await expect(page.getByRole('combobox', { name: 'To' })).toHaveValue('');
  });

  test('a slow response does not withdraw twice', async ({ trader, page }) => {
    const withdraw = await begin(trader, page);
    const resolve = await holdResponse(page, '**/v1/order/withdraw');
    await withdraw.click();
    await expect.poll(() => sent(trader)).toBe(1);
    await trader.tellOfWallet('accountsChanged', [OTHER]);
    await expect(page.getByText('Sign in to see your withdrawable balance')).toBeVisible();
    resolve();
    await trader.tellOfWallet('accountsChanged', [trader.address]);
    await expect.poll(() => trader.usdcMicrosOf(trader.address)).toBe(2_000_000n);
    expect(await sent(trader)).toBe(1);
  });
});

test.describe('while limits are being changed', { tag: '@long' }, () => {
  async function begin(trader: Trader, page: Page) {
    await trader.arrive();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Change limits' }).click();
    await page.getByLabel('Order limit (USD)').fill('25');
    await page.getByRole('switch', { name: /other addresses/ }).check();
    return page.getByRole('button', { name: 'Sign limits' });
  }
  const perOrder = async (trader: Trader) =>
    (await trader.api.getAccount(trader.address)).grant?.maxPerOrder;
  const expectChosen = async (page: Page) => {
    await expect(page.getByLabel('Order limit (USD)')).toHaveValue('25');
    await expect(page.getByRole('switch', { name: /other addresses/ })).toBeChecked();
  };

  test('limits survive a rejected signature and are signed on retry', {
    tag: '@phone',
  }, async ({ trader, page }) => {
    const sign = await begin(trader, page);
    await declineNext(page);
    await sign.click();
    await expect(page.getByText('You rejected the request in your wallet')).toBeVisible();
    await expectChosen(page);
    expect(await perOrder(trader)).toBe('1000');
    await sign.click();
    await expect(sign).toBeHidden();
    expect(await perOrder(trader)).toBe('25');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Change limits' })).toBeVisible();
  });

  test('a disconnected wallet is not waited for and finds the limits on return', async ({
    trader,
    page,
  }) => {
    const sign = await begin(trader, page);
    await askInVain(page, () => sign.click(), 'eth_signTypedData_v4');
    await changeMidway(trader, page, [], 'Connect a wallet to see your account');
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByRole('button', { name: /Demo wallet 1/ }).click();
    await expectChosen(page);
    await page.reload();
    await expectChosen(page);
    expect(await perOrder(trader)).toBe('1000');
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(sign).toBeHidden();
  });

  test('another account does not see them', async ({ trader, page }) => {
    const sign = await begin(trader, page);
    await trader.tellOfWallet('accountsChanged', [OTHER]);
    await expect(page.getByRole('button', { name: 'Sign in first' })).toBeVisible();
    await expect(sign).toBeHidden();
    await trader.tellOfWallet('accountsChanged', [trader.address]);
    await expectChosen(page);
  });
});
