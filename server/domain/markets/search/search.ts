import { and, inArray } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { events, markets } from '#server/platform/database/schema/markets.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { readCursor, writeCursor } from '../catalogue/cursor.ts';
import {
  eventRecordOf,
  marketColumns,
  marketRecordOf,
  milestoneOf,
} from '../catalogue/marketRecord.ts';
import { statusMaskOf } from '../catalogue/statusMask.ts';
import type { SearchEvent, SearchMarketsInput, SearchMarketsResult } from '../catalogue/types.ts';
import { freshIndex } from './indexFeed.ts';
import type { FoundEvent, SearchIndex } from './searchIndex.ts';

type Deps = { database: Database };

const MARKETS_PER_EVENT = 100;
/** Published scores are integers: the index's own scores times this. */
const SCORE_SCALE = 10;

/**
 * Searches events by the words and phrases of their titles, outcomes, series, categories and
 * tickers. Without words, lists all events.
 * @throws {ServiceError} invalid_request for a foreign cursor
 */
export async function searchMarkets(
  deps: Deps,
  input: SearchMarketsInput,
): Promise<SearchMarketsResult> {
  const offset = input.cursor ? readOffset(input) : 0;
  const index = await freshIndex(deps.database);
  const { query, orderBy, fuzzyThreshold, statuses, category, frequency, seriesTicker } = input;
  const { total, found, corrected } = index.search({
    query,
    orderBy,
    fuzzyThreshold,
    offset,
    limit: input.pageSize,
    ...(statuses ? { statusMask: statusMaskOf(statuses) } : {}),
    ...(category === undefined ? {} : { category }),
    ...(frequency === undefined ? {} : { frequency }),
    ...(seriesTicker === undefined ? {} : { seriesTicker }),
    isGrouped: input.isGrouped ?? false,
  });
  const next = offset + found.length;
  return {
    totalResultsCount: total,
    events: await loadEvents(deps.database, index, input, found),
    nextCursor: next < total ? writeCursor([fingerprint(input), next]) : '',
    correctedQuery: corrected,
  };
}

/** Loads all events into memory, so that the first search does not wait. */
export async function warmSearch(deps: Deps): Promise<void> {
  await freshIndex(deps.database);
}

async function loadEvents(
  database: Database,
  index: SearchIndex,
  input: SearchMarketsInput,
  ranked: readonly FoundEvent[],
): Promise<SearchEvent[]> {
  if (ranked.length === 0) return [];
  const tickers = ranked.map((event) => event.ticker);
  const [eventRows, marketRows] = await Promise.all([
    database.orm.select().from(events).where(inArray(events.ticker, tickers)),
    database.orm
      .select(marketColumns)
      .from(markets)
      .where(
        and(
          inArray(markets.eventTicker, tickers),
          input.statuses ? inArray(markets.status, input.statuses) : undefined,
        ),
      ),
  ]);
  return ranked.flatMap(({ ticker, score, moreInSeries }) => {
    const found = eventRows.find((row) => row.ticker === ticker);
    if (!found) return [];
    const scored = Math.round(score * SCORE_SCALE);
    const ofEvent = marketRows.filter((row) => row.eventTicker === ticker).sort(likeliestFirst);
    return [
      {
        ...eventRecordOf(found),
        totalSeriesVolumeContractMicros: index.seriesVolumeContractMicros(found.seriesTicker),
        score: scored,
        milestones: (found.milestones ?? []).map(milestoneOf),
        moreInSeries: input.isGrouped ? moreInSeries : undefined,
        markets: ofEvent
          .slice(0, MARKETS_PER_EVENT)
          .map((row) => Object.assign(marketRecordOf(row), { score: scored })),
      },
    ];
  });
}

function likeliestFirst(
  a: { ticker: string; yesBidMicros: bigint | null },
  b: { ticker: string; yesBidMicros: bigint | null },
): number {
  const apart = Number((b.yesBidMicros ?? -1n) - (a.yesBidMicros ?? -1n));
  return apart || (a.ticker < b.ticker ? -1 : 1);
}

function fingerprint(input: SearchMarketsInput): string {
  return [
    input.query,
    input.orderBy,
    input.fuzzyThreshold,
    input.category ?? '',
    input.frequency ?? '',
    (input.statuses ?? []).join(','),
    ...(input.seriesTicker === undefined && !input.isGrouped
      ? []
      : [input.seriesTicker ?? '', String(input.isGrouped ?? false)]),
  ]
    .join('|')
    .slice(0, 250);
}

function readOffset(input: SearchMarketsInput): number {
  const [print = '', offset = ''] = readCursor(input.cursor ?? '', 2);
  if (print === fingerprint(input) && /^\d{1,6}$/.test(offset)) return Number(offset);
  throw new ServiceError('invalid_request', 'The cursor belongs to another search.', {
    errors: [{ pointer: '/cursor', detail: 'must be used with the same parameters' }],
  });
}
