import { createTimedCache } from '../../platform/timedCache.ts';
import { ExchangeResponseError, ExchangeUnavailableError } from '../errors.ts';
import type { HttpClient } from './httpClient.ts';
import { asWire, moment, text, type Wire } from './wire.ts';

/**
 * The exchange moves ended orders, fills, trades and settled markets from its live endpoints to
 * `/historical` once they are older than a cutoff that it moves forward. A read covers both sides:
 * the live one first, then the archive. What is archived meanwhile then shows on at least one side;
 * it may show on both.
 */

const PAGE_SIZE = 200;
const MOST_PAGES = 500;
/** Lists that prove no absence may learn of a new cutoff this much later. */
const CUTOFF_HOLDS_MS = 1_000;

type Query = Record<string, string | number>;

/** Lists of our own since a given time, from both sides of the cutoff. */
export type OwnLists = {
  orders(since: Date, query?: Query): AsyncGenerator<Wire>;
  fills(since: Date, query?: Query): AsyncGenerator<Wire>;
};

export function createOwnLists(http: HttpClient): OwnLists {
  const recentCutoff = createTimedCache(CUTOFF_HOLDS_MS, (name) => readCutoff(http, name));

  async function* list(
    name: 'orders' | 'fills',
    since: Date,
    query: Query,
    cutoff: () => Promise<Cutoff>,
  ): AsyncGenerator<Wire> {
    const asked = { ...query, min_ts: Math.floor(since.getTime() / 1000) };
    yield* pages(http, `/portfolio/${name}`, asked, name);
    if (isBefore(since, await cutoff())) yield* pages(http, `/historical/${name}`, asked, name);
  }

  return {
    // Read after the live side: an earlier cutoff would miss what was archived in between.
    orders: (since, query = {}) =>
      list('orders', since, query, () => readCutoff(http, 'orders_updated_ts')),
    // Callers compare the sum of the fills with their order's.
    fills: (since, query = {}) =>
      list('fills', since, query, () => recentCutoff('trades_created_ts')),
  };
}

/** Whether the archive may hold trades of a market that opened then. */
export function createTradeArchive(
  http: HttpClient,
): (openedAt: Date | undefined) => Promise<boolean> {
  const cutoff = createTimedCache(CUTOFF_HOLDS_MS, (name) => readCutoff(http, name));
  return async (openedAt) => isBefore(openedAt, await cutoff('trades_created_ts'));
}

type Cutoff = Date | 'unknown' | 'none';

/** Without a readable cutoff the archive may hold anything. */
function isBefore(since: Date | undefined, cutoff: Cutoff): boolean {
  if (cutoff === 'none') return false;
  return cutoff === 'unknown' || since === undefined || since < cutoff;
}

async function readCutoff(http: HttpClient, name: string): Promise<Cutoff> {
  const body = await unlessMissing(() => http.get('/historical/cutoff'));
  return body ? (moment(body[name]) ?? 'unknown') : 'none';
}

/** The items of a list of our own, page by page. @throws {ExchangeUnavailableError} */
export async function* pages(
  http: HttpClient,
  path: string,
  query: Query,
  name: string,
): AsyncGenerator<Wire> {
  let cursor = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const body = await http.get(
      path,
      { ...query, limit: PAGE_SIZE, ...(cursor === '' ? {} : { cursor }) },
      { isKeyed: true },
    );
    const items = body[name] ?? (name in body ? [] : undefined);
    // A response without the list does not prove that the list is empty.
    if (!Array.isArray(items)) throw new ExchangeUnavailableError('unreadable', path);
    for (const item of items) yield asWire(item);
    cursor = text(body, 'cursor');
    if (cursor === '') return;
  }
  throw new RangeError(`${path} has more pages than can be true`);
}

/** The result, or undefined for a 404. */
export async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ExchangeResponseError && error.status === 404) return undefined;
    throw error;
  }
}
