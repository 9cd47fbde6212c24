import { cache } from 'react';
import type { ListFilter, SearchFilter } from '#components/market/listFilter.ts';
import {
  changePoints,
  type EventView,
  type MarketPageView,
  type MarketRules,
  type MarketView,
  telling,
} from '#lib/market/marketView.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { listShards } from '#server/domain/collateral/shardStore.ts';
import {
  findEvent,
  findMarket,
  listCategories,
  listMarkets,
} from '#server/domain/markets/catalogue/catalogue.ts';
import { searchMarkets } from '#server/domain/markets/search/search.ts';
import { marketRulesOf, toEventView, toMarketView } from './views.ts';

/** If a market changes its status while the list is read, its event may have no markets left. */
function hasMarkets({ markets }: EventView): boolean {
  return markets.length > 0;
}

type EventPage = { events: EventView[]; total: number; hasMore: boolean };

/** A page of events with their markets, as the list shows them. */
export async function listEventCards(input: ListFilter & { pageSize: number }): Promise<EventPage> {
  if (input.sort === 'movers') return movedMost(input);
  const runtime = await getRuntime();
  const found = await searchMarkets(runtime, {
    query: '',
    pageSize: input.pageSize,
    orderBy: input.sort,
    fuzzyThreshold: 0,
    statuses: input.status === 'open' ? ['open', 'paused'] : [input.status],
    ...(input.category !== undefined && { category: input.category }),
  });
  return {
    events: found.events.map(toEventView).filter(hasMarkets),
    total: found.totalResultsCount,
    hasMore: found.nextCursor !== '',
  };
}

/** Only traded markets count; in an idle one a single trade would win. */
const MOVERS_AMONG = 400;

/** Open markets with the largest change of chance in a day, one per event. */
export async function movers(count: number, category?: string): Promise<MarketView[]> {
  const { markets } = await listMarkets(await getRuntime(), {
    limit: MOVERS_AMONG,
    status: 'open',
    sort: 'volume_24h',
    ...(category !== undefined && { category }),
  });
  const size = (market: MarketView) => Math.abs(changePoints(market) ?? 0);
  const moved = markets
    .map(toMarketView)
    .filter((market) => size(market) > 0)
    .sort((a, b) => size(b) - size(a));
  const seen = new Set<string>();
  return moved
    .filter(({ eventTicker }) => !seen.has(eventTicker) && seen.add(eventTicker))
    .slice(0, count);
}

/** The events of those markets, as a list of one page. */
async function movedMost(input: ListFilter & { pageSize: number }): Promise<EventPage> {
  const leading = await movers(input.pageSize, input.category);
  const events = await Promise.all(leading.map((market) => findEventCard(market.eventTicker)));
  return { events: events.filter((event) => event !== undefined), total: 0, hasMore: false };
}

/** The open markets that close next, one per event. */
export async function closingNext(count: number): Promise<MarketView[]> {
  const found = await searchMarkets(await getRuntime(), {
    query: '',
    pageSize: count * 3,
    orderBy: 'closing',
    fuzzyThreshold: 0,
    statuses: ['open'],
  });
  const now = Date.now();
  return (
    found.events
      .flatMap((event) => telling(toEventView(event), 1))
      // The exchange reports a close shortly after it happens.
      .filter((market) => Date.parse(market.expectedEndTime) > now)
      .slice(0, count)
  );
}

/** Events that match the typed text, best match first. */
export async function searchEventCards(filter: SearchFilter, pageSize: number): Promise<EventPage> {
  const { status } = filter;
  const found = await searchMarkets(await getRuntime(), {
    query: filter.query,
    pageSize,
    orderBy: filter.sort,
    fuzzyThreshold: 4,
    ...(status !== 'any' && { statuses: status === 'open' ? ['open', 'paused'] : [status] }),
    ...(filter.category !== undefined && { category: filter.category }),
    ...(filter.frequency !== 'any' && { frequency: filter.frequency }),
  });
  return {
    events: found.events.map(toEventView).filter(hasMarkets),
    total: found.totalResultsCount,
    hasMore: found.nextCursor !== '',
  };
}

export async function marketCategories(): Promise<string[]> {
  return listCategories(await getRuntime());
}

export async function findEventCard(eventTicker: string): Promise<EventView | undefined> {
  const event = await findEvent(await getRuntime(), eventTicker);
  return event && toEventView(event);
}

/** An event with the rules of each of its markets; undefined when there is none. */
export async function findEventPage(
  eventTicker: string,
): Promise<{ event: EventView; rules: Record<string, MarketRules> } | undefined> {
  const event = await findEvent(await getRuntime(), eventTicker);
  if (!event) return undefined;
  const rules = event.markets.map(
    (market) => [market.ticker, marketRulesOf(market, event)] as const,
  );
  return { event: toEventView(event), rules: Object.fromEntries(rules) };
}

/** Read once per page, however many of its parts need it. */
export const findPageMarket = cache(async (ticker: string) =>
  findMarket(await getRuntime(), ticker),
);

/** The initial data of a market's page; undefined when there is no such market. */
export const findMarketPage = cache(async (ticker: string): Promise<MarketPageView | undefined> => {
  const market = await findPageMarket(ticker);
  if (!market) return undefined;
  const runtime = await getRuntime();
  const [event, shards] = await Promise.all([
    findEvent(runtime, market.eventTicker),
    listShards(runtime.database.orm),
  ]);
  return {
    market: toMarketView(market),
    shard: market.shard,
    shards: shards.map(({ shard, name, tradingActive }) => ({ shard, name, tradingActive })),
    event: event && {
      eventTicker: event.eventTicker,
      title: event.title,
      category: event.category,
      linkText: linkTextOf(event, market.title),
    },
    ...marketRulesOf(market, event),
    expirationTime: market.expirationAt.toISOString(),
    volume24hContractMicros: market.volume24hContractMicros,
    openInterestContractMicros: market.openInterestContractMicros,
    liquidityUsdcMicros: market.liquidityUsdcMicros,
    settledTime: market.settledAt?.toISOString() ?? null,
    related: event ? relatedOf(toEventView(event), ticker) : [],
  };
});

function linkTextOf(
  event: { title: string; markets: readonly unknown[] },
  marketTitle: string,
): string | undefined {
  if (event.title !== marketTitle) return event.title;
  return event.markets.length > 1 ? 'All outcomes' : undefined;
}

const RELATED = 5;

function relatedOf(event: EventView, ticker: string): MarketView[] {
  const others = event.markets.filter((market) => market.ticker !== ticker);
  return telling({ ...event, markets: others }, RELATED);
}
