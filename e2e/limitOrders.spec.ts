import type { Locator, Page } from 'playwright/test';
import { fillRestingOrder } from '#sandbox/testing/exchangeControl.ts';
import { readOrder, restingAttemptOf } from './database.ts';
import { sandbox } from './sandbox.ts';
import { expect, type Trader, test } from './trader.ts';

/** A price that waits behind the best bid. */
const DEEP_CENTS = 5;

/** Switches the ticket to a limit order and enters it; the button places it next. */
async function enterLimit(trader: Trader, cents: number, contracts: string): Promise<void> {
  const { page } = trader;
  await page.getByRole('group', { name: 'Order type' }).getByText('Limit').click();
  await page.getByRole('textbox', { name: 'Limit price' }).fill(`${cents}`);
  await trader.enterContracts(contracts);
}

async function placeLimit(trader: Trader): Promise<string> {
  await trader.expectStep('place');
  await trader.button.click();
  await expect(trader.placed).toContainText('Resting at');
  return (await trader.placed.getAttribute('data-order')) ?? '';
}

/** Closes the ticket, which covers the page of a phone. */
async function showPage(page: Page): Promise<void> {
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
  if (await close.isVisible()) await close.click();
}

async function fillAtExchange(id: string, contracts: string): Promise<void> {
  await fillRestingOrder(sandbox(), { clientOrderId: await restingAttemptOf(id) }, contracts);
}

test('a bid rests in the book, fills in part, is amended and cancelled; what was filled is held', {
  tag: '@phone-long',
}, async ({ trader, page }) => {
  await trader.arrive();
  const market = await trader.takeMarket();
  const price = Math.floor(market.yesBid) - DEEP_CENTS;
  const cashBefore = await trader.cashMicros();
  await trader.openMarket(market.ticker);
  await enterLimit(trader, price, '40');
  await expect(page.getByTestId('limit-outlook')).toContainText(`Your order rests at ${price}¢`);
  const id = await placeLimit(trader);
  await showPage(page);

  // The book marks it, and the market lists it.
  const open = page.getByRole('region', { name: 'Open orders' }).getByRole('listitem');
  await expect(open).toContainText('Buy 40 Yes');
  await expect(open).toContainText('0 of 40 filled');
  const book = page.getByRole('table', { name: /Asks and bids for Yes/ });
  const own = book.getByRole('row').and(page.locator('[data-own="40"]'));
  await expect(own).toContainText(`Bid ${price}¢`);

  await fillAtExchange(id, '12');
  await expect(open).toContainText('12 of 40 filled');
  await expect(open).toContainText('28 left');

  await open.getByRole('button', { name: /^Amend/ }).click();
  const newPrice = open.getByRole('textbox', { name: 'New price' });
  await newPrice.press('ArrowDown');
  // One tick of the market, which may be a tenth of a cent.
  const amended = await newPrice.inputValue();
  expect(Number(amended)).toBeLessThan(price);
  await open.getByRole('textbox', { name: /^Contracts/ }).fill('30');
  await open.getByRole('button', { name: 'Save' }).click();
  await expect(open).toContainText('12 of 30 filled');
  await expect(open).toContainText(`at ${amended}¢`);

  await open.getByRole('button', { name: /^Cancel/ }).click();
  await expect.poll(async () => (await readOrder(id)).status).toBe('completed');
  await expect(open).toHaveCount(0);

  // Exact to the micro-unit: 12 contracts at their price and fee, the rest of the lock is back.
  const row = await readOrder(id);
  expect(row.filledContractMicros).toBe(12_000_000n);
  expect(row.returnedUsdcMicros).toBe(row.quoteLimitUsdcMicros - row.quoteUsdcMicros);
  expect(row.quoteUsdcMicros).toBeGreaterThanOrEqual(12n * BigInt(price) * 10_000n);
  expect(await trader.cashMicros()).toBe(cashBefore - row.quoteUsdcMicros);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(12_000_000n);

  await page.goto(`/orders/${id}`);
  await expect(page.getByTestId('order-status')).toHaveText('Partially filled');
  await expect(page.getByRole('table', { name: 'Fills' }).getByRole('row')).toContainText([
    'Contracts',
    '12',
  ]);
  expect(await trader.receiptMicros('Paid')).toBe(row.quoteUsdcMicros);
  expect(await trader.receiptMicros('Contracts bought')).toBe(12_000_000n);
});

test('a bid amended beyond its lock is replaced, and its page and the activity say so', {
  tag: ['@phone-long', '@long'],
}, async ({ trader, page }) => {
  const market = await trader.takeMarket();
  const price = Math.floor(market.yesBid) - DEEP_CENTS;
  await trader.openMarket(market.ticker);
  // The permission names a key of this browser, which signs what takes the order's place.
  await trader.getReady();
  await enterLimit(trader, price, '40');
  const id = await placeLimit(trader);
  await showPage(page);
  await fillAtExchange(id, '12');
  const open = page.getByRole('region', { name: 'Open orders' }).getByRole('listitem');
  await expect(open).toContainText('12 of 40 filled');

  const raise = async (order: Locator, cents: number) => {
    await order.getByRole('button', { name: /^Amend/ }).click();
    await order.getByRole('textbox', { name: 'New price' }).fill(`${cents}`);
    await expect(order).toContainText('This needs more than the order has locked.');
    await order.getByRole('button', { name: 'Replace' }).click();
    await expect(order).toContainText(`at ${cents}¢`);
    await expect(order).toContainText('0 of 28 filled');
  };
  await raise(open.first(), price + 1);
  await page.goto(`/orders/${id}`);
  await expect(page.getByText('12 of 40 contracts were filled before.')).toBeVisible();
  await page.getByRole('link', { name: 'Open the new order' }).click();
  await expect(page.getByTestId('order-status')).toHaveText(`Resting at ${price + 1}¢`);
  await page.goto('/portfolio?show=open');
  await raise(page.getByTestId('open-order').first(), price + 2);

  await page.goto('/activity');
  const row = (words: string) => page.getByRole('row').filter({ hasText: words });
  await expect(row('Buy 28 Yes').filter({ hasText: 'Replaced' })).toHaveCount(1);
  await expect(row('Buy 28 Yes').filter({ hasText: `Resting at ${price + 2}¢` })).toHaveCount(1);
  await expect(row('Bought 12 Yes')).toHaveCount(1);
});

