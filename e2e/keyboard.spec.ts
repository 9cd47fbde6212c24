import type { Locator, Page } from 'playwright/test';
import { expect, test } from './trader.ts';

/** What moves money, walked without a pointer: the focus is seen, and is where one goes on. */

/** Goes on with the key of the tabulator until something has the focus, which must be seen there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
  const outline = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle === 'none' ? '0px' : outlineWidth;
  });
  expect(Number.parseFloat(outline), 'the focus is seen').toBeGreaterThanOrEqual(2);
}

test('a withdrawal by keyboard alone', async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/withdraw');
  const amount = page.getByRole('textbox', { name: 'Amount' });
  await expect(amount).toBeVisible();
  await tabTo(page, page.getByRole('combobox', { name: 'What' }));
  await tabTo(page, amount);
  await page.keyboard.type('2.5');
  await tabTo(page, page.getByRole('button', { name: 'My own wallet' }));
  await page.keyboard.press('Enter');
  const book = page.getByRole('button', { name: 'Address book' });
  await tabTo(page, book);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Address book' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(book).toBeFocused();
  const review = page.getByRole('button', { name: 'Review the withdrawal' });
  await tabTo(page, review);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Review' })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Back' }));
  await page.keyboard.press('Enter');
  await expect(review).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Withdraw $2.50 USDC' }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await expect
    .poll(() => trader.usdcMicrosOf(trader.address), { timeout: 30_000 })
    .toBe(2_500_000n);
});

test('connecting, a key and signing out by keyboard alone', async ({ trader, page }) => {
  await page.goto('/developers/keys');
  const connect = page.getByRole('main').getByRole('button', { name: 'Connect a wallet' });
  await expect(connect).toBeEnabled();
  await tabTo(page, connect);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(connect).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: /Demo wallet 1/ }));
  await page.keyboard.press('Enter');
  const signIn = page.getByRole('button', { name: 'Sign in with your wallet' });
  await expect(signIn).toBeVisible();
  await tabTo(page, signIn);
  await page.keyboard.press('Enter');
  const newKey = page.getByRole('button', { name: 'New API key' });
  await expect(newKey).toBeVisible();
  await tabTo(page, newKey);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('secret')).toBeVisible();
  await expect(newKey).toBeFocused();

  await page.goto('/account');
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true }).first();
  await expect(signOut).toBeVisible();
  await tabTo(page, signOut);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(trader.page.getByRole('button', { name: 'Sign out', exact: true })).toHaveCount(0);
});
