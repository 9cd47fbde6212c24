import type { Page } from 'playwright/test';
import type { Market } from '#lib/api/schemas/market.ts';
import { parseMicros } from '#lib/money.ts';
import { expectTermsUncovered } from './permission.ts';
import { expect, type Trader, test } from './trader.ts';

declare global {
  interface Window {
    countPress?: () => void;
  }
}

/** On small and low screens too. */
async function expectReadableTerms(page: Page, isMobile: boolean): Promise<void> {
  const before = page.viewportSize();
  const sizes = isMobile
    ? [
        { width: 320, height: 568 },
        { width: 390, height: 844 },
        { width: 844, height: 390 },
      ]
    : [
        { width: 1280, height: 480 },
        { width: 1440, height: 900 },
      ];
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expectTermsUncovered(page);
  }
  if (before) await page.setViewportSize(before);
}

test('a newcomer trades $25 from the home page in a minute and ten presses, and holds it', {
  tag: '@phone',
}, async ({ trader, page, isMobile }) => {
  await trader.confirmPresses();
  let presses = 0;
  await page.exposeFunction('countPress', () => {
    presses += 1;
  });
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => window.countPress?.(), true);
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  const begun = Date.now();
  const even = page.locator('a[href*="side=yes"]').filter({ hasText: /Yes\s*[2-7]\d¢/ });
  await even.first().click();
  await page.waitForURL(/side=yes/);
  const ticker = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await trader.showTicket();
  await trader.connect();
  await trader.expectStep('signIn');
  await trader.button.click();
  await trader.expectStep('signGrant');
  await expectReadableTerms(page, isMobile);
  await trader.button.click();
  await trader.expectStep('getTestFunds');
  await trader.button.click();
  await trader.expectStep('enterAmount');
  const cashBefore = await trader.cashMicros();
  await page.getByRole('textbox', { name: 'Amount' }).fill('$25');
  await trader.expectStep('review');
  await expect(page.getByText('Never more than $25.00')).toBeVisible();
  await trader.button.click();
  await trader.expectStep('place');
  await expect(trader.button).toHaveText(/^Confirm: Buy Yes · \$2[45]\.\d\d$/);
  await trader.button.click();
  await trader.waitForPlaced();
  await expect(trader.placed).toHaveAttribute('data-status', 'completed');
  const seconds = (Date.now() - begun) / 1_000;
  expect(seconds).toBeLessThan(60);
  expect(presses).toBeLessThanOrEqual(10);
  await expect(trader.placed).toContainText(/Bought [\d.]+ Yes at [\d.]+¢/);

  // The ticket stays, ready for the next order; the market shows what is held.
  await trader.expectStep('enterAmount');
  expect(page.url()).not.toContain('/orders/');
  const row = await trader.followToEnd();
  expect(row).toMatchObject({ status: 'completed', kind: 'api' });
  // A hard cap to the micro-unit, spent as far as a step of contracts allows.
  expect(row.quoteLimitUsdcMicros).toBe(25_000_000n);
  expect(row.quoteUsdcMicros).toBeLessThanOrEqual(25_000_000n);
  expect(row.quoteUsdcMicros).toBeGreaterThan(24_000_000n);
  expect(await trader.cashMicros()).toBe(cashBefore - row.quoteUsdcMicros);
  expect(await trader.heldMicros(ticker, 'yes')).toBe(row.filledContractMicros);
  expect(row.accountId).toBe(await trader.smartAccount());
  expect(await trader.receiptMicros('Paid')).toBe(row.quoteUsdcMicros);
  expect(await trader.receiptMicros('Contracts bought')).toBe(row.filledContractMicros);

  await page.getByRole('link', { name: 'View', exact: true }).click();
  await expect(page.getByText('Succeeded')).toBeVisible();
  // Orders of others may be delivered in the same transaction.
  await expect(page.getByText('OrderFilled').first()).toBeVisible();

  await page.goto('/portfolio');
  await expect(page.getByRole('row', { name: /Yes/ })).toBeVisible();
  await trader.openMarket(ticker);
  await expect(page.getByRole('region', { name: 'My position' })).toContainText('You hold');
  await expect(page.getByRole('region', { name: 'Your history' })).toContainText('Buy Yes');
});

