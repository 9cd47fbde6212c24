import { and, asc, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { events, markets } from '../db/schema/markets.ts';
import { ServiceError } from '../errors.ts';
import { seriesVolumeOf } from './catalogue.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { eventRecordOf, marketRecordOf } from './marketRecord.ts';
import { correct, loadVocabulary, wordsOf } from './searchVocabulary.ts';
import type { SearchEvent, SearchMarketsInput, SearchMarketsResult, SearchSort } from './types.ts';

type Deps = { database: Database };

/** Events that are ranked at most; more are counted as this many. */
const MAX_CANDIDATES = 1_000;
const MAX_WORDS = 12;
const MARKETS_PER_EVENT = 100;

/**
 * Searches events by the words of their titles and outcomes. A word matches what begins with it;
 * one that nothing begins with is corrected to the nearest words. Without words it browses.
 * @throws {ServiceError} invalid_request for a foreign cursor
 */
export async function searchMarkets(
  deps: Deps,
  input: SearchMarketsInput,
): Promise<SearchMarketsResult> {
  const words = wordsOf(input.query).slice(0, MAX_WORDS);
  const query = await textQuery(deps.database, words, input.fuzzyThreshold);
  if (words.length > 0 && query === undefined) {
    return { totalResultsCount: 0, events: [], nextCursor: '' };
  }
  const offset = input.cursor ? readOffset(input) : 0;
  const found = await rankEvents(deps.database, input, query, offset);
  const page = found.slice(0, input.pageSize);
  const [total, withMarkets] = await Promise.all([
    countEvents(deps.database, input, query),
    loadEvents(deps.database, input, page),
  ]);
  return {
    totalResultsCount: total,
    events: withMarkets,
    nextCursor:
      found.length > input.pageSize ? writeCursor([fingerprint(input), offset + page.length]) : '',
  };
}

/** `(rain:* | ruin:*) & paris:*`, or undefined when some word is near nothing we know. */
async function textQuery(
  database: Database,
  words: readonly string[],
  fuzzyThreshold: number,
): Promise<string | undefined> {
  if (words.length === 0) return undefined;
  const vocabulary = await loadVocabulary(database);
  const terms: string[] = [];
  for (const word of words) {
    const meant = correct(vocabulary, word, fuzzyThreshold);
    if (meant.length === 0) return undefined;
    terms.push(`(${meant.map((one) => `${one}:*`).join(' | ')})`);
  }
  return terms.join(' & ');
}

const SORTS: Record<SearchSort, (score: SQL) => SQL> = {
  querymatch: (score) => sql`${score} desc, volume_contract_micros desc`,
  trending: () => sql`volume_24h_contract_micros desc, volume_contract_micros desc`,
  volume: () => sql`volume_contract_micros desc`,
  liquidity: () => sql`liquidity_usdc_micros desc`,
  newest: () => sql`newest_at desc nulls last`,
  closing: () => sql`closes_next_at asc nulls last`,
};

function conditions(input: SearchMarketsInput, query: string | undefined): SQL {
  const filters: SQL[] = [];
  if (query !== undefined) filters.push(sql`e.search @@ to_tsquery('simple', ${query})`);
  if (input.category !== undefined) filters.push(sql`e.category = ${input.category}`);
  if (input.frequency !== undefined) filters.push(sql`e.frequency = ${input.frequency}`);
  if (input.statuses !== undefined) {
    const statuses = sql.join(
      input.statuses.map((status) => sql`${status}`),
      sql`, `,
    );
    filters.push(
      sql`exists (select 1 from markets m where m.event_ticker = e.ticker and m.status in (${statuses}))`,
    );
  }
  return filters.length === 0 ? sql`true` : sql.join(filters, sql` and `);
}

/** One more than the page, so that it shows whether there is another. */
async function rankEvents(
  database: Database,
  input: SearchMarketsInput,
  query: string | undefined,
  offset: number,
): Promise<{ ticker: string; score: number }[]> {
  const score =
    query === undefined ? sql`0::real` : sql`ts_rank(e.search, to_tsquery('simple', ${query}), 1)`;
  const sort = query === undefined && input.orderBy === 'querymatch' ? 'trending' : input.orderBy;
  const rows = await database.orm.execute<{ ticker: string; score: number }>(sql`
    select e.ticker, ${score} as score from events e
    where ${conditions(input, query)}
    order by ${SORTS[sort](score)}, e.ticker
    limit ${input.pageSize + 1} offset ${offset}`);
  return rows.rows;
}

async function countEvents(
  database: Database,
  input: SearchMarketsInput,
  query: string | undefined,
): Promise<number> {
  const counted = await database.orm.execute<{ total: number }>(sql`
    select count(*)::int as total from (
      select 1 from events e where ${conditions(input, query)} limit ${MAX_CANDIDATES}
    ) as candidates`);
  return counted.rows[0]?.total ?? 0;
}

async function loadEvents(
  database: Database,
  input: SearchMarketsInput,
  ranked: readonly { ticker: string; score: number }[],
): Promise<SearchEvent[]> {
  if (ranked.length === 0) return [];
  const tickers = ranked.map((event) => event.ticker);
  const [eventRows, marketRows] = await Promise.all([
    database.orm
      .select({ event: events, seriesVolume: seriesVolumeOf() })
      .from(events)
      .where(inArray(events.ticker, tickers)),
    database.orm
      .select()
      .from(markets)
      .where(
        and(
          inArray(markets.eventTicker, tickers),
          input.statuses ? inArray(markets.status, input.statuses) : undefined,
        ),
      )
      .orderBy(
        asc(markets.eventTicker),
        sql`${markets.yesBidMicros} desc nulls last`,
        asc(markets.ticker),
      ),
  ]);
  return ranked.flatMap(({ ticker, score }) => {
    const found = eventRows.find((row) => row.event.ticker === ticker);
    if (!found) return [];
    const scored = Math.round(score * 1_000);
    const ofEvent = marketRows.filter((row) => row.eventTicker === ticker);
    return [
      {
        ...eventRecordOf(found.event, BigInt(found.seriesVolume)),
        score: scored,
        markets: ofEvent
          .slice(0, MARKETS_PER_EVENT)
          .map((row) => ({ ...marketRecordOf(row), score: scored })),
      },
    ];
  });
}

function fingerprint(input: SearchMarketsInput): string {
  return [
    input.query,
    input.orderBy,
    input.fuzzyThreshold,
    input.category ?? '',
    input.frequency ?? '',
    (input.statuses ?? []).join(','),
  ]
    .join('|')
    .slice(0, 250);
}

function readOffset(input: SearchMarketsInput): number {
  const [print = '', offset = ''] = readCursor(input.cursor ?? '', 2);
  if (print === fingerprint(input) && /^\d{1,6}$/.test(offset)) return Number(offset);
  throw new ServiceError('invalid_request', 'The cursor belongs to another search.', {
    errors: [{ pointer: '/cursor', detail: 'must be used with the parameters it came from' }],
  });
}
