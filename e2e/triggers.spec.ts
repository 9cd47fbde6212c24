import type { Page } from 'playwright/test';
import { readOrder } from './database.ts';
import { expect, expectHydrated, type Trader, test } from './trader.ts';

/** What waits for a price: alerts and stop orders. */

/** The price moves at the exchange; then the service sees it and confirms it there. */
const news = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
const panel = (page: Page) => page.getByRole('region', { name: 'Notifications', exact: true });

async function moveTo(trader: Trader, ticker: string, cents: number): Promise<void> {
  await trader.controlExchange('market', { ticker, priceDollars: (cents / 100).toFixed(2) });
}

/** A press before the ticket has hydrated is lost. */
async function chooseStop(page: Page, action: 'Buy' | 'Sell'): Promise<void> {
  await expect(async () => {
    await page.getByRole('radio', { name: action, exact: true }).check({ force: true });
    await page.getByRole('radio', { name: 'Stop', exact: true }).check({ force: true });
    await expect(page.getByRole('textbox', { name: 'Trigger price' })).toBeVisible();
  }).toPass();
}

/** Closes the ticket, which covers the page of a phone. */
async function showPage(page: Page): Promise<void> {
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
  if (await close.isVisible()) await close.click();
}

test('an alert is set on a market’s page, listed, and shown when the price is reached', {
  tag: ['@phone-long', '@long'],
}, async ({ trader, page }) => {
  await trader.signInDirectly();
  const market = await trader.takeMarket();
  await moveTo(trader, market.ticker, 50);
  await page.goto(`/markets/${market.ticker}`);
  await page.waitForFunction(() => localStorage.getItem('crossbook.readNews') !== null);
  const dialog = page.getByRole('dialog', { name: 'Price alert' });
  await expectHydrated(page);
  await page.getByRole('button', { name: 'Price alerts of this market' }).click();
  for (const cents of ['70', '95']) {
    await dialog.getByRole('textbox', { name: 'Price' }).fill(cents);
    await dialog.getByRole('button', { name: `Alert me at ${cents}¢` }).click();
    await expect(dialog.getByRole('status')).toContainText('Alert set');
  }
  const waiting = dialog.getByRole('list', { name: 'Price alerts' }).getByRole('listitem');
  await expect(waiting).toHaveText(['Yes bid at 95¢ or higher', 'Yes bid at 70¢ or higher']);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await moveTo(trader, market.ticker, 75);
  await expect(news(page)).toHaveAccessibleName('Notifications, 1 new');
  await news(page).click();
  await expect(panel(page).getByRole('listitem').first()).toContainText(/New: Yes bid rose to 7\d/);

  // The other one waits in the settings until it is deleted.
  await panel(page).getByText('Price alerts').click();
  await panel(page).getByRole('button', { name: 'Delete alert: Yes bid at 95¢ or higher' }).click();
  await expect(panel(page).getByText('Set price alerts with the bell')).toBeVisible();
});

test('a stop-loss from the ticket waits in the open orders and sells when the bid falls to it', {
  tag: '@phone-long',
}, async ({ trader, page }) => {
  await trader.arrive();
  const market = await trader.takeMarket();
  await moveTo(trader, market.ticker, 50);
  await trader.buyDirectly(market.ticker, '10');
  await trader.openMarket(market.ticker);
  await chooseStop(page, 'Sell');
  await trader.expectStep('enterTrigger');
  await page.getByRole('textbox', { name: 'Trigger price' }).fill('35');
  await trader.enterContracts('10');
  await page.getByRole('combobox', { name: 'Price protection' }).selectOption('10¢');
  await expect(page.getByTestId('limit-outlook')).toHaveText(
    'Waits for Yes bid at 35¢ or lower, then sells at the best price, at 25¢ or more.',
  );
  await trader.expectStep('place');
  await trader.button.click();
  await expect(trader.placed).toContainText('Waits for Yes bid at 35¢ or lower');
  const id = (await trader.placed.getAttribute('data-order')) ?? '';
  await showPage(page);
  const open = page.getByRole('region', { name: 'Open orders' }).getByRole('listitem');
  await expect(open).toContainText('Sell 10 Yes');
  await expect(open).toContainText('Waits for Yes bid at 35¢ or lower');
  expect((await readOrder(id)).status).toBe('validated');

  await moveTo(trader, market.ticker, 33);
  await expect.poll(async () => (await readOrder(id)).status).toBe('completed');
  await expect(open).toHaveCount(0);
  await page.goto(`/orders/${id}`);
  await expect(page.getByTestId('order-status')).toHaveText('Completed');
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await expect(receipt).toContainText('Trigger price35¢');
  await expect(receipt).toContainText('Triggered');
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);
});

test('a stop order is cancelled while it waits, and its funds are back', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await trader.arrive();
  const market = await trader.takeMarket();
  await moveTo(trader, market.ticker, 50);
  const cashBefore = await trader.cashMicros();
  await trader.openMarket(market.ticker);
  await chooseStop(page, 'Buy');
  await page.getByRole('textbox', { name: 'Trigger price' }).fill('80');
  await page.getByRole('radio', { name: 'Limit order' }).check({ force: true });
  await expect(page.getByRole('textbox', { name: 'Limit price' })).toHaveValue('85');
  await trader.enterContracts('10');
  await trader.expectStep('place');
  await trader.button.click();
  await expect(trader.placed).toContainText('Waits for Yes ask at 80¢ or higher');
  expect(await trader.cashMicros()).toBeLessThan(cashBefore);
  await trader.placed.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => trader.cashMicros()).toBe(cashBefore);
});