test('dollars are never exceeded: on a thin book, while the price moves, and by Max, which spends all', {
  tag: '@long',
}, async ({ trader, page }) => {
  test.slow();
  const thin = await findThinMarket(trader);
  const deep = await trader.findMarket(24);
  await trader.arrive();
  // The account keeps what the permission allows in one order.
  await trader.fillWallet(9_000);
  const amount = page.getByRole('textbox', { name: 'Amount' });

  await trader.openMarket(thin.ticker);
  await page.getByRole('button', { name: 'Max', exact: true }).click();
  await expect(amount).toHaveValue('1000');
  await expect(page.getByText(/Only \$[\d.]+ can be filled right now/)).toBeVisible();
  const partial = await spend(1_000_000_000n);
  expect(partial).toBeLessThan(1_000_000_000n);

  // The price rises by a cent between the press and the order.
  await trader.movePrice(deep.ticker, 60);
  await trader.openMarket(deep.ticker);
  await amount.fill('25');
  await trader.expectStep('place');
  await page.route(
    '**/v1/order',
    async (route) => {
      await trader.movePrice(deep.ticker, 61);
      await route.continue();
    },
    { times: 1 },
  );
  expect(await spend(25_000_000n)).toBeGreaterThan(24_000_000n);

  await trader.openMarket(deep.ticker);
  await page.getByRole('button', { name: 'Max', exact: true }).click();
  const left = 1_000_000_000n - partial - 25_000_000n;
  expect(await spend(await trader.cashMicros())).toBeGreaterThan((left * 99n) / 100n);

  /** Places what is typed; returns what it cost, which the chain confirms. */
  async function spend(mostUsdcMicros: bigint): Promise<bigint> {
    const cashBefore = await trader.cashMicros();
    await trader.expectStep('place');
    await trader.button.click();
    const { status, quoteUsdcMicros } = await trader.followToEnd();
    expect(status).toBe('completed');
    expect(quoteUsdcMicros).toBeLessThanOrEqual(mostUsdcMicros);
    expect(await trader.cashMicros()).toBe(cashBefore - quoteUsdcMicros);
    return quoteUsdcMicros;
  }
});

/** A market whose offers of Yes cost less than $900 together. */
async function findThinMarket({ api }: Trader): Promise<Market> {
  const { markets } = await api.listMarkets({ limit: 1_000, status: 'open' });
  const cheapest = markets
    .filter(({ yesAsk, yesBid, status }) => status === 'open' && yesAsk < 80 && yesBid > 5)
    .toSorted((a, b) => a.yesAsk * a.liquidity - b.yesAsk * b.liquidity);
  for (const market of cheapest.slice(0, 20)) {
    const trade = { side: 'yes', action: 'buy', contracts: '20000' } as const;
    const { fillable, costDollars } = await api.getQuote(market.ticker, trade);
    if (!fillable && parseMicros(costDollars) < 900_000_000n) return market;
  }
  throw new Error('The sandbox has no market with so few offers.');
}

test('a ticket of a scalar market speaks of payouts, not of a win', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const [market] = await trader.findScalars();
  if (!market) throw new Error('The sandbox has no scalar market to trade in.');
  await trader.arrive();
  // Its own price may be close to a dollar.
  await trader.movePrice(market.ticker, 50);
  await trader.openMarket(market.ticker);
  const ticket = page.getByRole('dialog', { name: /^Trade ticket/ });
  await page.getByRole('textbox', { name: 'Amount' }).fill('10');
  await trader.expectStep('place');
  await expect(ticket.getByText('Expected payout')).toBeVisible();
  await expect(ticket.getByText('Breakeven payout')).toBeVisible();
  await expect(ticket.getByText(/Profit if|Max payout|chance/i)).toHaveCount(0);
  await expect(page.getByRole('banner').locator('..')).not.toContainText('chance of Yes');
  await trader.button.click();
  const row = await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(row.filledContractMicros);
  expect(row.quoteUsdcMicros).toBeLessThanOrEqual(10_000_000n);
});

