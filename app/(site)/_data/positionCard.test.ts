import { describe, expect, test } from 'vitest';
import type { MarketView } from '#lib/market/marketView.ts';
import { marketView } from '#lib/market/testing/marketView.ts';
import { parseSharedPosition } from '#lib/share/sharedPosition.ts';
import { positionCard } from './positionCard.ts';

const MARKET = marketView({
  yesBidMicros: 600_000n,
  yesAskMicros: 620_000n,
  noBidMicros: 380_000n,
  noAskMicros: 400_000n,
  lastPriceMicros: 610_000n,
});

function cardOf(query: string, market: MarketView = MARKET) {
  const params = new URLSearchParams(query);
  const shared = parseSharedPosition((name) => params.get(name) ?? undefined);
  const { figures, ...rest } = positionCard(market, 'Climate', shared);
  return { ...rest, figures: figures.map(({ label, value }) => `${value} ${label}`) };
}

describe('the picture of a shared position', () => {
  test('names the outcome first, and the question that it answers', () => {
    expect(cardOf('side=no')).toMatchObject({ position: 'No', outcome: 'Will it rain?' });
    const one = { ...MARKET, title: 'How will it rain?', label: 'Hard' };
    expect(cardOf('side=no&kind=sold', one)).toMatchObject({
      position: 'Sold No',
      outcome: 'Hard',
      question: 'How will it rain?',
    });
  });

  test('given a price, shows the profit at the price at which the side sells now', () => {
    expect(cardOf('side=yes&price=0.4').figures).toEqual([
      '+50% return',
      '40¢ bought at',
      '60¢ price now',
    ]);
    expect(cardOf('side=no&price=0.76').figures[0]).toBe('−50% return');
    expect(cardOf('side=yes&price=0.598').figures[0]).toBe('0% return');
  });

  test('given a changed price or quantity in the link, says that the trader states it', () => {
    expect(cardOf('side=yes&price=0.001').note).toBe(
      'Stated by the trader, not checked by Crossbook: bought Yes, price with the fee.',
    );
    const quantity = cardOf('side=no&contracts=1000000');
    expect(quantity.figures).toContain('1,000,000 contracts');
    expect(quantity.note).toContain('bought No, quantity.');
  });

  test('given no price, shows no profit', () => {
    expect(cardOf('side=yes').figures).toEqual(['60¢ price now']);
  });

  test('given a sale, shows no profit, because its cost is not in the link', () => {
    const { figures, note } = cardOf('side=yes&kind=sold&price=0.6');
    expect(figures).toEqual(['60¢ sold at', '60¢ price now']);
    expect(note).toContain('sold Yes');
  });

  test('given a settled market, values the side at its payout', () => {
    const settled: MarketView = { ...MARKET, status: 'settled', payoutYesMicros: 0n };
    expect(cardOf('side=no&price=0.5', settled).figures).toEqual([
      '+100% return',
      '50¢ bought at',
      '100¢ paid out',
    ]);
    expect(cardOf('side=yes&price=0.5', settled).figures[0]).toBe('−100% return');
  });

  test('given no bid, shows neither value nor profit', () => {
    expect(cardOf('side=yes&price=0.5', { ...MARKET, yesBidMicros: null }).figures).toEqual([
      '50¢ bought at',
    ]);
  });
});
