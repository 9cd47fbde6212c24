import { expect, Trader, test } from './trader.ts';

/** The maximum time of the sandbox from a result to its payout. */
// Cards and the banner exist on both devices, the sheet only on the phone.
test('a holder redeems from the ticket of a settled market', {
  tag: ['@phone-only', '@long'],
}, async ({ trader, page }) => {
  const market = await trader.takeMarket();
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '5');
  const cashBefore = await trader.cashMicros();
  const eventPage = await trader.openTab();
  await eventPage.goto(`/events/${market.eventTicker}`);
  await trader.controlExchange('settle', { ticker: market.ticker, result: 'yes' });
  // The winner comes first on the open page of the event.
  const outcomes = eventPage.getByRole('listitem').filter({ hasText: 'traded' });
  await expect(outcomes.first()).toContainText('Resolved: Yes');
  await page.goto(`/markets/${market.ticker}?side=yes&action=sell`);
  await trader.showTicket();
  await expect(trader.button).toHaveAttribute('data-reason', 'redeem');
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways, 'the page scrolls sideways').toBe(0);
  await trader.button.click();
  const row = await trader.followToEnd();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Redeem 5 Yes');
  const steps = page.getByRole('list', { name: 'Progress' });
  await expect(steps).toContainText('Paid out on chain');
  await expect(steps).not.toContainText('Filled at the exchange');

  expect(row).toMatchObject({ status: 'completed', quoteUsdcMicros: 5_000_000n });
  expect(await trader.cashMicros()).toBe(cashBefore + 5_000_000n);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);
});

test('a holder redeems from their position on the market’s page', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  const market = await trader.takeMarket();
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '3', 'no');
  const cashBefore = await trader.cashMicros();
  await page.goto(`/markets/${market.ticker}`);
  const position = page.getByRole('region', { name: 'My position' });
  await expect(position).toContainText('You hold 3 No');
  await expect(position.getByRole('link', { name: /^Sell No ·/ })).toBeVisible();
  const eventPage = await trader.openTab();
  await eventPage.goto(`/events/${market.eventTicker}`);
  const outcome = eventPage.getByRole('listitem').filter({ hasText: 'You hold 3 No' });
  await expect(outcome).toBeVisible();
  const portfolioPage = await trader.openTab();
  await portfolioPage.goto('/portfolio');
  await expect(portfolioPage.getByRole('link', { name: /^Sell No ·/ })).toBeVisible();

  await trader.controlExchange('settle', { ticker: market.ticker, result: 'no' });
  // Every open page follows the result without a reload: position, timeline, ticket, event, portfolio.
  await expect(position).toContainText('payout $3.00');
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Resolved: No');
  const timeline = page.getByRole('list', { name: 'Market timeline' });
  await expect(timeline).toContainText('Resolved: No');
  await expect(timeline).toContainText('Paid out');
  await expect(page.locator('dialog.ticket-dialog')).toContainText('ResolvedNo');
  await expect(outcome).toContainText('Resolved: No');
  await expect(portfolioPage.getByRole('button', { name: /^Redeem No ·/ })).toBeVisible();
  await position.getByRole('button', { name: /^Redeem No ·/ }).click();
  const row = await trader.followToEnd();

  expect(row).toMatchObject({ status: 'completed', quoteUsdcMicros: 3_000_000n });
  expect(await trader.cashMicros()).toBe(cashBefore + 3_000_000n);
  expect(await trader.heldMicros(market.ticker, 'no')).toBe(0n);
});

