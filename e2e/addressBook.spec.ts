import type { Page } from 'playwright/test';
import { type Address, getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { groupedHex, shortHex } from '#lib/format/address.ts';
import { expect, test } from './trader.ts';

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address;

/** The withdrawal form, and the book that opens from it. */
function withdrawing(page: Page) {
  const book = page.getByRole('dialog', { name: 'Address book' });
  return {
    to: page.getByRole('combobox', { name: 'To' }),
    amount: page.getByRole('textbox', { name: 'Amount' }),
    review: page.getByRole('region', { name: 'Review' }),
    book,
    row: (name: string) => book.getByRole('listitem').filter({ hasText: name }),
    openBook: () => page.getByRole('button', { name: 'Address book' }).click(),
    save: async (name: string) => {
      await page.getByRole('button', { name: 'Save this address' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
    },
  };
}

/** The addresses stored in this browser before the test. */
async function knowBefore(page: Page, key: string, value: unknown): Promise<void> {
  await page.addInitScript(
    ([name, text]) => {
      if (localStorage.getItem('crossbook.e2e') !== null) return;
      localStorage.setItem('crossbook.e2e', 'known');
      localStorage.setItem(name ?? '', text ?? '');
    },
    [key, JSON.stringify(value)],
  );
}

test('a saved address shows its last use after a withdrawal', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
}) => {
  const anna: Address = newAddress();
  const name = 'Anna <b>& Ben</b>';
  await trader.arrive();
  const cashBefore = await trader.cashMicros();
  await page.goto('/withdraw');
  const { to, amount, review, openBook, row, save } = withdrawing(page);
  await amount.fill('12.345678');
  await to.fill(anna.toLowerCase());
  await save(name);
  await expect(to).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: name })).toBeVisible();

  await to.fill('');
  await openBook();
  await expect(row(name)).toContainText('never used');
  await row(name)
    .getByRole('button', { name: shortHex(anna.toLowerCase()) })
    .click();
  await expect(to).toBeFocused();
  // With its checksum once it has come from the account.
  await expect(to).toHaveValue(new RegExp(anna, 'i'));
  await to.press('Enter');
  await expect(review).toContainText(name);
  await expect(review).toContainText(groupedHex(anna), { ignoreCase: true });
  await expect(review).toContainText('You have not sent to this address');
  await expect(review.getByRole('button', { name: /^Compare address/ })).toBeDisabled();
  await review.getByRole('button', { name: /^Withdraw \$12\.34/ }).click();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await expect(page.getByTestId('order-status')).toHaveAttribute('data-status', 'completed');
  expect(await trader.usdcMicrosOf(anna)).toBe(12_345_678n);
  expect(await trader.cashMicros()).toBe(cashBefore - 12_345_678n);

  await page.goto('/withdraw');
  await openBook();
  await expect(row(name)).toContainText(/used .*\d\d:\d\d/);
  await page.keyboard.press('Escape');
  await amount.fill('1');
  await to.fill(name.toUpperCase());
  await expect(page.getByRole('status').filter({ hasText: name })).toContainText(groupedHex(anna), {
    ignoreCase: true,
  });
  await to.press('Enter');
  await expect(review).toContainText('You have sent to this address before');
  await expect(review.getByRole('button', { name: /^Withdraw \$1\.00/ })).toBeEnabled();
});

test('a known address can be named, renamed, removed and restored', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const [anna, ben] = [newAddress(), newAddress()];
  await knowBefore(page, 'crossbook.destinations', [anna, ben]);
  await trader.arrive();
  await page.goto('/withdraw');
  const { to, book, row, openBook, save } = withdrawing(page);
  await openBook();
  await expect(book.getByRole('list', { name: 'Recent' }).getByRole('listitem')).toHaveText([
    new RegExp(shortHex(anna)),
    new RegExp(shortHex(ben)),
  ]);
  await expect(row(shortHex(anna))).toContainText('used before');
  await book.getByRole('button', { name: `Name ${shortHex(anna)}` }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Anna');
  await page.keyboard.press('Enter');
  await expect(row('Anna').getByRole('button').first()).toBeFocused();
  await expect(book.getByRole('list', { name: 'Saved' })).toContainText(shortHex(anna));

  await book.getByRole('button', { name: `Name ${shortHex(ben)}` }).click();
  await page.keyboard.type('ANNA');
  await page.keyboard.press('Enter');
  await expect(book.getByRole('alert')).toContainText(groupedHex(anna));
  await page.getByRole('textbox', { name: 'Name' }).fill('Ben');
  await page.keyboard.press('Enter');
  await book.getByRole('button', { name: 'Rename Ben' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Benedikt');
  await page.keyboard.press('Enter');
  await expect(row('Benedikt')).toContainText('used before');

  await book.getByRole('button', { name: 'Remove Anna' }).click();
  await expect(page.getByRole('button', { name: 'Undo removal of Anna' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row('Anna').getByRole('button').first()).toBeFocused();
  await book.getByRole('button', { name: 'Remove Benedikt' }).click();
  await page.reload();
  await openBook();
  await expect(book.getByRole('listitem')).toHaveText([/Anna/]);
  await page.keyboard.press('Escape');

  // Saving the wrong one does not make it a known one.
  const wrong = getAddress(`${anna.slice(0, 6)}${'0'.repeat(32)}${anna.slice(-4)}`.toLowerCase());
  await to.fill(wrong);
  await save('Wrong');
  await expect(page.getByText('It starts and ends like Anna')).toBeVisible();
});

test('a corrupted address book is ignored', { tag: '@long' }, async ({ trader, page }) => {
  await knowBefore(page, 'crossbook.addressBook', [
    { address: newAddress(), name: 'Anna\u202e', sentAtMs: 1e300 },
  ]);
  await trader.arrive();
  await page.goto('/withdraw');
  const { openBook, book } = withdrawing(page);
  await openBook();
  await expect(book).toContainText('No saved addresses');
});
