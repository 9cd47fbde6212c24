import { expect, test } from './trader.ts';

test('a holder redeems what a settled market pays', { tag: '@phone' }, async ({
  trader,
  page,
  isMobile,
}) => {
  // Each has its own: what one settles the other could no longer buy.
  const market = await trader.findMarket(isMobile ? 18 : 17);
  await trader.openMarket(market.ticker);
  await trader.getReady();
  await trader.enterContracts('5');
  await trader.expectStep('place');
  await trader.button.click();
  await trader.followToEnd();
  const cashBefore = await trader.cashMicros();
  await trader.controlExchange('settle', { ticker: market.ticker, result: 'yes' });

  await page.goto('/portfolio');
  const payouts = page.getByRole('region', { name: 'Payouts' });
  await expect(payouts).toContainText('$5.00', { timeout: 45_000 });
  await trader.openMarket(market.ticker, '?side=yes&action=sell');
  await trader.expectStep('redeem');
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways, 'the page scrolls sideways').toBe(0);
  await trader.button.click();
  const row = await trader.followToEnd();

  expect(row).toMatchObject({ status: 'completed', quoteUsdcMicros: 5_000_000n });
  expect(await trader.cashMicros()).toBe(cashBefore + 5_000_000n);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);
});
