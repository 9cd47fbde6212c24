import { readOrder } from './database.ts';
import { expect, test } from './trader.ts';

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
