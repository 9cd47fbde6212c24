import { expect, test } from './trader.ts';
import { declineNext } from './wallet.ts';

test('a holder of both sides merges the pairs, from the market’s page and the ticket', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  const market = await trader.takeMarket();
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '3');
  await trader.buyDirectly(market.ticker, '2', 'no');
  const cashBefore = await trader.cashMicros();
  await page.goto(`/markets/${market.ticker}`);
  const position = page.getByRole('region', { name: 'My position' });
  const offer = position.getByRole('button', { name: 'Merge 2 pairs into $2.00' });
  await offer.click();
  await expect(position).toContainText('Give 2 Yes and 2 No of a market and receive $2.00 USDC');
  await expect(position).toContainText('Your wallet sends one transaction');
  await position.getByRole('button', { name: 'Cancel' }).click();
  await expect(position).not.toContainText('Give 2 Yes');

  await offer.click();
  await declineNext(page);
  await position.getByRole('button', { name: 'Confirm merge' }).click();
  await expect(position.getByRole('alert')).toBeVisible();
  expect(await trader.heldMicros(market.ticker, 'no')).toBe(2_000_000n);
  await position.getByRole('button', { name: 'Confirm merge' }).click();
  await expect(position).toContainText('You hold 1 Yes');
  await expect(position).not.toContainText('You hold 2 No');
  expect(await trader.cashMicros()).toBe(cashBefore + 2_000_000n);
  expect(await trader.heldMicros(market.ticker, 'no')).toBe(0n);

  await page.goto('/activity?kind=merge');
  await expect(page.getByRole('rowheader', { name: /^Merged 2 pairs/ })).toBeVisible();

  // Buying the other side offers it in the ticket, and in the portfolio's row.
  await trader.openMarket(market.ticker, '?side=no');
  await trader.enterContracts('1');
  await trader.expectStep('place');
  await trader.button.click();
  await trader.waitForPlaced();
  const inTicket = trader.placed.getByRole('button', { name: 'Merge 1 pair into $1.00' });
  await expect(inTicket).toBeVisible();
  const portfolio = await trader.openTab();
  await portfolio.goto('/portfolio');
  await expect(portfolio.getByRole('button', { name: 'Merge 1 pair into $1.00' })).toBeVisible();
  await inTicket.click();
  await trader.placed.getByRole('button', { name: 'Confirm merge' }).click();
  await expect(trader.placed).toContainText('1 pair became $1.00');
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);
  await expect(portfolio.getByText('No positions')).toBeVisible();
});
