import { beforeEach, describe, expect, it } from 'vitest';
import { Book } from '../book.ts';
import { createBenchmark, MARKETS_AN_EVENT } from '../catalogue/benchmark.ts';
import type { ExchangeMarket } from '../market.ts';
import { marketFields, marketWire } from './marketWire.ts';
import { marketText } from './texts.ts';

const NOW = Date.UTC(2026, 10, 21, 5, 3);
const HOUR_MS = 3_600_000;
const benchmark = createBenchmark(100, 1);

const freshText = (market: ExchangeMarket, at: number) =>
  JSON.stringify(marketWire(market, marketFields(market, at)));

describe('the JSON of a market', () => {
  let market: ExchangeMarket;
  beforeEach(() => {
    const [first] = benchmark.eventAt(2, NOW).markets;
    if (!first) throw new Error('an event without markets');
    market = first;
  });

  it('given no change, is made once', () => {
    const text = marketText(market, NOW);
    expect(text).toBe(freshText(market, NOW));
    expect(marketText(market, NOW)).toBe(text);
  });

  it('given the passing of time, updates prices, those of yesterday, and the status', () => {
    const texts = new Set<string>();
    for (let hours = 0; hours < 60; hours += 0.75) {
      const at = NOW + hours * HOUR_MS;
      expect(marketText(market, at)).toBe(freshText(market, at));
      texts.add(marketText(market, at));
    }
    expect(texts.size).toBeGreaterThan(10);
    expect([...texts].at(-1)).toContain('"status":"finalized"');
  });

  const changes: Record<string, (one: ExchangeMarket) => void> = {
    'when it was updated': ({ state }) => {
      state.updatedAt += 1;
    },
    'when it closes': ({ state }) => {
      state.schedule.closeAt += 1000;
    },
    'a pause': ({ state }) => {
      state.paused = true;
    },
    'the price that the operator wants': ({ state }) => {
      state.beliefOverrideMicros = 930_000n;
    },
    'that the makers left': ({ state }) => {
      state.withoutMakers = true;
    },
    'the grid': ({ state }) => {
      state.structure = 'deci_cent';
    },
    'the volume': ({ state }) => {
      state.liveVolumeMicros += 10_000n;
    },
    'the volume of the last day': ({ state }) => {
      state.hourly.set(Math.floor(NOW / HOUR_MS), 10_000n);
    },
    'the last price': ({ state }) => {
      state.lastPriceMicros = 120_000n;
    },
    'open interest': ({ state }) => {
      state.openInterestMicros += 10_000n;
    },
    'waived fees': ({ state }) => {
      state.feeWaivedUntil = NOW + 1000;
    },
    'an order in its book': (one) => {
      one.book = new Book();
      one.quotedFair = 0.5;
      one.book.add({
        orderId: 'a',
        accountId: 'b',
        side: 'bid',
        priceMicros: 10_000n,
        remainingMicros: 70_000n,
      });
    },
  };

  it.each(Object.entries(changes))('given a change of %s, is updated', (_, change) => {
    const before = marketText(market, NOW);
    change(market);
    expect(marketText(market, NOW)).not.toBe(before);
    expect(marketText(market, NOW)).toBe(freshText(market, NOW));
  });

  it('given a change of its payout, is updated', () => {
    const over = market.state.schedule.finalAt;
    const before = marketText(market, over);
    market.state.payoutOverrideMicros = 370_000n;
    expect(marketText(market, over)).not.toBe(before);
    market.state.resultOverride = 'void';
    expect(marketText(market, over)).toBe(freshText(market, over));
    expect(marketText(market, over)).toContain('"result":"void"');
  });
});

describe('the cached benchmark records', () => {
  it('last for a round and are rebuilt in the next', () => {
    const event = benchmark.listedAt(1, NOW);
    expect(event.markets).toHaveLength(MARKETS_AN_EVENT);
    expect(benchmark.listedAt(1, NOW + 1)).toBe(event);
    const next = benchmark.listedAt(1, NOW + 48 * HOUR_MS);
    expect(next.ticker).toBe(benchmark.eventAt(1, NOW + 48 * HOUR_MS).ticker);
    expect(next.ticker).not.toBe(event.ticker);
  });

  it('are separate from those used in trading', () => {
    expect(benchmark.eventAt(1, NOW)).not.toBe(benchmark.listedAt(1, NOW));
    expect(JSON.stringify(benchmark.eventAt(1, NOW).spec)).toBe(
      JSON.stringify(benchmark.listedAt(1, NOW).spec),
    );
  });
});
