import type { ListFilter } from '#components/market/ListFilters.tsx';
import type { EventView, MarketPageView } from '#lib/market/marketView.ts';
import { findEvent, findMarket, listCategories } from '#server/markets/catalogue.ts';
import { searchMarkets } from '#server/markets/search.ts';
import { getRuntime } from '#server/runtime.ts';
import { toEventView, toMarketView } from './views.ts';

type EventPage = { events: EventView[]; total: number; nextCursor: string };

/** A page of events with their markets, as the list shows them. */
export async function listEventCards(
  input: ListFilter & { pageSize: number; cursor: string | undefined },
): Promise<EventPage> {
  const runtime = await getRuntime();
  const found = await searchMarkets(runtime, {
    query: '',
    pageSize: input.pageSize,
    orderBy: input.sort,
    fuzzyThreshold: 0,
    statuses: input.status === 'open' ? ['open', 'paused'] : [input.status],
    ...(input.category !== undefined && { category: input.category }),
    ...(input.cursor !== undefined && { cursor: input.cursor }),
  });
  return {
    events: found.events.map(toEventView),
    total: found.totalResultsCount,
    nextCursor: found.nextCursor,
  };
}

const SEARCH_PAGE_SIZE = 50;

/** Events that match what was typed, nearest first. */
export async function searchEventCards(query: string): Promise<EventPage> {
  const found = await searchMarkets(await getRuntime(), {
    query,
    pageSize: SEARCH_PAGE_SIZE,
    orderBy: 'querymatch',
    fuzzyThreshold: 4,
  });
  return {
    events: found.events.map(toEventView),
    total: found.totalResultsCount,
    nextCursor: found.nextCursor,
  };
}

export async function marketCategories(): Promise<string[]> {
  return listCategories(await getRuntime());
}

export async function findEventCard(eventTicker: string): Promise<EventView | undefined> {
  const event = await findEvent(await getRuntime(), eventTicker);
  return event && toEventView(event);
}

/** What a market's page shows at first; undefined when there is no such market. */
export async function findMarketPage(ticker: string): Promise<MarketPageView | undefined> {
  const runtime = await getRuntime();
  const market = await findMarket(runtime, ticker);
  if (!market) return undefined;
  const event = await findEvent(runtime, market.eventTicker);
  return {
    market: toMarketView(market),
    event: event && {
      eventTicker: event.eventTicker,
      title: event.title,
      category: event.category,
    },
    previousPriceMicros: market.previousPriceMicros,
    rulesPrimary: market.rulesPrimary,
    rulesSecondary: market.rulesSecondary,
    openTime: market.openAt.toISOString(),
    expirationTime: market.expirationAt.toISOString(),
    volume24hContractMicros: market.volume24hContractMicros,
    openInterestContractMicros: market.openInterestContractMicros,
    liquidityUsdcMicros: market.liquidityUsdcMicros,
  };
}
