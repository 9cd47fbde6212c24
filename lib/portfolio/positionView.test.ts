import { describe, expect, it } from 'vitest';
import type { PortfolioEntry } from '#lib/api/schemas/portfolio.ts';
import { groupOf, positionView, redeemableOf } from './positionView.ts';
import { portfolioEntry } from './testing/portfolioEntry.ts';
import { withMarket } from './withMarket.ts';

function entry(
  market: Partial<PortfolioEntry['venueMarket']>,
  item: Partial<PortfolioEntry['portfolioItem']> = {},
): PortfolioEntry {
  return portfolioEntry({ market, item });
}

const settled = { status: 'settled', payoutDollars: '1.0000' } as const;

describe('positionView', () => {
  it('is valued at the best bid, or the payout', () => {
    expect(positionView(entry({}))).toMatchObject({
      valueMicros: 4_000_000n,
      costMicros: 4_200_000n,
      profitMicros: -200_000n,
    });
    expect(positionView(entry(settled))).toMatchObject({ valueMicros: 10_000_000n });
  });

  it('given an ended market without result, is valued at the last price', () => {
    const ended = { status: 'closed', payoutDollars: null, bidPriceDollars: '0' } as const;
    expect(positionView(entry(ended))).toMatchObject({
      isLastPrice: true,
      isUnpriced: false,
      priceMicros: 410_000n,
      valueMicros: 4_100_000n,
      profitMicros: -100_000n,
    });
    expect(positionView(entry({ ...ended, marketPriceDollars: '0' }))).toMatchObject({
      isLastPrice: false,
      isUnpriced: true,
      profitMicros: null,
    });
    expect(positionView(entry({ ...ended, status: 'open' }))).toMatchObject({
      isLastPrice: false,
      isUnpriced: false,
      profitMicros: null,
    });
    expect(positionView(entry({ ...settled, payoutDollars: '0' }))).toMatchObject({
      isLastPrice: false,
      isUnpriced: false,
    });
  });

  it('given a rounded average cost, keeps the exact cost and profit', () => {
    // 3 contracts for $1.000001: the average rounds to $0.333334, which would cost $1.000002.
    const item = { amount: '3', averageFillCost: '0.333334', unrealizedPnL: '0.199999' };
    expect(positionView(entry({}, item))).toMatchObject({
      valueMicros: 1_200_000n,
      costMicros: 1_000_001n,
      profitMicros: 199_999n,
    });
  });

  it.each([
    ['pays', 1_000_000n, 'yes', { valueMicros: 10_000_000n, profitMicros: 5_800_000n }],
    ['pays nothing', 0n, 'yes', { valueMicros: 0n, profitMicros: -4_200_000n }],
    ['pays a share', 370_000n, 'no', { valueMicros: 6_300_000n, profitMicros: 2_100_000n }],
  ] as const)('given a market that has just settled and %s, counts the payout', (...row) => {
    const [, payoutYesMicros, side, expected] = row;
    const position = positionView(entry({ side }));
    const after = withMarket(position, { status: 'settled', payoutYesMicros });
    expect(after).toMatchObject({ ...expected, status: 'settled', costMicros: 4_200_000n });
  });

  it('given a market that still trades, stays as it was reported', () => {
    const position = positionView(entry(settled));
    expect(withMarket(position, { status: 'open', payoutYesMicros: null })).toBe(position);
  });

  it('reads realised losses', () => {
    expect(positionView(entry({}, { realizedPnL: '-1.25' })).realisedMicros).toBe(-1_250_000n);
  });

  it('is grouped by its next action', () => {
    const group = (market: object, item?: object) => groupOf(positionView(entry(market, item)));
    expect(group({})).toBe('open');
    expect(group({ status: 'closed' })).toBe('awaiting');
    expect(group(settled)).toBe('awaiting');
    expect(group(settled, { redeemable: true, redeemableAmount: '10' })).toBe('redeemable');
    expect(group({ status: 'settled', payoutDollars: '0.0000' })).toBe('lost');
  });

  it('sums the payout of redeeming all positions', () => {
    const paying = positionView(entry(settled, { redeemable: true, redeemableAmount: '10' }));
    expect(redeemableOf([paying, positionView(entry({})), paying])).toBe(20_000_000n);
    expect(redeemableOf([])).toBe(0n);
  });
});
