import type { Locator } from 'playwright/test';
import { readOrder } from './database.ts';
import { expect, test } from './trader.ts';

/** A message after a press is fully visible above the button, behind which the ticket scrolls. */
async function expectAbove(words: Locator, button: Locator): Promise<void> {
  const [said, pressed] = await Promise.all([words.boundingBox(), button.boundingBox()]);
  expect(said?.y).toBeGreaterThanOrEqual(0);
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(pressed?.y ?? 0);
}

test('an owner cancels an order before the wallet sends it', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(26);
  await trader.arrive();
  const cashBefore = await trader.cashMicros();
  await trader.issueDirectly(market.ticker, '2');
  await page.goto('/activity');
  const entry = page.getByRole('row').filter({ hasText: 'Buy 2 Yes' });
  await expect(entry).toContainText('Waiting for your signature');
  await page.goto('/orders');
  await expect(page).toHaveTitle(/^\(1\) Orders · /);
  await page.getByRole('link', { name: /Buy 2 Yes/ }).click();
  await expect(page.getByTestId('order-status')).toHaveText('Waiting for your signature');
  await expect(page).toHaveTitle(/^\(1\) .+ · Buy 2 Yes · Crossbook$/);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByTestId('order-status')).toHaveText('Cancelled');
  await expect(page.getByText('No funds moved')).toBeVisible();
  await expect(page).toHaveTitle(/^[^(].+ · Buy 2 Yes · Crossbook$/);
  expect(await trader.cashMicros()).toBe(cashBefore);
  await page.goto('/activity');
  await expect(entry).toContainText('Cancelled');
});

test('leaving the review cancels an unsigned order', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
  isMobile,
}) => {
  const market = await trader.findMarket(37);
  await trader.arrive();
  const elsewhere = await trader.newToken();
  const cashBefore = await trader.cashMicros();
  const open = async () => {
    const { orders } = await elsewhere.listOrders({ userAddress: trader.address });
    return orders.filter((order) => !order.isComplete).length;
  };
  const underWay = page.getByRole('link', { name: /in progress/ });
  const review = async () => {
    await trader.expectStep('prepareCalls');
    await trader.button.click();
    await trader.expectStep('signCalls');
    await expect.poll(open).toBe(1);
  };
  const expectNone = async () => {
    await expect.poll(open).toBe(0);
    await expect(underWay).toHaveCount(0);
    await expect(page.getByRole('status', { name: 'Your orders' }).getByRole('link')).toHaveCount(
      0,
    );
  };
  await trader.prepareOwnSigning(market.ticker, '2');
  // Another amount is another order.
  await page.getByRole('textbox', { name: 'Contracts' }).fill('3');
  await expectNone();
  await review();
  // A rejected request has sent nothing.
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
  });
  await trader.button.click();
  await expect(page.getByText('You rejected the request in your wallet')).toBeVisible();
  if (isMobile) {
    await page.getByRole('button', { name: 'Close' }).click();
    await expectNone();
    await trader.showTicket();
  } else {
    await page.getByRole('link', { name: 'Portfolio' }).first().click();
    await expect(page).toHaveURL('/portfolio');
    await expectNone();
    await trader.openMarket(market.ticker);
    await trader.enterContracts('3');
  }
  await review();
  await page.goto('/orders');
  await expectNone();
  const rows = page.getByRole('row', { name: /Buy [23] Yes/ });
  await expect(rows).toHaveCount(3);
  for (const row of await rows.all()) await expect(row).toContainText('Cancelled');
  await rows.first().click();
  await expect(page.getByText('You cancelled before the order reached the chain')).toBeVisible();
  expect(await trader.cashMicros()).toBe(cashBefore);
});

test('leaving after the wallet was asked does not cancel the order', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(38);
  await trader.arrive();
  await trader.prepareOwnSigning(market.ticker, '2');
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.ignoreNext = true;
  });
  await trader.button.click();
  const askedToSend = () =>
    page.evaluate(() => window.crossbookDemoWallet?.asked?.eth_sendTransaction ?? 0);
  await expect.poll(askedToSend).toBe(1);
  await page.goto('/orders');
  await page.getByRole('link', { name: /Buy 2 Yes/ }).click();
  await expect(page.getByTestId('order-status')).toHaveText('Waiting for your signature');
  expect(await readOrder(trader.orderId())).toMatchObject({
    status: 'pending',
    isCancelled: false,
  });
});

test('an order cancelled elsewhere is not sent to the wallet', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(37);
  await trader.arrive();
  await trader.prepareOwnSigning(market.ticker, '2');
  const elsewhere = await trader.newToken();
  const { orders } = await elsewhere.listOrders({ userAddress: trader.address });
  const [order] = orders;
  await elsewhere.cancelOrder(order?.id ?? '');
  await expect.poll(async () => (await elsewhere.getOrder(order?.id ?? '')).isComplete).toBe(true);
  await trader.button.click();
  await expect(page.getByText('This order has expired')).toBeVisible();
  const asked = await page.evaluate(() => window.crossbookDemoWallet?.asked ?? {});
  expect(asked.eth_sendTransaction).toBeUndefined();
  await trader.expectStep('prepareCalls');
  await trader.button.click();
  await trader.expectStep('signCalls');
  await trader.button.click();
  await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);
});

