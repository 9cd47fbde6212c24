import type { LiveBody } from '#server/domain/notifications/stream/liveBody.ts';
import type { Database } from '#server/platform/database/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { Log } from '#server/platform/log.ts';
import { watchStreams } from '#server/platform/metrics/requests.ts';
import { findDeadApiKeys } from '../../auth/manageApiKeys.ts';
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
import { createFollowers } from './followers.ts';
import { frameText } from './frame.ts';
import { lazyInit } from './lazyInit.ts';
import { Subscriber, type Subscription } from './subscriber.ts';
import { createTransferTail } from './transferTail.ts';

export type StreamHub = {
  /**
   * Opens a stream that counts for its key, its network and its wallets: none of them gets more than
   * its share, so that there is room left for others.
   * @throws {ServiceError} `rate_limited` when one of them has too many
   */
  open(shares: readonly StreamShare[], subscription: Subscription): LiveBody;
  /** Ends all streams; clients come back to another process. */
  closeAll(): void;
};

/** Of whom a stream is one, and how many they may have. */
export type StreamShare = { name: string; limit: number };

export type StreamDeps = {
  database: Database;
  log: Log;
  feed: MarketFeed;
  limits: { most: number };
};

const ORDER_POLL_MS = 250;
const MARKET_POLL_MS = 250;
/** How often all markets are read, whatever has been told of them: always, if nothing is told. */
const ALL_MARKETS_MS = 15_000;
const ALL_MARKETS_SILENT_MS = 1_500;
const MOVEMENT_POLL_MS = 500;
const CREDENTIAL_POLL_MS = 1_000;
const HEARTBEAT_MS = 15_000;
const MAX_AGE_MS = 60 * 60_000;
const PAGE = 500;
const MAX_REPLAY = 2_000;

/**
 * Sequence numbers are given before they are committed, so a lower one may show up after a higher
 * one. Looking this far back each time finds it.
 */
const LOOKBACK = 200n;

/**
 * One per process: reads what is new in the database while anybody listens, and hands it to those
 * whom it concerns. Correctness rests on reading, never on being notified.
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
        const bytes = frameText('market', text);
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

  async function closeEnded(): Promise<void> {
    const held = [...subscribers].map(({ subscription }) => subscription);
    const [sessions, keys] = await Promise.all([
      findEndedSessions(deps, [...new Set(held.flatMap(({ sessionId }) => sessionId ?? []))]),
      findDeadApiKeys(deps, [...new Set(held.map(({ viewer }) => viewer.apiKeyId))]),
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
      // In this order: what happens between the two is told by both, and once to the client.
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
      return subscriber;
    },
    closeAll() {
      for (const subscriber of subscribers) subscriber.close();
    },
  };
}

/** Repeats a step that never overlaps itself and whose failures pass. */
function repeat(everyMs: number, step: () => Promise<unknown>, log: Log): NodeJS.Timeout {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    step()
      .catch((err: unknown) => log.warn({ err }, 'streams could not be fed; trying again'))
      .finally(() => {
        running = false;
      });
  }, everyMs);
  timer.unref();
  return timer;
}

/** The end of the orders' log: gives every entry once, also those that are committed late. */
function createOrderTail(deps: StreamDeps) {
  let newest = 0n;
  let seen = new Set<bigint>();

  async function findEnd(): Promise<void> {
    newest = await latestSequence(deps);
    seen = new Set(await listSequences(deps, newest - LOOKBACK, PAGE));
  }

  const beginning = lazyInit(findEnd);

  return {
    /** From here on nothing is missed; what is older has to be read. */
    begin: beginning.begin,
    /** Forgets the past: the next entries are those from when it begins again. */
    reset: beginning.reset,
    async next(): Promise<FeedItem[]> {
      await beginning.begin();
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
