import type { Page } from 'playwright/test';
import { expect, expectHydrated, test } from './trader.ts';

/** Opens a page whose scripts are held back until the returned function is called. */
async function openUnhydrated(page: Page, path: string): Promise<() => Promise<void>> {
  const hold = Promise.withResolvers<void>();
  await page.route(/_next\/static\/.*\.js$/, async (route) => {
    await hold.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  return async () => {
    hold.resolve();
    await expectHydrated(page);
  };
}

const wallets = (page: Page) => page.getByRole('dialog', { name: 'Connect wallet' });

test('Connect, pressed before hydration, opens the wallets', { tag: ['@phone', '@long'] }, async ({
  page,
}) => {
  for (const [path, name] of [
    ['/', 'Connect'],
    ['/portfolio', 'Connect wallet'],
  ] as const) {
    const hydrate = await openUnhydrated(page, path);
    await page.getByRole('button', { name, exact: true }).click();
    await hydrate();
    await expect(wallets(page)).toBeVisible();
    // The browser has not submitted the form.
    await expect(page).toHaveURL(path);
  }
});

test('a ticket accepts no input before hydration, and all of it right after', async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(12);
  const path = `/markets/${market.ticker}?from=link`;
  const hydrate = await openUnhydrated(page, path);
  const ticket = page.getByRole('dialog', { name: /^Trade ticket/ });
  const amount = ticket.getByRole('textbox', { name: 'Amount' });
  await expect(amount).toBeVisible();
  await amount.focus();
  await page.keyboard.type('7');
  await expect(amount).toHaveValue('');
  await hydrate();
  await amount.fill('20');
  await ticket.getByText(/^No/).first().click();
  await ticket.getByRole('button', { name: '+$20' }).click();
  await expect(amount).toHaveValue('40');
  await expect(ticket.getByText('Max payout')).toBeVisible();
  await trader.button.click();
  await expect(wallets(page)).toBeVisible();
  await expect(page).toHaveURL(path);
});

test('links work before hydration', { tag: ['@phone', '@long'] }, async ({ page }) => {
  const hydrate = await openUnhydrated(page, '/');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Buy Yes/ })
    .first()
    .click();
  await expect(page).toHaveURL(/side=yes/);
  await page.getByRole('link', { name: 'Orders' }).locator('visible=true').first().click();
  await expect(page).toHaveURL('/orders');
  await page.getByRole('link', { name: /^Search/ }).click();
  await expect(page).toHaveURL('/search');
  await hydrate();
});

test('Connect keeps the focus while the rest of the header loads', { tag: '@long' }, async ({
  page,
}) => {
  const hydrate = await openUnhydrated(page, '/');
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await connect.focus();
  await hydrate();
  await expect(connect).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(wallets(page)).toBeVisible();
});
