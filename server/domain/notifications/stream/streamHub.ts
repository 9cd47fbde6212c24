import { MAX_STREAMED_MARKETS, type StreamChannel } from '#lib/api/schemas/stream.ts';
import type { Database } from '#server/platform/database/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { Log } from '#server/platform/log.ts';
import { watchStreams } from '#server/platform/metrics/requests.ts';
import { listSavedVersions } from '../../accounts/saved/savedItems.ts';
import { findInactiveApiKeys } from '../../auth/manageApiKeys.ts';
import { findEndedSessions } from '../../auth/sessions.ts';
import type { LiveMarkets } from '../../markets/books/liveMarkets.ts';
import { listMarkets } from '../../markets/catalogue/catalogue.ts';
import type { MarketFeed } from '../../markets/catalogue/changes/marketFeed.ts';
import type { MarketRecord } from '../../markets/catalogue/types.ts';
import { maySee, readFeed } from '../../orders/read/eventFeed.ts';
import { createFollowers } from './followers.ts';
import { createLiveFanOut } from './liveFanOut.ts';
import { createOrderTail } from './orderTail.ts';
import { createEventStream, type Outlet } from './outlet.ts';
import { StreamMessage } from './streamMessage.ts';
import { Subscriber, type Subscription } from './subscriber.ts';
import { createTransferTail } from './transferTail.ts';

/** Markets, and what to report of them. */
export type Following = { channels: readonly StreamChannel[]; tickers: readonly string[] };

/** An open stream whose client may change what it follows. */
export type OpenStream = {
  /**
   * Returns how many markets the stream follows, and which of the named ones are not known.
   * @throws {ServiceError} `invalid_request` for too many markets, `rate_limited`
   */
  follow(following: Following): Promise<{ count: number; unknown: string[] }>;
  unfollow(following: Following): { count: number };
  close(): void;
};

export type StreamHub = {
  /**
   * Opens a stream of server-sent events that counts for the quotas of its key, its network and its
   * wallets.
   * @throws {ServiceError} `rate_limited` when a quota or the process is full
   */
  open(
    shares: readonly StreamShare[],
    subscription: Subscription,
    following: Following,
  ): Promise<ReadableStream<Uint8Array>>;
  /** Refuses what `openOn` would refuse. @throws {ServiceError} `rate_limited` */
  requireRoom(shares: readonly StreamShare[]): void;
  /** The same stream on another outlet. @throws {ServiceError} `rate_limited` */
  openOn(shares: readonly StreamShare[], subscription: Subscription, outlet: Outlet): OpenStream;
  /** Ends all streams; clients reconnect to another process. */
  closeAll(): void;
};

/** A quota of open streams. */
export type StreamShare = { name: string; limit: number };

export type StreamDeps = {
  database: Database;
  log: Log;
  feed: MarketFeed;
  liveMarkets: LiveMarkets;
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
  const followers = createFollowers<Subscriber>();
  const live = createLiveFanOut(deps);
  const followed = new Map<Subscriber, Followed>();
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
        const message = new StreamMessage('market', text);
        for (const one of followers.of(market.ticker)) one.send(message);
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
    for (const [ticker, channels] of followed.get(subscriber) ?? []) {
      for (const channel of channels) removeOne(subscriber, channel, ticker);
    }
    followed.delete(subscriber);
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

  function requireRoom(shares: readonly StreamShare[]): void {
    const isFull = shares.some(({ name, limit }) => (perShare.get(name) ?? 0) >= limit);
    if (!isFull && subscribers.size < deps.limits.most) return;
    throw new ServiceError('rate_limited', 'Too many open streams. Close one first.', {
      retryAfterSeconds: 10,
    });
  }

  function attach(
    shares: readonly StreamShare[],
    subscription: Subscription,
    outlet: Outlet,
  ): Subscriber {
    requireRoom(shares);
    const names = shares.map(({ name }) => name);
    for (const name of names) perShare.set(name, (perShare.get(name) ?? 0) + 1);
    const subscriber = new Subscriber(names, subscription, outlet, leave);
    subscribers.add(subscriber);
    followed.set(subscriber, new Map());
    if (timers.length === 0) start();
    void replay(subscriber, subscription.resumeAfter);
    return subscriber;
  }

  function addOne(subscriber: Subscriber, channel: StreamChannel, ticker: string): void {
    if (channel === 'market') followers.add(subscriber, ticker);
    else live.add(subscriber, channel, ticker);
    const mine = followed.get(subscriber);
    mine?.set(ticker, (mine.get(ticker) ?? new Set()).add(channel));
  }

  function removeOne(subscriber: Subscriber, channel: StreamChannel, ticker: string): void {
    if (channel === 'market') followers.remove(subscriber, ticker);
    else live.remove(subscriber, channel, ticker);
    const mine = followed.get(subscriber);
    const left = mine?.get(ticker);
    left?.delete(channel);
    if (left?.size === 0) mine?.delete(ticker);
  }

  async function follow(subscriber: Subscriber, { channels, tickers }: Following) {
    const isLive = channels.some((channel) => channel !== 'market');
    // The exchange is asked for markets that exist, and for no others.
    const known = isLive ? await listKnown(deps, tickers) : new Set(tickers);
    const mine = followed.get(subscriber);
    // The client may have left meanwhile.
    if (!mine) return { count: 0, unknown: [] };
    const wanted = new Set([...mine.keys(), ...tickers.filter((ticker) => known.has(ticker))]);
    if (wanted.size > MAX_STREAMED_MARKETS) throw tooManyMarkets();
    for (const ticker of tickers) {
      for (const channel of channels) if (known.has(ticker)) addOne(subscriber, channel, ticker);
    }
    return { count: mine.size, unknown: tickers.filter((ticker) => !known.has(ticker)) };
  }

  return {
    async open(shares, subscription, following) {
      const { outlet, stream } = createEventStream();
      const subscriber = attach(shares, subscription, outlet);
      try {
        await follow(subscriber, following);
      } catch (error) {
        subscriber.close();
        throw error;
      }
      return stream;
    },
    requireRoom,
    openOn(shares, subscription, outlet) {
      const subscriber = attach(shares, subscription, outlet);
      return {
        follow: (following) => follow(subscriber, following),
        unfollow({ channels, tickers }) {
          for (const ticker of tickers) {
            for (const channel of channels) removeOne(subscriber, channel, ticker);
          }
          return { count: followed.get(subscriber)?.size ?? 0 };
        },
        close: () => subscriber.close(),
      };
    },
    closeAll() {
      for (const subscriber of subscribers) subscriber.close();
    },
  };
}

/** The channels on which a stream follows each market. */
type Followed = Map<string, Set<StreamChannel>>;

async function listKnown(deps: StreamDeps, tickers: readonly string[]): Promise<Set<string>> {
  const named = [...new Set(tickers)];
  if (named.length === 0) return new Set();
  const { markets } = await listMarkets(deps, { tickers: named, limit: named.length });
  return new Set(markets.map(({ ticker }) => ticker));
}

function tooManyMarkets(): ServiceError {
  const detail = `must leave at most ${MAX_STREAMED_MARKETS} markets followed`;
  return new ServiceError('invalid_request', 'One field must be changed.', {
    errors: [{ pointer: '/tickers', detail }],
  });
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
