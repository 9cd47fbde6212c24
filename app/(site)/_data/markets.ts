import { cache } from 'react';
import type { ListFilter, SearchFilter } from '#components/market/listFilter.ts';
import { eventTickerSchema, marketTickerSchema } from '#lib/api/schemas/common.ts';
import { labelOf } from '#lib/market/convertMarket.ts';
import {
  type EventView,
  impliedChance,
  type ListedEvent,
  type MarketPageView,
  type MarketRules,
  type MarketView,
  mostInformative,
  type ShardView,
} from '#lib/market/marketView.ts';
import { outcomeStyle, picturePath, stylesOfOutcomes } from '#lib/market/pictures.ts';
import { type Spark, sparkOf } from '#lib/market/sparkline.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { listShards } from '#server/domain/collateral/shardStore.ts';
import {
  findEvent,
  findMarket,
  listCategories,
} from '#server/domain/markets/catalogue/catalogue.ts';
import type {
  EventRecord,
  EventWithMarkets,
  MarketRecord,
  Milestone,
} from '#server/domain/markets/catalogue/types.ts';
import { readHourlyPrices } from '#server/domain/markets/prices/hourlyPrices.ts';
import { isOn } from '#server/domain/markets/scores/liveScores.ts';
import { searchMarkets } from '#server/domain/markets/search/search.ts';
import { findUnmirrored, findUnmirroredEvent } from '#server/domain/markets/sync/unmirrored.ts';
import { biggestMoves, busiestMarkets } from './busiestMarkets.ts';
import { awaitExchangeTurn } from './exchangeBudget.ts';
import { scoreField, withScores } from './scores.ts';

/** If a market changes its status while the list is read, its event may have no markets left. */
function hasMarkets({ markets }: EventView): boolean {
  return markets.length > 0;
}

type EventPage = { events: ListedEvent[]; hasMore: boolean };

/** The first event of each series, so that no list repeats one question for many dates. */
export async function listEventCards(input: ListFilter & { pageSize: number }): Promise<EventPage> {
  if (input.sort === 'movers') return movedMost(input);
  const runtime = await getRuntime();
  const found = await searchMarkets(runtime, {
    query: '',
    pageSize: input.pageSize,
    orderBy: input.sort,
    fuzzyThreshold: 0,
    isGrouped: true,
    statuses: input.status === 'open' ? ['open', 'paused'] : [input.status],
    ...(input.category !== undefined && { category: input.category }),
  });
  return {
    events: await withScores(found.events.map(toListedEvent).filter(hasMarkets)),
    hasMore: found.nextCursor !== '',
  };
}

async function movedMost(input: ListFilter & { pageSize: number }): Promise<EventPage> {
  const moved = biggestMoves(await busiestMarkets(input.category), input.pageSize);
  const runtime = await getRuntime();
  const events = await Promise.all(
    moved.map(async ({ market, moreInSeries }) => {
      const event = await findEvent(runtime, market.eventTicker);
      return event && toListedEvent({ ...event, moreInSeries });
    }),
  );
  return {
    events: await withScores(events.filter((event) => event !== undefined)),
    hasMore: false,
  };
}

type SearchPage = {
  events: ListedEvent[];
  total: number;
  hasMore: boolean;
  correctedQuery: string | undefined;
};

/** The best event of each series that matches the typed text, or all events of one series. */
export async function searchEventCards(
  filter: SearchFilter,
  pageSize: number,
): Promise<SearchPage> {
  const { status, series } = filter;
  const found = await searchMarkets(await getRuntime(), {
    query: filter.query,
    pageSize,
    orderBy: filter.sort,
    fuzzyThreshold: filter.spelling === 'exact' ? 0 : 4,
    isGrouped: series === undefined,
    ...(series !== undefined && { seriesTicker: series }),
    ...(status !== 'any' && { statuses: status === 'open' ? ['open', 'paused'] : [status] }),
    ...(filter.category !== undefined && { category: filter.category }),
    ...(filter.frequency !== 'any' && { frequency: filter.frequency }),
  });
  return {
    events: await withScores(found.events.map(toListedEvent).filter(hasMarkets)),
    total: found.totalResultsCount,
    hasMore: found.nextCursor !== '',
    correctedQuery: found.correctedQuery,
  };
}

export async function marketCategories(): Promise<string[]> {
  return listCategories(await getRuntime());
}

export async function findEventCard(eventTicker: string): Promise<EventView | undefined> {
  const event = await findPageEvent(eventTicker);
  return event && toEventView(event);
}

/** Read once per page; from the exchange when not mirrored. */
const findPageEvent = cache(async (ticker: string): Promise<EventWithMarkets | undefined> => {
  const runtime = await getRuntime();
  const mirrored = await findEvent(runtime, ticker);
  if (mirrored || !eventTickerSchema.safeParse(ticker).success) return mirrored;
  await awaitExchangeTurn();
  return await findUnmirroredEvent(runtime, ticker);
});

type EventPageView = {
  event: EventView;
  rules: Record<string, MarketRules>;
  shards: ShardView[];
};

export async function findEventPage(eventTicker: string): Promise<EventPageView | undefined> {
  const [event, shards] = await Promise.all([findPageEvent(eventTicker), findShards()]);
  if (!event) return undefined;
  const rules = event.markets.map(
    (market) => [market.ticker, marketRulesOf(market, event)] as const,
  );
  return {
    event: { ...toEventView(event), ...(await scoreField(event)) },
    rules: Object.fromEntries(rules),
    shards,
  };
}

