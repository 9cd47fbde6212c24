import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../platform/log.ts';
import type { ExchangeMarketData } from '../port.ts';
import type { createBookFeed } from './bookFeed.ts';
import { differences } from './followedBook.ts';

/** How often one book is compared; each in turn. */
const TURN_MS = 5_000;
/** No book is compared more often. */
const LEAST_MS = 60_000;
/** A read may be older or newer than the feed: only a difference that lasts this long counts. */
const SECOND_LOOK_MS = 2_000;

type CompareOptions = {
  books: Pick<ReturnType<typeof createBookFeed>, 'get' | 'tickers' | 'distrust'>;
  log: Log;
  getOrderBook: ExchangeMarketData['getOrderBook'];
  turnMs?: number;
  leastMs?: number;
  secondLookMs?: number;
};

/**
 * Compares the followed books with reads over REST, one after the other; a book that differs in two
 * looks is distrusted. Returns a function that ends it.
 */
export function compareBooks(options: CompareOptions): () => void {
  const { books, log, turnMs = TURN_MS, leastMs = LEAST_MS } = options;
  const comparedAt = new Map<string, number>();
  let isComparing = false;

  /** Undefined when the book cannot be compared now. */
  async function look(ticker: string): Promise<string[] | undefined> {
    const theirs = await options.getOrderBook(ticker);
    const ours = books.get(ticker);
    return ours?.isCurrent ? differences(ours.read(), theirs) : undefined;
  }

  async function compare(ticker: string): Promise<void> {
    const first = await look(ticker);
    if (!first || first.length === 0) return;
    await delay(options.secondLookMs ?? SECOND_LOOK_MS, undefined, { ref: false });
    const second = await look(ticker);
    // The same two sizes twice: neither a late read nor a late message.
    const lasting = second?.filter((one) => first.includes(one)) ?? [];
    if (lasting.length === 0) return;
    log.error({ ticker, lasting }, 'a followed book differs from the exchange’s');
    books.distrust(ticker);
  }

  /** The market whose comparison is longest ago, if it is due. */
  function next(): string | undefined {
    const now = performance.now();
    const known = new Set(books.tickers());
    for (const ticker of comparedAt.keys()) if (!known.has(ticker)) comparedAt.delete(ticker);
    const at = (ticker: string) => comparedAt.get(ticker) ?? Number.NEGATIVE_INFINITY;
    const [oldest] = [...known].toSorted((a, b) => (at(a) < at(b) ? -1 : 1));
    return oldest !== undefined && now - at(oldest) >= leastMs ? oldest : undefined;
  }

  const timer = setInterval(() => {
    if (isComparing) return;
    const ticker = next();
    if (ticker === undefined) return;
    comparedAt.set(ticker, performance.now());
    isComparing = true;
    compare(ticker)
      .catch((err: unknown) => log.debug({ err, ticker }, 'a book could not be compared'))
      .finally(() => {
        isComparing = false;
      });
  }, turnMs);
  timer.unref();
  return () => clearInterval(timer);
}
