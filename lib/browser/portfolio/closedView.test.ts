import { expect, it } from 'vitest';
import { positionView } from '#lib/portfolio/positionView.ts';
import { portfolioEntry } from '#lib/portfolio/testing/portfolioEntry.ts';
import { allClosed, type ClosedView, withoutLost } from './closedView.ts';

const lost = positionView(
  portfolioEntry({
    tokenId: '2',
    market: { status: 'settled', payoutDollars: '0.0000', settledAt: '2026-11-22T10:00:00.000Z' },
  }),
);
const open = positionView(portfolioEntry({ tokenId: '1' }));
const won = positionView(
  portfolioEntry({ tokenId: '3', market: { status: 'settled', payoutDollars: '1.0000' } }),
);

const sold = (id: string, closedAt: string | null): ClosedView => ({
  id,
  marketId: 'SNOW',
  side: 'yes',
  name: 'Snow?',
  subtitle: '',
  contractMicros: 1_000_000n,
  costMicros: 400_000n,
  proceedsMicros: 500_000n,
  profitMicros: 100_000n,
  closedAt,
});

it('given a settled market, only the losing position leaves the held ones', () => {
  expect(withoutLost([open, lost, won])).toEqual({ held: [open, won], lost: [lost] });
});

it('given a lost position, lists it among the closed ones with its whole cost as a loss', () => {
  const closed = allClosed(
    [sold('old', '2026-11-21T10:00:00.000Z'), sold('new', '2026-11-23T10:00:00.000Z')],
    [lost],
  );
  expect(closed.map(({ id }) => id)).toEqual(['new', '2', 'old']);
  expect(closed[1]).toMatchObject({
    costMicros: 4_200_000n,
    proceedsMicros: 0n,
    profitMicros: -4_200_000n,
  });
});

it('given a position whose block has no time yet, lists it first', () => {
  const closed = allClosed([sold('timed', '2026-11-23T10:00:00.000Z'), sold('now', null)], []);
  expect(closed.map(({ id }) => id)).toEqual(['now', 'timed']);
});