test('a price pressed in the book is the limit price of the ticket', {
  tag: '@phone-long',
}, async ({ trader, page }) => {
  await trader.arrive();
  const market = await trader.findMarket(5);
  await page.goto(`/markets/${market.ticker}`);
  const book = page.getByRole('table', { name: /Asks and bids for Yes/ });
  const level = book.getByRole('button', { name: /^Bid/ }).nth(2);
  const cents = /(\d+(\.\d+)?)¢/.exec((await level.textContent()) ?? '')?.[1] ?? '';
  await expect(async () => {
    await level.click();
    const field = page.getByRole('textbox', { name: 'Limit price' });
    await expect(field).toHaveValue(cents, { timeout: 2_000 });
  }).toPass();
  await trader.enterContracts('10');
  await expect(page.getByTestId('limit-outlook')).toContainText(`rests at ${cents}¢`);
});

test('orders of several terms: post-only rests till a date, fill or kill takes all at once, all are cancelled together', {
  tag: '@long',
}, async ({ trader, page }) => {
  // Three orders one after the other, each waits for the chain.
  await trader.arrive();
  const market = await trader.takeMarket();
  const price = Math.floor(market.yesBid) - DEEP_CENTS;
  const cashBefore = await trader.cashMicros();
  await trader.openMarket(market.ticker);
  await enterLimit(trader, price, '10');
  await page.getByText('Good till cancelled', { exact: false }).first().click();
  await page.getByLabel('Time in force').selectOption('GTD');
  await page.getByRole('switch', { name: /^Post-only/ }).check();
  const first = await placeLimit(trader);
  await enterLimit(trader, price - 1, '10');
  // The ticket keeps its options.
  await page.getByLabel('Time in force').selectOption('GTC');
  await trader.expectStep('place');
  await trader.button.click();
  await expect(trader.placed).not.toHaveAttribute('data-order', first);
  await expect(trader.placed).toContainText('Resting at');
  const open = page.getByRole('region', { name: 'Open orders' });
  await expect(open.getByRole('listitem')).toHaveCount(2);
  const tillDate = open.getByRole('listitem').filter({ hasText: 'Until' });
  await expect(tillDate).toContainText('Post-only');

  await enterLimit(trader, price, '10');
  await page.getByLabel('Time in force').selectOption('FOK');
  await expect(page.getByTestId('limit-outlook')).toContainText('nothing would be filled');
  await trader.expectStep('blocked');
  await page.getByRole('textbox', { name: 'Limit price' }).fill('97');
  await expect(page.getByTestId('limit-outlook')).toContainText('Fills now');
  await trader.expectStep('place');
  await trader.button.click();
  await expect(trader.placed).toHaveAttribute('data-status', 'completed');
  const whole = await readOrder((await trader.placed.getAttribute('data-order')) ?? '');
  expect(whole.filledContractMicros).toBe(10_000_000n);

  await page.goto('/portfolio?show=open');
  await page.getByRole('button', { name: 'Cancel all' }).click();
  await page.getByRole('button', { name: 'Confirm: cancel 2 orders' }).click();
  await expect(page.getByText('No open orders')).toBeVisible();
  await expect.poll(() => trader.cashMicros()).toBe(cashBefore - whole.quoteUsdcMicros);
});

test('a bid that the own wallet signs rests, and its fill ends on chain', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await trader.arrive();
  const market = await trader.takeMarket();
  const cashBefore = await trader.cashMicros();
  await trader.openMarket(market.ticker);
  await enterLimit(trader, Math.floor(market.yesBid) - DEEP_CENTS, '20');
  await page.getByText('Good till cancelled').first().click();
  await page.getByText('Sign it myself').click();
  await trader.expectStep('prepareCalls');
  await trader.button.click();
  await trader.expectStep('signCalls');
  await expect(page.getByRole('region', { name: 'What you sign' })).toContainText('20');
  await trader.button.click();
  await expect(trader.placed).toContainText('Resting at');
  const id = (await trader.placed.getAttribute('data-order')) ?? '';
  await fillAtExchange(id, '20');
  await expect(trader.placed).toHaveAttribute('data-status', 'completed');

  const row = await readOrder(id);
  expect(row).toMatchObject({ kind: 'calldata', filledContractMicros: 20_000_000n });
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(20_000_000n);
  expect(await trader.cashMicros()).toBe(cashBefore - row.quoteUsdcMicros);
});