async function findShards(): Promise<ShardView[]> {
  const shards = await listShards((await getRuntime()).database.orm);
  return shards.map(({ shard, name, tradingActive }) => ({ shard, name, tradingActive }));
}

/** Read once per page, however many of its parts need it; from the exchange when not mirrored. */
export const findPageMarket = cache(async (ticker: string): Promise<MarketRecord | undefined> => {
  const runtime = await getRuntime();
  const mirrored = await findMarket(runtime, ticker);
  if (mirrored || !marketTickerSchema.safeParse(ticker).success) return mirrored;
  await awaitExchangeTurn();
  return await findUnmirrored(runtime, ticker);
});

export const findMarketPage = cache(async (ticker: string): Promise<MarketPageView | undefined> => {
  const market = await findPageMarket(ticker);
  if (!market) return undefined;
  const [event, shards] = await Promise.all([findPageEvent(market.eventTicker), findShards()]);
  const score = event && (await scoreField(event));
  return {
    market: { ...toMarketView(market), ...outcomeStyle(market) },
    shards,
    event: event && {
      eventTicker: event.eventTicker,
      title: event.title,
      category: event.category,
      linkText: linkTextOf(event, market.title),
      ...score,
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
  return mostInformative({ ...event, markets: others }, RELATED);
}

export function toMarketView(record: MarketRecord): MarketView {
  return {
    ticker: record.ticker,
    eventTicker: record.eventTicker,
    title: record.title,
    label: labelOf(record),
    strikeGroup: record.strikeGroup,
    status: record.status,
    shard: record.shard,
    isScalar: record.marketType === 'scalar',
    openTime: record.openAt.toISOString(),
    closeTime: record.closeAt.toISOString(),
    expectedEndTime: record.expectedEndAt.toISOString(),
    proposedResult: record.proposedResult,
    yesBidMicros: record.yesBidMicros,
    yesAskMicros: record.yesAskMicros,
    noBidMicros: record.noBidMicros,
    noAskMicros: record.noAskMicros,
    lastPriceMicros: record.lastPriceMicros,
    volumeContractMicros: record.volumeContractMicros,
    previousPriceMicros: record.previousPriceMicros,
    payoutYesMicros: record.payoutYesMicros,
  };
}

function toEventView(event: EventRecord & { markets: MarketRecord[] }): EventView {
  const picture = picturePath('events', event.eventTicker, event.iconUrlLightMode);
  const styles = stylesOfOutcomes(event.markets);
  return {
    eventTicker: event.eventTicker,
    title: event.title,
    subtitle: event.subtitle,
    category: event.category,
    ...(picture !== undefined && { picture }),
    volumeContractMicros: event.totalVolumeContractMicros,
    marketCount: event.totalMarketCount,
    mutuallyExclusive: event.mutuallyExclusive,
    markets: event.markets.map((market) => ({
      ...toMarketView(market),
      ...styles.get(market.ticker),
    })),
  };
}

type ListedRecord = EventRecord & {
  markets: MarketRecord[];
  moreInSeries?: number | undefined;
  milestones?: Milestone[];
};

export function toListedEvent(event: ListedRecord): ListedEvent {
  const { markets, milestones = [] } = event;
  const openTimes = markets.map(({ openAt }) => openAt.toISOString()).sort();
  const now = Date.now();
  return {
    ...toEventView(event),
    seriesTicker: event.seriesTicker,
    seriesTitle: event.seriesTitle,
    moreInSeries: event.moreInSeries ?? 0,
    volume24hContractMicros: sum(markets.map((market) => market.volume24hContractMicros)),
    liquidityUsdcMicros: sum(markets.map((market) => market.liquidityUsdcMicros)),
    newestOpenTime: openTimes.at(-1),
    isUnderWay: milestones.some(
      ({ startsAt, endsAt }) =>
        startsAt.getTime() <= now && endsAt !== null && endsAt.getTime() > now,
    ),
    ...(milestones.some((milestone) => isOn(milestone, now)) && { score: null }),
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** The last day of these markets as lines, by ticker; only of traded markets with enough data. */
export async function sparksOf(markets: readonly MarketView[]): Promise<Map<string, Spark>> {
  const trading = new Map(
    markets.filter(({ status }) => status === 'open').map((market) => [market.ticker, market]),
  );
  const sparks = new Map<string, Spark>();
  if (trading.size === 0) return sparks;
  const prices = await readHourlyPrices(await getRuntime(), [...trading.keys()], Date.now());
  for (const [ticker, market] of trading) {
    const spark = sparkOf(prices.get(ticker) ?? [], impliedChance(market));
    if (spark) sparks.set(ticker, spark);
  }
  return sparks;
}

function marketRulesOf(market: MarketRecord, event: EventWithMarkets | undefined): MarketRules {
  return {
    rulesPrimary: market.rulesPrimary,
    rulesSecondary: market.rulesSecondary,
    earlyCloseCondition: market.earlyCloseCondition,
    settlementSources: event?.settlementSources ?? [],
    contractTermsUrl: event?.contractTermsUrl ?? null,
  };
}
