import { describe, expect, it } from 'vitest';
import { ladderOf } from './bots.ts';
import { SERIES_TEMPLATES } from './catalogue/templates.ts';
import { fairAt } from './fairPrice.ts';
import { beliefIn, payoutMicrosOf, statusOf } from './market.ts';
import { isOnGrid } from './ticks.ts';
import { createWorld } from './world.ts';

const NOW = Date.UTC(2026, 10, 21, 5, 3);

function worldAt(now: number, seed = 1) {
  const world = createWorld(seed, SERIES_TEMPLATES);
  world.refresh(now, () => false);
  return world;
}

describe('the world', () => {
  const world = worldAt(NOW);
  const markets = [...world.markets.values()];

  it('given the same seed and moment, is the same, and differs for another seed', () => {
    const facts = (seed: number) =>
      [...worldAt(NOW, seed).markets.values()]
        .map((market) => `${market.ticker} ${market.weight} ${payoutMicrosOf(market)}`)
        .join();
    const [once, again, other] = [facts(1), facts(1), facts(2)];
    expect(again === once).toBe(true);
    expect(other === once).toBe(false);
  }, 30_000);

  it('lists thousands of markets of hundreds of events in every category and frequency', () => {
    expect(markets.length).toBeGreaterThan(3_000);
    expect(world.events.size).toBeGreaterThan(400);
    const templates = [...world.templates.values()];
    expect(new Set(templates.map((item) => item.category)).size).toBeGreaterThanOrEqual(12);
    for (const frequency of ['hourly', 'daily', 'weekly', 'monthly', 'annual']) {
      expect(templates.some((item) => item.frequency === frequency)).toBe(true);
    }
  });

  it('has texts on every market and chances that sum to one in exclusive groups', () => {
    for (const market of markets) {
      const { title, yesSubTitle, rulesPrimary } = market.spec;
      expect([title, yesSubTitle, rulesPrimary].every((text) => text.length > 1)).toBe(true);
      expect(`${title}${yesSubTitle}${rulesPrimary}`).not.toMatch(/undefined|NaN|Invalid/);
    }
    for (const event of world.events.values()) {
      if (!event.spec.mutuallyExclusive) continue;
      const sum = fairAt(event.spec.model, event.life, NOW).reduce((total, p) => total + p, 0);
      expect(sum).toBeCloseTo(1, 3);
      const winners = event.markets.filter((market) => payoutMicrosOf(market) === 1_000_000n);
      expect(winners).toHaveLength(1);
    }
  });

  it('quotes on the grid, never crossed', () => {
    const wrong = markets.filter((market) => {
      const { bids, asks } = ladderOf(market, beliefIn(market, NOW));
      const [bid] = bids;
      const [ask] = asks;
      const isCrossed = bid && ask ? bid.priceMicros >= ask.priceMicros : false;
      const { structure } = market.state;
      return isCrossed || [...bids, ...asks].some((one) => !isOnGrid(structure, one.priceMicros));
    });
    expect(wrong.map((market) => market.ticker)).toEqual([]);
  }, 30_000);

  it('always has busy markets that stay open for weeks, with deep quotes on both sides', () => {
    for (const now of [NOW, NOW + 40 * 86_400_000, NOW + 700 * 86_400_000]) {
      const lasting = [...worldAt(now).markets.values()].filter((market) => {
        const { bids, asks } = ladderOf(market, beliefIn(market, now));
        return (
          statusOf(market, now) === 'active' &&
          market.state.schedule.closeAt > now + 14 * 86_400_000 &&
          market.weight > 0.6 &&
          bids.length >= 5 &&
          asks.length >= 5
        );
      });
      expect(lasting.length).toBeGreaterThan(20);
    }
  }, 30_000);

  it('has markets that end every few minutes', () => {
    const withTimeout = markets.filter((market) => {
      const { finalAt } = market.state.schedule;
      return finalAt > NOW && finalAt < NOW + 6 * 60_000 && statusOf(market, NOW) === 'active';
    });
    expect(withTimeout.length).toBeGreaterThanOrEqual(4);
  });

  it('has, at any moment, open markets that close within three minutes and pay soon after', () => {
    for (let second = 0; second < 600; second += 7) {
      const now = NOW + second * 1_000;
      world.refresh(now, () => false);
      const withTimeout = [...world.markets.values()].filter((market) => {
        const { closeAt, finalAt } = market.state.schedule;
        const isOpen = statusOf(market, now) === 'active' && closeAt < now + 180_000;
        return isOpen && finalAt - closeAt <= 20_000;
      });
      expect(withTimeout.length).toBeGreaterThanOrEqual(5);
      expect(withTimeout.some((market) => market.event.template.marketType === 'scalar')).toBe(
        true,
      );
    }
  }, 30_000);
});