test('a scalar result and a loss reach every open page; what is lost leaves the held positions', {
  tag: '@long',
}, async ({ trader, page }) => {
  const scalars = await trader.findScalars();
  const scalar = scalars.findLast(({ yesAsk, yesBid }) => yesAsk < 95 && yesBid > 5);
  if (!scalar) throw new Error('The sandbox has no scalar market to trade in.');
  const lost = await trader.takeMarket();
  await trader.arrive();
  await trader.buyDirectly(scalar.ticker, '4');
  await trader.buyDirectly(lost.ticker, '3', 'no');
  const cashBefore = await trader.cashMicros();
  await page.goto(`/markets/${scalar.ticker}`);
  const head = page.getByRole('heading', { level: 1 }).locator('..');
  const position = page.getByRole('region', { name: 'My position' });
  await expect(position).toContainText('You hold 4 Yes');
  const eventPage = await trader.openTab();
  await eventPage.goto(`/events/${scalar.eventTicker}`);
  const portfolioPage = await trader.openTab();
  await portfolioPage.goto('/portfolio');
  const rows = portfolioPage.getByRole('region', { name: 'Positions' }).getByRole('row');
  await expect(rows.filter({ hasText: 'No ·' })).toHaveCount(1);
  for (const open of [page, eventPage]) {
    await expect(open.getByRole('heading', { name: 'Expected payout over time' })).toBeVisible();
    await expect(open.getByText(/chance/i)).toHaveCount(0);
  }

  await trader.controlExchange('settle', {
    ticker: scalar.ticker,
    result: 'scalar',
    payoutYesDollars: '0.37',
  });
  await trader.controlExchange('settle', { ticker: lost.ticker, result: 'yes' });
  await expect(position).toContainText('payout $1.48');
  await expect(head).toContainText('Resolved: Yes pays 37¢');
  await expect(page.getByRole('list', { name: 'Market timeline' })).toContainText('Yes pays 37¢');
  await expect(page.locator('dialog.ticket-dialog')).toContainText('ResolvedYes pays 37¢');
  await expect(eventPage.getByText('Resolved: Yes pays 37¢').first()).toBeVisible();
  await expect(rows.filter({ hasText: 'No ·' })).toHaveCount(0);
  await portfolioPage.getByRole('link', { name: 'Closed' }).click();
  await expect(portfolioPage.getByRole('row', { name: /^No/ })).toContainText('$0.00');
  await portfolioPage.getByRole('link', { name: 'Held' }).click();
  await portfolioPage.getByRole('button', { name: /^Redeem Yes ·/ }).click();
  const row = await new Trader(portfolioPage, trader.privateKey).followToEnd();
  expect(row).toMatchObject({ status: 'completed', quoteUsdcMicros: 1_480_000n });
  expect(await trader.cashMicros()).toBe(cashBefore + 1_480_000n);
  expect(await trader.heldMicros(scalar.ticker, 'yes')).toBe(0n);
});

test('a holder redeems one position, then all others at once', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const markets = [];
  for (let count = 0; count < 3; count += 1) markets.push(await trader.takeMarket());
  await trader.arrive();
  for (const { ticker } of markets) await trader.buyDirectly(ticker, '2');
  const cashBefore = await trader.cashMicros();
  await Promise.all(
    markets.map(({ ticker }) => trader.controlExchange('settle', { ticker, result: 'yes' })),
  );

  await page.goto('/portfolio');
  const payouts = page.getByRole('region', { name: 'Payouts' });
  await expect(payouts).toContainText('$6.00');
  await page.goto('/');
  await page.getByRole('link', { name: 'Redeem $6.00' }).click();
  await page
    .getByRole('button', { name: /^Redeem Yes ·/ })
    .first()
    .click();
  const row = await trader.followToEnd();
  expect(row).toMatchObject({ status: 'completed', quoteUsdcMicros: 2_000_000n });

  await page.getByRole('link', { name: 'Portfolio' }).first().click();
  await expect(payouts).toContainText('$4.00');
  await payouts.getByRole('button').click();
  await page.waitForURL('/orders');
  await expect.poll(() => trader.cashMicros()).toBe(cashBefore + 6_000_000n);
  for (const { ticker } of markets) expect(await trader.heldMicros(ticker, 'yes')).toBe(0n);
  await page.goto('/portfolio?show=closed');
  await expect(page.getByRole('row', { name: /Yes/ })).toHaveCount(3);
});
