import type { Database } from '#server/platform/database/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { Log } from '#server/platform/log.ts';
import { watchStreams } from '#server/platform/metrics/requests.ts';
import { listSavedVersions } from '../../accounts/saved/savedItems.ts';
import { findInactiveApiKeys } from '../../auth/manageApiKeys.ts';
import { findEndedSessions } from '../../auth/sessions.ts';
import { listMarkets } from '../../markets/catalogue/catalogue.ts';
import type { MarketFeed } from '../../markets/catalogue/changes/marketFeed.ts';
import type { MarketRecord } from '../../markets/catalogue/types.ts';
import {
  type FeedItem,
  latestSequence,
  listSequences,
  maySee,
  readFeed,
  readFeedItems,
} from '../../orders/read/eventFeed.ts';
import { frame, Subscriber, type Subscription } from './subscriber.ts';
import { createTransferTail, lazyInit } from './transferTail.ts';

export type StreamHub = {
  /**
   * Opens a stream that counts for the quotas of its key, its network and its wallets.
   * @throws {ServiceError} `rate_limited` when a quota or the process is full
   */
  open(shares: readonly StreamShare[], subscription: Subscription): ReadableStream<Uint8Array>;
  /** Ends all streams; clients reconnect to another process. */
  closeAll(): void;
};

/** A quota of open streams. */
export type StreamShare = { name: string; limit: number };

export type StreamDeps = {
  database: Database;
  log: Log;
  feed: MarketFeed;
  limits: { most: number };
};

const ORDER_POLL_MS = 250;
const MARKET_POLL_MS = 250;
/** How often all markets are read, with and without a current feed of changes. */
const ALL_MARKETS_MS = 15_000;
const ALL_MARKETS_SILENT_MS = 1_500;
const MOVEMENT_POLL_MS = 500;
const SAVED_POLL_MS = 1_000;
const CREDENTIAL_POLL_MS = 1_000;
const HEARTBEAT_MS = 15_000;
const MAX_AGE_MS = 60 * 60_000;
const PAGE = 500;
const MAX_REPLAY = 2_000;

/**
 * Sequence numbers are assigned before commit, so a lower one may appear after a higher one. Each
 * read starts this far back to find it.
 */
const LOOKBACK = 200n;

/**
 * One per process: while streams are open, polls the database for changes and sends them to the
 * subscribers they concern. Change notifications only save reads; none is needed for correctness.
 */
