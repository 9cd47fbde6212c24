import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { watchStreams } from '#server/platform/metrics/requests.ts';
import type { LiveMarkets } from '../../markets/books/liveMarkets.ts';
import type { MarketFeed } from '../../markets/catalogue/changes/marketFeed.ts';
import type { MarketRecord } from '../../markets/catalogue/types.ts';
import { createDelivery } from './delivery.ts';
import { createFollowings, type Following } from './followings.ts';
import { createMarketTail } from './marketTail.ts';
import { createEventStream, type Outlet } from './outlet.ts';
import { createStreamRooms, type StreamShare } from './streamRooms.ts';
import { Subscriber, type Subscription } from './subscriber.ts';

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

export type StreamDeps = {
  database: Database;
  log: Log;
  feed: MarketFeed;
  liveMarkets: LiveMarkets;
  limits: { most: number };
};

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
  const rooms = createStreamRooms(deps.limits.most);
  const followings = createFollowings(deps);
  const delivery = createDelivery(deps, subscribers, {
    tail: createMarketTail(deps, describeMarket, followings.markets),
    followersOf: followings.markets.of,
  });

  function attach(
    shares: readonly StreamShare[],
    subscription: Subscription,
    outlet: Outlet,
  ): Subscriber {
    const release = rooms.take(shares);
    const subscriber = new Subscriber(subscription, outlet, () => {
      subscribers.delete(subscriber);
      followings.leave(subscriber);
      release();
      if (subscribers.size === 0) delivery.stop();
    });
    subscribers.add(subscriber);
    followings.join(subscriber);
    if (!delivery.isRunning()) delivery.start();
    void delivery.replay(subscriber);
    return subscriber;
  }

  return {
    async open(shares, subscription, following) {
      const { outlet, stream } = createEventStream();
      const subscriber = attach(shares, subscription, outlet);
      try {
        await followings.follow(subscriber, following);
      } catch (error) {
        subscriber.close();
        throw error;
      }
      return stream;
    },
    requireRoom: rooms.requireRoom,
    openOn(shares, subscription, outlet) {
      const subscriber = attach(shares, subscription, outlet);
      return {
        follow: (following) => followings.follow(subscriber, following),
        unfollow: (following) => followings.unfollow(subscriber, following),
        close: () => subscriber.close(),
      };
    },
    closeAll() {
      for (const subscriber of subscribers) subscriber.close();
    },
  };
}
