import { describe, expect, test } from 'vitest';
import type { MarketView } from '#lib/market/marketView.ts';
import { parseSharedPosition } from '#lib/share/sharedPosition.ts';
import { positionCard } from './positionCard.ts';

const MARKET: MarketView = {
  ticker: 'RAIN',
  eventTicker: 'WEATHER',
  title: 'Will it rain?',
  label: 'Will it rain?',
  strikeGroup: null,
  status: 'open',
  openTime: '2026-11-23T09:00:00Z',
  closeTime: '2026-11-24T09:00:00Z',
  expectedEndTime: '2026-11-24T09:00:00Z',
  proposedResult: null,
  yesBidMicros: 600_000n,
  yesAskMicros: 620_000n,
  noBidMicros: 380_000n,
  noAskMicros: 400_000n,
  lastPriceMicros: 610_000n,
  volumeContractMicros: 0n,
  previousPriceMicros: null,
  payoutYesMicros: null,
  shard: 0,
  isScalar: false,
};

function cardOf(query: string, market: MarketView = MARKET) {
  const params = new URLSearchParams(query);
  const shared = parseSharedPosition((name) => params.get(name) ?? undefined);
  const { lines, note } = positionCard(market, 'Climate', shared);
  return { lines: lines.map(({ label, value }) => `${value} ${label}`), note };
}

describe('the picture of a shared position', () => {
  test('given a price, shows the profit at the price at which the side sells now', () => {
    expect(cardOf('side=yes&price=0.4').lines).toEqual([
      'Yes my position',
      '+50.0% profit',
      '61% chance of Yes now',
    ]);
    expect(cardOf('side=no&price=0.76').lines[1]).toBe('−50.0% profit');
  });

  test('given a changed price in the link, says that the trader states it', () => {
    expect(cardOf('side=yes&price=0.001').note).toBe(
      'Stated by the trader: bought Yes at 0.1¢. Not checked by Crossbook.',
    );
    expect(cardOf('side=no&contracts=1000000').note).toContain('bought 1,000,000 No');
  });

  test('given no price, shows no profit', () => {
    expect(cardOf('side=yes').lines).toEqual(['Yes my position', '61% chance of Yes now']);
  });

  test('given a sale, shows no profit, because its cost is not in the link', () => {
    const { lines, note } = cardOf('side=yes&kind=sold&price=0.6');
    expect(lines).toEqual(['Yes sold', '61% chance of Yes now']);
    expect(note).toContain('sold Yes at 60¢');
  });

  test('given a settled market, values the side at its payout', () => {
    const settled: MarketView = { ...MARKET, status: 'settled', payoutYesMicros: 0n };
    expect(cardOf('side=no&price=0.5', settled).lines).toEqual([
      'No my position',
      '+100.0% profit',
      '100¢ paid per contract',
    ]);
  });
});
