import type { Locator } from 'playwright/test';
import { expect, test } from './trader.ts';

/** A message after a press is fully visible above the button, behind which the ticket scrolls. */
async function expectAbove(words: Locator, button: Locator): Promise<void> {
  const [said, pressed] = await Promise.all([words.boundingBox(), button.boundingBox()]);
  expect(said?.y).toBeGreaterThanOrEqual(0);
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(pressed?.y ?? 0);
}

test('a worse price is used only after it is accepted', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(27);
  await trader.arrive();
  const cashBefore = await trader.cashMicros();
  await trader.fillTicket(market.ticker, '2');
  const shown = await trader.button.textContent();
  // From now on the page gets prices only when the button is pressed.
  await page.route(/\/quote\?/, async (route) => {
    const isPressed = (await trader.button.getAttribute('data-reason')) === 'busy';
    await (isPressed ? route.continue() : route.abort());
  });
  const worse = Math.min(market.yesAsk + 8, 97);
  await trader.movePrice(market.ticker, worse);
  await trader.button.click();
  await trader.expectStep('acceptPrice');
  const moved = page.getByRole('alert').filter({ hasText: 'The price has moved' });
  await expect(moved).toContainText(/You pay \$[\d.]+ instead of \$[\d.]+\. No order was placed/);
  await expectAbove(moved, trader.button);
  expect(await trader.cashMicros()).toBe(cashBefore);
  expect(await trader.button.textContent()).not.toBe(shown);
  await trader.button.click();
  await trader.openPlaced();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const row = await trader.followToEnd();
  expect(row.quoteUsdcMicros).toBeLessThanOrEqual(row.quoteLimitUsdcMicros);
  expect(await trader.cashMicros()).toBe(cashBefore - row.quoteUsdcMicros);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);
});

test('an accepted worse price continues to self-signing', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(31);
  await trader.arrive();
  await trader.openMarket(market.ticker);
  await trader.enterContracts('2');
  await trader.signMyself();
  await page.route(/\/quote\?/, async (route) => {
    const isPressed = (await trader.button.getAttribute('data-reason')) === 'busy';
    await (isPressed ? route.continue() : route.abort());
  });
  await trader.movePrice(market.ticker, Math.min(market.yesAsk + 8, 97));
  await trader.button.click();
  await trader.expectStep('acceptPrice');
  await expect(async () => {
    // The price may have become worse again.
    if ((await trader.button.getAttribute('data-reason')) === 'acceptPrice') {
      await trader.button.click({ timeout: 1_000 });
    }
    await expect(trader.button).toHaveAttribute('data-reason', 'signCalls', { timeout: 3_000 });
  }).toPass();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await trader.button.click();
  const row = await trader.followToEnd();
  expect(row.quoteUsdcMicros).toBeLessThanOrEqual(row.quoteLimitUsdcMicros);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);
});

test('an order whose response is lost says so and is placed once', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(36);
  await trader.arrive();
  await trader.fillTicket(market.ticker, '2');
  let isLost = true;
  await page.route(/\/v1\/order$/, async (route) => {
    if (!isLost) return route.continue();
    // The request arrives, but its response is lost.
    await route.fetch();
    return route.abort();
  });
  await trader.button.click();
  const received = page.getByRole('alert').filter({ hasText: 'it is not clear whether' });
  await expect(received).toContainText('Press again: it runs only once.');
  await expectAbove(received, trader.button);
  isLost = false;
  await trader.button.click();
  await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);
  const { orders } = await (await trader.newToken()).listOrders({ userAddress: trader.address });
  expect(orders).toHaveLength(1);
});

