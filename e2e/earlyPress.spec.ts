import type { Page } from 'playwright/test';
import { expect, expectLives, test } from './trader.ts';

/** Opens a page whose scripts come only when told. */
async function openWithoutLife(page: Page, path: string): Promise<() => Promise<void>> {
  const hold = Promise.withResolvers<void>();
  await page.route(/_next\/static\/.*\.js$/, async (route) => {
    await hold.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  return async () => {
    hold.resolve();
    await expectLives(page);
  };
}

const wallets = (page: Page) => page.getByRole('dialog', { name: 'Connect wallet' });

test('Connect, pressed before the page is interactive, opens the wallet dialog', {
  tag: '@phone',
}, async ({ page }) => {
  for (const [path, name] of [
    ['/', 'Connect'],
    ['/portfolio', 'Connect wallet'],
  ] as const) {
    const live = await openWithoutLife(page, path);
    await page.getByRole('button', { name, exact: true }).click();
    await live();
    await expect(wallets(page)).toBeVisible();
  }
});

test('choices made in a ticket before it is interactive apply exactly once', async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(12);
  const live = await openWithoutLife(page, `/markets/${market.ticker}?from=link`);
  const ticket = page.getByRole('dialog', { name: /^Trade ticket/ });
  await ticket.getByText(/^No/).first().click();
  await ticket.getByRole('button', { name: '+$20' }).click();
  await ticket.getByRole('button', { name: '+$20' }).click();
  await ticket.getByRole('button', { name: '+$1', exact: true }).click();
  await live();
  await expect(ticket.getByRole('textbox', { name: 'Amount' })).toHaveValue('41');
  await expect(ticket.getByRole('radio', { name: /^No/ })).toBeChecked();
  await expect(ticket.getByText('Max payout')).toBeVisible();
});

test('the ticket button, pressed before it is interactive, acts', async ({ trader, page }) => {
  const market = await trader.findMarket(13);
  const path = `/markets/${market.ticker}?from=link`;
  const live = await openWithoutLife(page, path);
  await trader.button.click();
  await live();
  await expect(wallets(page)).toBeVisible();
  // The browser has not sent the form away.
  await expect(page).toHaveURL(path);
});

test('given max slippage chosen before the ticket is interactive, the ticket keeps it', async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(14);
  const live = await openWithoutLife(page, `/markets/${market.ticker}?from=link`);
  const ticket = page.getByRole('dialog', { name: /^Trade ticket/ });
  await ticket.locator('summary', { hasText: 'max slippage' }).click();
  const protection = ticket.getByRole('combobox', { name: 'Max slippage' });
  await protection.selectOption('5%');
  await live();
  await expect(ticket.getByText('max slippage 5%')).toBeVisible();
  await ticket.getByText(/^No/).first().click();
  await expect(protection).toHaveValue('500');
});

test('search shortcuts, pressed before the page is interactive, open the palette', async ({
  page,
}) => {
  for (const keys of ['/', 'Control+k']) {
    const live = await openWithoutLife(page, '/');
    await page.keyboard.press(keys);
    await live();
    await expect(page.getByRole('dialog', { name: 'Search and commands' })).toBeVisible();
  }
});

test('links work before the page is interactive', { tag: '@phone' }, async ({ page }) => {
  const live = await openWithoutLife(page, '/');
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
  await live();
});

test('the connect button stays in place while the header loads', async ({ page }) => {
  await page.goto('/');
  await expectLives(page);
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await connect.focus();
  // Its focus is a sign of somebody: what belongs to the visitor comes, and must not take it away.
  await expect(page.getByRole('status', { name: 'Your orders' })).toBeAttached();
  await expect(connect).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(wallets(page)).toBeVisible();
});
