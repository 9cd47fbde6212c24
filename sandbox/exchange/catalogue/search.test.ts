import { describe, expect, it, test } from 'vitest';
import { type IndexedEvent, SearchIndex } from '#server/domain/markets/search/searchIndex.ts';
import { pastVolume } from '../history.ts';
import { type ExchangeEvent, statusOf } from '../market.ts';
import { QUERY_SET, type QueryKind } from '../testing/querySet.ts';
import { createWorld } from '../world.ts';
import { SERIES_TEMPLATES } from './templates.ts';

/** The service's search ranking over this listing, against the expected results per query. */
const NOW = Date.UTC(2026, 10, 21, 5, 3);
const DAY_MS = 86_400_000;

function indexed(event: ExchangeEvent): IndexedEvent {
  const { template, spec, markets } = event;
  const volumes = markets.map((market) => pastVolume(market, NOW));
  const total = volumes.reduce((sum, one) => sum + one.totalMicros, 0n);
  const recent = volumes.reduce(
    (sum, one) => [...one.hourly.values()].reduce((part, hour) => part + hour, sum),
    0n,
  );
  return {
    ticker: event.ticker,
    seriesTicker: template.ticker,
    title: spec.title,
    subtitle: spec.subTitle,
    seriesTitle: template.title,
    outcomes: spec.markets.map((market) => `${market.yesSubTitle} ${market.suffix}`).join(' '),
    category: template.category,
    tags: template.tags,
    frequency: template.frequency,
    statusMask: 1,
    isOpen: markets.some((market) => statusOf(market, NOW) === 'active'),
    volumeContractMicros: total,
    volume: Number(total) / 1e6,
    volume24h: Number(recent) / 1e6,
    liquidity: 0,
    newestAt: event.life.openAt,
    closesNextAt: event.life.closeAt + DAY_MS,
  };
}

const index = new SearchIndex();
const world = createWorld(1, SERIES_TEMPLATES);
world.refresh(NOW, () => false);
for (const event of world.events.values()) index.put(indexed(event));

function firstThree(query: string): string[] {
  const { found } = index.search({
    query,
    orderBy: 'querymatch',
    fuzzyThreshold: 4,
    offset: 0,
    limit: 3,
  });
  return found.map((one) => one.ticker);
}

function missesOf(kind?: QueryKind): string[] {
  return QUERY_SET.filter((one) => kind === undefined || one.kind === kind).flatMap(
    ({ query, expected }) => {
      const shown = firstThree(query);
      const isMet = shown.some((ticker) => expected.some((start) => ticker.startsWith(start)));
      return isMet ? [] : [`${query} -> ${shown.join(', ')}`];
    },
  );
}

describe('the query set', () => {
  it('has a match in the first three results for 95 of 100 queries', () => {
    expect(QUERY_SET.length).toBeGreaterThanOrEqual(60);
    const misses = missesOf();
    expect(misses.length / QUERY_SET.length, misses.join('\n')).toBeLessThanOrEqual(0.05);
  });

  test.each(['word', 'words', 'prefix', 'typo', 'ticker', 'category', 'question'] as const)(
    'has a match for 9 of 10 queries of the kind "%s"',
    (kind) => {
      const misses = missesOf(kind);
      const asked = QUERY_SET.filter((one) => one.kind === kind).length;
      expect(misses.length / asked, misses.join('\n')).toBeLessThanOrEqual(0.1);
    },
  );
});