export function createStreamHub(
  deps: StreamDeps,
  describeMarket: (market: MarketRecord) => unknown,
): StreamHub {
  const subscribers = new Set<Subscriber>();
  watchStreams(() => subscribers.size);
  const perShare = new Map<string, number>();
  const orders = createOrderTail(deps);
  const movements = createTransferTail(deps);
  const followers = createFollowers();
  const sent = new Map<string, string>();
  let hasAllChanged = true;
  let changed = new Set<string>();
  let readAllAt = Number.NEGATIVE_INFINITY;
  const timers: NodeJS.Timeout[] = [];

  deps.feed.onChange((tickers) => {
    if (tickers === 'everything') hasAllChanged = true;
    else for (const ticker of tickers) if (followers.has(ticker)) changed.add(ticker);
  });

  async function pumpOrders(): Promise<void> {
    for (const item of await orders.next()) {
      for (const one of subscribers) {
        if (maySee(one.subscription.viewer, item)) one.sendOrder(item);
      }
    }
  }

  function takeWanted(): string[] {
    const everyMs = deps.feed.isCurrent() ? ALL_MARKETS_MS : ALL_MARKETS_SILENT_MS;
    const now = performance.now();
    const isAll = hasAllChanged || now - readAllAt >= everyMs;
    if (isAll) readAllAt = now;
    const wanted = isAll ? followers.tickers() : [...changed];
    hasAllChanged = false;
    changed = new Set();
    return wanted;
  }

  async function pumpMarkets(): Promise<void> {
    const wanted = takeWanted();
    for (let start = 0; start < wanted.length; start += PAGE) {
      const tickers = wanted.slice(start, start + PAGE);
      const { markets } = await listMarkets(deps, { tickers, limit: PAGE });
      for (const market of markets) {
        const text = JSON.stringify(describeMarket(market));
        if (sent.get(market.ticker) === text) continue;
        sent.set(market.ticker, text);
        const bytes = frame('market', text);
        for (const one of followers.of(market.ticker)) one.send(bytes);
      }
    }
  }

  async function pumpMovements(): Promise<void> {
    const listening = [...subscribers].filter((one) => one.subscription.holders.size > 0);
    if (listening.length === 0) return movements.reset();
    const moved = await movements.next();
    for (const one of listening) {
      for (const address of moved) {
        if (one.subscription.holders.has(address)) one.sendAccount(address);
      }
    }
  }

  async function pumpSaved(): Promise<void> {
    const owners = [...subscribers].flatMap(({ subscription }) => subscription.viewer.owner ?? []);
    const versions = await listSavedVersions(deps.database.orm, [...new Set(owners)]);
    for (const one of subscribers) {
      one.sendSaved(versions.get(one.subscription.viewer.owner ?? '') ?? 0);
    }
  }

  async function closeEnded(): Promise<void> {
    const held = [...subscribers].map(({ subscription }) => subscription);
    const [sessions, keys] = await Promise.all([
      findEndedSessions(deps, [...new Set(held.flatMap(({ sessionId }) => sessionId ?? []))]),
      findInactiveApiKeys(deps, [...new Set(held.map(({ viewer }) => viewer.apiKeyId))]),
    ]);
    for (const one of subscribers) {
      const { sessionId, viewer } = one.subscription;
      const hasEnded = sessionId !== undefined && sessions.has(sessionId);
      if (hasEnded || keys.includes(viewer.apiKeyId)) one.close();
    }
  }

  async function beat(): Promise<void> {
    const oldest = performance.now() - MAX_AGE_MS;
    for (const one of subscribers) {
      if (one.openedAt < oldest) one.close();
      else one.beat();
    }
  }

  function start(): void {
    orders.reset();
    movements.reset();
    sent.clear();
    hasAllChanged = true;
    timers.push(
      repeat(ORDER_POLL_MS, pumpOrders, deps.log),
      repeat(MARKET_POLL_MS, pumpMarkets, deps.log),
      repeat(MOVEMENT_POLL_MS, pumpMovements, deps.log),
      repeat(SAVED_POLL_MS, pumpSaved, deps.log),
      repeat(CREDENTIAL_POLL_MS, closeEnded, deps.log),
      repeat(HEARTBEAT_MS, beat, deps.log),
    );
  }

  function leave(subscriber: Subscriber): void {
    subscribers.delete(subscriber);
    followers.remove(subscriber);
    for (const name of subscriber.shares) {
      const left = (perShare.get(name) ?? 1) - 1;
      if (left > 0) perShare.set(name, left);
      else perShare.delete(name);
    }
    if (subscribers.size === 0) for (const timer of timers.splice(0)) clearInterval(timer);
  }

  async function replay(subscriber: Subscriber, after: bigint): Promise<void> {
    try {
      // In this order no event is missed; one between the two comes from both, and is sent once.
      await orders.begin();
      if (subscriber.subscription.holders.size > 0) await movements.begin();
      const missed = await readFeed(deps, after, MAX_REPLAY + 1);
      subscriber.endReplay(
        missed.filter((item) => maySee(subscriber.subscription.viewer, item)).slice(0, MAX_REPLAY),
        missed.length <= MAX_REPLAY,
      );
    } catch (err) {
      deps.log.warn({ err }, 'a stream could not be resumed');
      subscriber.close();
    }
  }

  return {
    open(shares, subscription) {
      const isFull = shares.some(({ name, limit }) => (perShare.get(name) ?? 0) >= limit);
      if (isFull || subscribers.size >= deps.limits.most) {
        throw new ServiceError('rate_limited', 'Too many open streams. Close one first.', {
          retryAfterSeconds: 10,
        });
      }
      const names = shares.map(({ name }) => name);
      for (const name of names) perShare.set(name, (perShare.get(name) ?? 0) + 1);
      const subscriber = new Subscriber(names, subscription, leave);
      subscribers.add(subscriber);
      followers.add(subscriber);
      if (timers.length === 0) start();
      void replay(subscriber, subscription.resumeAfter);
      return subscriber.stream;
    },
    closeAll() {
      for (const subscriber of subscribers) subscriber.close();
    },
  };
}

/** Repeats a step, without overlap, and logs its failures. */
function repeat(everyMs: number, step: () => Promise<unknown>, log: Log): NodeJS.Timeout {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    step()
      .catch((err: unknown) => log.warn({ err }, 'streams could not be updated; retrying'))
      .finally(() => {
        running = false;
      });
  }, everyMs);
  timer.unref();
  return timer;
}

/**
 * The end of the orders' log: returns every entry once, including those that are committed late.
 */
function createOrderTail(deps: StreamDeps) {
  let newest = 0n;
  let seen = new Set<bigint>();

  async function findEnd(): Promise<void> {
    newest = await latestSequence(deps);
    seen = new Set(await listSequences(deps, newest - LOOKBACK, PAGE));
  }

  const start = lazyInit(findEnd);

  return {
    /** Starts to collect; older entries have to be read from the log. */
    begin: start.begin,
    /** Stops collecting; the next entries are those after it begins again. */
    reset: start.reset,
    async next(): Promise<FeedItem[]> {
      await start.begin();
      const present = await listSequences(deps, newest - LOOKBACK, PAGE);
      const unseen = present.filter((sequence) => !seen.has(sequence));
      const fresh = await readFeedItems(deps, unseen);
      for (const sequence of unseen) {
        seen.add(sequence);
        if (sequence > newest) newest = sequence;
      }
      const horizon = newest - LOOKBACK;
      for (const sequence of seen) if (sequence <= horizon) seen.delete(sequence);
      return fresh;
    },
  };
}

/** The subscribers of each market. */
export function createFollowers() {
  const byTicker = new Map<string, Set<Subscriber>>();
  return {
    add(subscriber: Subscriber): void {
      for (const ticker of subscriber.subscription.tickers) {
        const known = byTicker.get(ticker);
        if (known) known.add(subscriber);
        else byTicker.set(ticker, new Set([subscriber]));
      }
    },
    remove(subscriber: Subscriber): void {
      for (const ticker of subscriber.subscription.tickers) {
        const left = byTicker.get(ticker);
        left?.delete(subscriber);
        if (left?.size === 0) byTicker.delete(ticker);
      }
    },
    has: (ticker: string) => byTicker.has(ticker),
    of: (ticker: string): Iterable<Subscriber> => byTicker.get(ticker) ?? [],
    tickers: () => [...byTicker.keys()],
  };
}