test('an owner signs the order themselves', { tag: '@phone-long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(1);
  await trader.arrive();
  await trader.openMarket(market.ticker);
  const cashBefore = await trader.cashMicros();
  await trader.enterContracts('5');
  await trader.signMyself();
  await trader.button.click();

  const calls = page.getByRole('region', { name: 'What you sign' });
  await expect(calls).toContainText('Create your smart account');
  await expect(calls).toContainText('Allow the Crossbook vault to spend');
  await expect(calls).toContainText('Order 5 Yes contracts for at most');
  await trader.expectStep('signCalls');
  await trader.button.click();
  const row = await trader.followToEnd();

  expect(row).toMatchObject({ status: 'completed', kind: 'calldata' });
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(5_000_000n);
  expect(await trader.cashMicros()).toBe(cashBefore - row.quoteUsdcMicros);
  expect(row.quoteUsdcMicros).toBeLessThanOrEqual(row.quoteLimitUsdcMicros);
});

test('a holder sells a part, then the rest, and sees the P&L', async ({ trader, page }) => {
  const market = await trader.findMarket(2);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '8');
  const cashBetween = await trader.cashMicros();

  await page.goto('/portfolio');
  await page.getByRole('link', { name: /^Sell Yes/ }).click();
  await trader.showTicket();
  await page.getByRole('textbox', { name: 'Contracts' }).fill('3');
  await trader.expectStep('place');
  await trader.button.click();
  const row = await trader.followToEnd();

  expect(row).toMatchObject({ status: 'completed', filledContractMicros: 3_000_000n });
  expect(row.quoteUsdcMicros).toBeGreaterThanOrEqual(row.quoteLimitUsdcMicros);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(5_000_000n);
  expect(await trader.cashMicros()).toBe(cashBetween + row.quoteUsdcMicros);
  expect(await trader.receiptMicros('Received')).toBe(row.quoteUsdcMicros);

  // Only Yes is held: selling from No switches to it.
  await trader.openMarket(market.ticker, '?side=no');
  await expect(page.getByRole('region', { name: 'My position' })).toContainText('You hold 5');
  const ticket = page.getByRole('dialog', { name: /^Trade ticket/ });
  await ticket.getByText('Sell', { exact: true }).click();
  await expect(page.getByRole('radio', { name: /^Yes \d/ })).toBeChecked();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(page.getByText('P&L on this sale')).toBeVisible();
  await trader.expectStep('place');
  await trader.button.click();
  await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);
  const { positions } = await trader.api.listClosedPositions({ address: trader.address });
  expect(positions).toMatchObject([{ marketId: market.ticker, side: 'yes', contracts: '8' }]);
  const made = Number(positions[0]?.proceeds) - Number(positions[0]?.cost);
  expect(Number(positions[0]?.realizedPnL)).toBeCloseTo(made, 6);
  await page.goto('/portfolio?show=closed');
  await expect(page.getByRole('row').filter({ hasText: market.title })).toContainText('8');
});

test('a rejected signature changes nothing and can be retried', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(3);
  await trader.arrive();
  await trader.openMarket(market.ticker);
  const cashBefore = await trader.cashMicros();
  await trader.enterContracts('2');
  await trader.signMyself();
  await trader.button.click();
  await trader.expectStep('signCalls');
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
  });
  await trader.button.click();
  await expect(page.getByText('You rejected the request')).toBeVisible();
  expect(await trader.cashMicros()).toBe(cashBefore);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);

  await trader.expectStep('signCalls');
  await trader.button.click();
  const row = await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);
  expect(await trader.cashMicros()).toBe(cashBefore - row.quoteUsdcMicros);
});

