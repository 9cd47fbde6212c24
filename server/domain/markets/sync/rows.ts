import { hash } from 'node:crypto';
import { costMicros, MICROS } from '#lib/money.ts';
import type {
  CatalogueEvent,
  CatalogueMarket,
  CatalogueSeries,
  ExchangeMilestone,
} from '#server/exchange/catalogue.ts';
import type {
  EventMetadata,
  events,
  markets,
  StoredMilestone,
} from '#server/platform/database/schema/markets.ts';
import { outcomeTokenIdsHex } from '../tokens/outcomeTokenIds.ts';
import { type DisplayStyle, displayStyleOf, withMetadata } from './displayStyle.ts';

export type EventRow = typeof events.$inferInsert;
export type MarketRow = typeof markets.$inferInsert;
/** All columns but the token ids, which are expensive and never change: see {@link tokenIdsOf}. */
export type NewMarketRow = Omit<MarketRow, 'yesTokenId' | 'noTokenId'>;

/** The series' part of its events; an unknown series supplies its ticker. */
export type SeriesFields = Pick<CatalogueSeries, 'title' | 'category' | 'frequency'>;

export function eventRow(
  event: CatalogueEvent,
  facts: SeriesFields | undefined,
  known: Pick<EventFields, 'metadata' | 'milestones'> | undefined,
  now: Date,
): EventRow {
  const category = facts?.category || event.category || 'Other';
  const seriesTitle = facts?.title ?? event.seriesTicker;
  const offered = event.markets.filter((market) => market.isOffered);
  const row = {
    ticker: event.eventTicker,
    seriesTicker: event.seriesTicker,
    seriesTitle,
    title: event.title,
    subtitle: event.subtitle,
    category,
    frequency: facts?.frequency ?? '',
    mutuallyExclusive: event.mutuallyExclusive,
    ...withMetadata(displayStyleOf(category, event.seriesTicker), known?.metadata ?? null),
    milestones: event.milestones?.map(storedMilestone) ?? known?.milestones ?? null,
    titleText: [event.title, event.subtitle, seriesTitle, category].join(' '),
    outcomeText: outcomeText(event.eventTicker, offered),
  };
  return { ...row, contentHash: contentHashOf(row), updatedAt: now, rankedAt: now };
}

function storedMilestone({ startsAt, endsAt, ...rest }: ExchangeMilestone): StoredMilestone {
  return { ...rest, startsAt: startsAt.toISOString(), endsAt: endsAt?.toISOString() ?? null };
}

const LONGEST_OUTCOMES = 8_000;

/** What distinguishes an event's markets: their outcomes and the ends of their tickers. */
function outcomeText(eventTicker: string, offered: readonly CatalogueMarket[]): string {
  const words = offered.flatMap(({ ticker, yesSubTitle }) => [
    yesSubTitle,
    ticker.startsWith(`${eventTicker}-`) ? ticker.slice(eventTicker.length + 1) : ticker,
  ]);
  return [...new Set(words)].join(' ').slice(0, LONGEST_OUTCOMES);
}

/** The event's part of a market's row. */
export type EventFields = {
  seriesTicker: string;
  category: string;
  metadata: EventMetadata | null;
  milestones: StoredMilestone[] | null;
  /** The style without metadata. */
  style: DisplayStyle;
};

export function marketRow(market: CatalogueMarket, event: EventFields, now: Date) {
  const row = {
    ticker: market.ticker,
    eventTicker: market.eventTicker,
    seriesTicker: event.seriesTicker,
    title: market.title,
    subtitle: market.yesSubTitle,
    yesSubTitle: market.yesSubTitle,
    noSubTitle: market.noSubTitle,
    status: market.status,
    marketType: market.marketType,
    shard: market.shard,
    category: event.category,
    yesBidMicros: market.yesBidMicros,
    yesAskMicros: market.yesAskMicros,
    lastPriceMicros: market.lastPriceMicros,
    previousPriceMicros: market.previousPriceMicros,
    liquidityUsdcMicros: topLiquidity(market),
    volumeContractMicros: market.volumeContractMicros,
    volume24hContractMicros: market.volume24hContractMicros,
    openInterestContractMicros: market.openInterestContractMicros,
    createdAt: market.createdAt,
    updatedAt: market.updatedAt,
    openAt: market.openAt,
    closeAt: market.closeAt,
    expirationAt: market.expirationAt,
    expectedEndAt: market.expectedEndAt,
    canCloseEarly: market.canCloseEarly,
    earlyCloseCondition: market.earlyCloseCondition,
    proposedResult: market.proposedResult,
    strike: market.strike,
    strikeGroup: market.strikeGroup,
    settledAt: market.final?.settledAt ?? null,
    payoutYesMicros: market.final?.payoutYesMicros ?? null,
    result: market.final?.result ?? null,
    rulesPrimary: market.rulesPrimary,
    rulesSecondary: market.rulesSecondary,
    ...withMetadata(event.style, event.metadata, market.ticker),
  };
  // Mutates the row: copying every row of a page would dominate its garbage.
  return Object.assign(row, {
    contentHash: contentHashOf(row),
    syncedAt: now,
    finalSeenAt: market.final ? now : null,
  });
}

/** A hash over an event's row and its markets' rows; see the table. */
export function listingHashOf(event: EventRow, listed: readonly NewMarketRow[]): string {
  const hashes = [event, ...listed].map((row) => row.contentHash);
  return hash('sha1', hashes.join(SEPARATOR), 'base64');
}

export type KnownTokenIds = Pick<MarketRow, 'yesTokenId' | 'noTokenId'>;

/** Token ids derive from the ticker: those of a mirrored market are reused. */
export function tokenIdsOf(ticker: string, known: KnownTokenIds | undefined): KnownTokenIds {
  if (known) return { yesTokenId: known.yesTokenId, noTokenId: known.noTokenId };
  const ids = outcomeTokenIdsHex(ticker);
  return { yesTokenId: ids.yes, noTokenId: ids.no };
}

/** Separates values; PostgreSQL text cannot contain it. */
const SEPARATOR = '\0';

/** Detects changes of a listing. Runs for every market of every read. */
function contentHashOf(row: object): string {
  let said = '';
  for (const value of Object.values(row)) said += textOf(value) + SEPARATOR;
  return hash('sha1', said, 'base64');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return value.toString();
  if (value === null) return 'null';
  return value instanceof Date ? String(value.getTime()) : JSON.stringify(value);
}

/** The cash at the best prices: the listing's estimate until the whole book has been read. */
function topLiquidity(market: CatalogueMarket): bigint {
  const bid = market.yesBidMicros ?? 0n;
  const noBid = market.yesAskMicros === null ? 0n : MICROS - market.yesAskMicros;
  return (
    costMicros(market.yesBidContractMicros, bid, 'down') +
    costMicros(market.yesAskContractMicros, noBid, 'down')
  );
}