test('a failed order links back to its ticket', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(37);
  await trader.arrive();
  const { intent } = await trader.issueDirectly(market.ticker, '2');
  await (await trader.newToken()).cancelOrder(intent.id);
  await page.goto(`/orders/${intent.id}`);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page).toHaveURL(new RegExp(`/markets/${market.ticker}\\?side=yes&action=buy$`));
});

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
  await page.getByText('No network fee').click();
  await page.getByText('Sign it myself').click();
  await trader.expectStep('prepareCalls');
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
  // The live book, which nobody empties, stays out of it: without it the page polls.
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

test('the orders CSV contains the filtered list', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(33);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '1');
  await page.goto('/orders?type=order&status=completed');
  const asked = page.waitForRequest(/\/exports\/orders\.csv/);
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const query = new URL((await asked).url()).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({ type: 'order', status: 'completed' });
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

test('order notifications appear on every page', { tag: '@phone-long' }, async ({
  trader,
  page,
  isMobile,
}) => {
  const market = await trader.findMarket(28);
  await trader.arrive();
  await page.goto('/portfolio');
  await expect(page.getByText('No positions')).toBeVisible();
  await trader.buyDirectly(market.ticker, '3');
  const toast = page.getByRole('status', { name: 'Your orders' });
  await expect(toast).toContainText('Buy 3 Yes');
  await expect(toast).toContainText('Completed');
  const box = await toast.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  // Below the header on a phone, in the lower corner of a desktop's window.
  expect(box?.y).toBeGreaterThan(isMobile ? 60 : height / 2);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
  // The result is visible without another press.
  await expect(page.getByRole('row', { name: /Yes/ })).toContainText('3');
  await toast.getByRole('link').click();
  await expect(page.getByTestId('order-status')).toHaveText('Completed');
  await expect(toast.getByRole('link')).toHaveCount(0);
});

test('orders and activity show amounts, prices and status', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
  isMobile,
}) => {
  const market = await trader.findMarket(44);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '3');
  await trader.issueDirectly(market.ticker, '2');
  const { orders } = await (await trader.newToken()).listOrders({ userAddress: trader.address });
  const filled = orders.find(({ status }) => status === 'completed');
  const price = (Number(filled?.quoteAmount) - Number(filled?.feeQuoteAmount)) / 3;
  await page.goto('/orders');
  const row = (name: RegExp) => page.getByRole('row', { name });
  const bought = row(/Buy 3 Yes/);
  await expect(bought).toContainText('Completed');
  await expect(bought).toContainText(`$${Number(filled?.quoteAmount).toFixed(2)}`);
  await expect(bought).toContainText(`${Math.round(price * 1_000) / 10}¢`);
  await expect(row(/Buy 2 Yes/)).toContainText('at most $2.00');
  if (!isMobile) {
    const heads = ['Market', 'Type', 'Contracts', 'Avg price', 'Total', 'Status', 'Time'];
    await expect(page.getByRole('columnheader')).toHaveText(heads);
  }
  // The whole row is a link, not only its text.
  await bought.click({ position: { x: 5, y: 5 } });
  await page.waitForURL(`/orders/${filled?.id}`);
  // Each outcome has its own title, and so has each kind of order.
  await expect(page).toHaveTitle(/^.+ · Buy 3 Yes · Crossbook$/);
  await page.goto('/activity');
  await expect(row(/Buy 2 Yes/)).toContainText('Waiting for your signature');
  await page.locator('summary', { hasText: 'Status' }).click();
  await page.getByRole('link', { name: 'In progress', exact: true }).click();
  await expect(page).toHaveURL('/activity?status=under_way');
  await expect(row(/Bought 3 Yes/)).toHaveCount(0);
  await expect(row(/Buy 2 Yes/)).toBeVisible();
  await page.goto('/activity?status=failed');
  await expect(page.getByText('No matching activity')).toBeVisible();
});

test('a receipt can be shared as text or picture and printed', {
  tag: ['@phone', '@long'],
}, async ({ trader, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const market = await trader.findMarket(28);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '3');
  await page.goto('/orders');
  await page.getByRole('link', { name: /Buy 3 Yes/ }).click();
  await page.getByRole('button', { name: 'Share receipt' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const row = await readOrder(trader.orderId());
  expect(text).toContain('Buy 3 Yes');
  expect(text).toContain('Contracts bought: 3');
  expect(text).toContain(`Paid: $${(Number(row.quoteUsdcMicros) / 1_000_000).toFixed(2)}`);
  expect(text).toContain(`Crossbook order: ${trader.orderId()}`);
  await page.getByRole('button', { name: 'Share picture' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this position' });
  const picture = dialog.getByRole('img');
  await expect
    .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth))
    .toBe(1200);
  expect(await picture.getAttribute('src')).not.toContain('contracts=');
  await dialog.getByText('Show the number of contracts').click();
  await expect(picture).toHaveAttribute('src', /contracts=3$/);
  await dialog.getByText('Show return in percent').click();
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).pathname).toBe(`/share/${market.ticker}`);
  expect(new URL(link).search).toBe('?side=yes&contracts=3');
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', '');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('region', { name: 'Receipt' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
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

test('numbers follow the browser’s language', { tag: '@long' }, async ({ browser, trader }) => {
  const market = await trader.findMarket(30);
  await trader.arrive();
  const context = await browser.newContext({ locale: 'de-DE' });
  const page = await context.newPage();
  await page.goto(`/markets/${market.ticker}`);
  await page.getByRole('textbox', { name: 'Amount' }).fill('12,5');
  await expect(page.getByText(/^\$1[12],\d\d$/).first()).toBeVisible();
  await context.close();
});