test('an order pressed twice is placed once and survives a reload', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  const market = await trader.findMarket(4);
  await trader.arrive();
  await trader.openMarket(market.ticker);
  const cashBefore = await trader.cashMicros();
  await trader.enterContracts('4');
  await trader.expectStep('place');
  // Pressed twice, it is one order.
  await trader.button.dblclick();
  await trader.openPlaced();
  await page.reload();
  const row = await trader.followToEnd();

  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(4_000_000n);
  expect(await trader.cashMicros()).toBe(cashBefore - row.quoteUsdcMicros);
  await page.goto('/orders');
  await expect(page.getByRole('link', { name: /Buy 4 Yes/ })).toHaveCount(1);
  await expect(page.getByRole('row', { name: /Buy 4 Yes/ })).toContainText('Completed');
});

test('a wallet on another network is asked to switch', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await page.addInitScript(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.chainId = 1;
  });
  const market = await trader.findMarket(5);
  await trader.openMarket(market.ticker);
  await trader.connect();
  await trader.expectStep('wrongNetwork');
  await trader.button.click();
  await trader.expectStep('signIn');
});

test('an order above the limits is placed after signing higher limits', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  const market = await trader.findMarket(40);
  await trader.arrive();
  await trader.openMarket(market.ticker);
  // It costs about $1,300; the permission covers $1,000 per order.
  await trader.enterContracts(`${Math.ceil(130_000 / market.yesAsk)}`);
  await trader.expectStep('widenGrant');
  const choice = page.getByRole('region', { name: 'Trading permission' });
  await expect(async () => {
    const [words, footer] = await Promise.all([
      choice.boundingBox(),
      trader.button.locator('..').boundingBox(),
    ]);
    if (!words || !footer) throw new Error('The ticket does not ask for higher limits.');
    expect(words.y + words.height).toBeLessThanOrEqual(footer.y);
  }).toPass({ timeout: 5_000 });
  await trader.button.click();
  await expect(page.getByText('These limits are too low for this order')).toBeVisible();
  await choice.getByText('$10k', { exact: true }).click();
  await trader.button.click();
  await trader.expectStep('place');
  const { grant } = await trader.api.getAccount(trader.address);
  expect(grant).toMatchObject({ maxPerOrder: '10000', withdrawAnywhere: false });
});

test('a trader withdraws USDC to another address', async ({ trader, page }) => {
  await trader.arrive();
  const cashBefore = await trader.cashMicros();
  await page.goto('/withdraw');
  await page.getByRole('textbox', { name: 'Amount' }).fill('25.5');
  await page.getByRole('button', { name: 'My own wallet' }).click();
  await page.getByTestId('withdraw-button').click();
  await page.getByRole('button', { name: /^Withdraw \$25\.50/ }).click();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await expect(page.getByTestId('order-status')).toHaveAttribute('data-status', 'completed');
  expect(await trader.cashMicros()).toBe(cashBefore - 25_500_000n);
});

test('a holder withdraws contracts to a name', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(19);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '3');
  await page.goto('/withdraw');
  await page.getByRole('textbox', { name: 'Amount' }).fill('25');
  await page.getByRole('button', { name: /^Asset USDC/ }).click();
  await page
    .getByRole('region', { name: 'Assets' })
    .getByRole('button', { name: /^Yes ·/ })
    .click();
  await expect(page.getByRole('button', { name: /^Asset Yes ·/ })).toContainText('3 contracts');
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('');
  await page.getByRole('textbox', { name: 'Amount' }).fill('1.5');
  await page.getByRole('combobox', { name: 'To' }).fill('nobody-at-all.test');
  await expect(page.getByTestId('withdraw-button')).toBeDisabled();
  await page.getByRole('combobox', { name: 'To' }).fill('alice.test');
  await expect(page.getByRole('status').filter({ hasText: '0x' })).toBeVisible();
  await page.getByTestId('withdraw-button').click();
  const review = page.getByRole('region', { name: 'Review' });
  await expect(review).toContainText('alice.test');
  await expect(review).toContainText('You have not sent to this address');
  await review.getByRole('button', { name: /^Withdraw 1.5 contracts/ }).click();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await expect(page.getByTestId('order-status')).toHaveAttribute('data-status', 'completed');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Withdraw 1.5 Yes');
  await expect(page.getByRole('main')).toContainText(market.title);
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText(/Value now\$\d/);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(1_500_000n);
});