test('an emptied book removes the ticket’s price', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(34);
  await trader.arrive();
  const quote = await trader.api.getQuote(market.ticker, { side: 'yes', contracts: '2' });
  const nothing = { contracts: 0, fillable: false, costDollars: '0', feeDollars: '0' };
  const book = await trader.api.getOrderBook(market.ticker);
  const noOne = { yesBids: [], yesAsks: [], noBids: [], noAsks: [] };
  let isEmpty = false;
  const empty = (path: RegExp, json: object) =>
    page.route(path, (route) => (isEmpty ? route.fulfill({ json }) : route.continue()));
  await empty(/\/quote\?/, { ...quote, ...nothing, bestPriceDollars: null });
  await empty(/\/orderbook$/, { ...book, ...noOne });
  // The page polls without its live book, which the exchange does not empty.
  await page.routeWebSocket(/\/v1\/ws/, () => undefined);
  await trader.fillTicket(market.ticker, '2');
  isEmpty = true;
  await trader.expectStep('notFillable');
  await expect(page.getByText('No sellers right now')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Price' })).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Contracts' })).toHaveValue('2');
  const ladder = page.getByRole('table', { name: /Asks and bids/, includeHidden: true });
  await expect(ladder).toContainText('No asks');
  await expect(ladder).toContainText('No bids');
  isEmpty = false;
  await trader.expectStep('place');
});

test('a price that cannot be refreshed stays visible with its age', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(35);
  await trader.arrive();
  await trader.fillTicket(market.ticker, '2');
  const figures = page.getByRole('region', { name: 'Price' });
  const paid = await figures.locator('div', { hasText: 'You pay' }).locator('dd').textContent();
  let lost = 0;
  await page.route(/\/quote\?/, async (route) => {
    lost += 1;
    await route.abort();
  });
  await expect.poll(() => lost).toBeGreaterThan(1);
  await expect(figures).toContainText('You pay');
  expect(await figures.locator('div', { hasText: 'You pay' }).locator('dd').textContent()).toBe(
    paid,
  );
  await expect(figures).toContainText(/Price \d+ s old/);
  await trader.expectStep('place');
  // No order is placed at an unconfirmed price.
  await trader.button.click();
  await expect(page.getByText('Check your connection and try again')).toBeVisible();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);
  // For another amount there is no price yet.
  await page.getByRole('textbox', { name: 'Contracts' }).fill('3');
  await trader.expectStep('quoteFailed');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await trader.button.click();
  await trader.expectStep('place');
});

test('the bottom bar of a market buys at the shown side', { tag: '@phone-only' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(32);
  const hold = Promise.withResolvers<void>();
  await page.route(/_next\/static\/.*\.js$/, async (route) => {
    await hold.promise;
    await route.continue();
  });
  await page.goto(`/markets/${market.ticker}`, { waitUntil: 'domcontentloaded' });
  const sheet = page.getByRole('dialog', { name: /^Trade ticket/ });
  const chosen = (name: RegExp) => expect(sheet.getByRole('radio', { name })).toBeChecked();
  // A press before hydration takes effect after it.
  await page.getByRole('button', { name: /^Buy No/ }).click();
  hold.resolve();
  await chosen(/^No/);
  await sheet.getByRole('textbox', { name: 'Amount' }).fill('7');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^Buy Yes/ }).click();
  await chosen(/^Yes/);
  await expect(sheet.getByRole('textbox', { name: 'Amount' })).toHaveValue('7');
  await sheet.getByText('Sell', { exact: true }).click();
  await sheet.getByText(/^No/).first().click();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^Buy Yes/ }).click();
  await chosen(/^Yes/);
  await chosen(/^Buy/);
});

test('entering a payout shows its cost', { tag: ['@phone', '@long'] }, async ({ trader, page }) => {
  const market = await trader.findMarket(29);
  await trader.arrive();
  await trader.openMarket(market.ticker);
  await page.getByRole('textbox', { name: 'Max payout' }).fill('12');
  await trader.expectStep('place');
  await expect(trader.button).toContainText('Buy Yes · 12 contracts · $');
  const cost = await page.getByRole('textbox', { name: 'Amount' }).inputValue();
  expect(Number(cost)).toBeGreaterThan(0);
  expect(Number(cost)).toBeLessThan(12);
  await page.getByRole('textbox', { name: 'Amount' }).fill('5');
  await trader.expectStep('place');
  const receives = page.getByRole('textbox', { name: 'Max payout' });
  expect(Number(await receives.inputValue())).toBeGreaterThan(5);
});
