import { MAX_STREAMED_MARKETS, type StreamChannel } from '#lib/api/schemas/stream.ts';
import type { Database } from '#server/platform/database/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { LiveMarkets } from '../../markets/books/liveMarkets.ts';
import { listMarkets } from '../../markets/catalogue/catalogue.ts';
import { createFollowers } from './followers.ts';
import { createLiveFanOut } from './liveFanOut.ts';
import type { Subscriber } from './subscriber.ts';

/** Markets, and what to report of them. */
export type Following = { channels: readonly StreamChannel[]; tickers: readonly string[] };

/** What each subscriber follows: a stream follows each market on one or more channels. */
export function createFollowings(deps: { database: Database; liveMarkets: LiveMarkets }) {
  const markets = createFollowers<Subscriber>();
  const live = createLiveFanOut(deps);
  const followed = new Map<Subscriber, Map<string, Set<StreamChannel>>>();

  function addOne(subscriber: Subscriber, channel: StreamChannel, ticker: string): void {
    if (channel === 'market') markets.add(subscriber, ticker);
    else live.add(subscriber, channel, ticker);
    const mine = followed.get(subscriber);
    mine?.set(ticker, (mine.get(ticker) ?? new Set()).add(channel));
  }

  function removeOne(subscriber: Subscriber, channel: StreamChannel, ticker: string): void {
    if (channel === 'market') markets.remove(subscriber, ticker);
    else live.remove(subscriber, channel, ticker);
    const mine = followed.get(subscriber);
    const left = mine?.get(ticker);
    left?.delete(channel);
    if (left?.size === 0) mine?.delete(ticker);
  }

  return {
    /** The readers of the channel `market`. */
    markets,
    join(subscriber: Subscriber): void {
      followed.set(subscriber, new Map());
    },
    leave(subscriber: Subscriber): void {
      for (const [ticker, channels] of followed.get(subscriber) ?? []) {
        for (const channel of channels) removeOne(subscriber, channel, ticker);
      }
      followed.delete(subscriber);
    },
    /** @throws {ServiceError} `invalid_request` for too many markets, `rate_limited` */
    async follow(subscriber: Subscriber, { channels, tickers }: Following) {
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
    },
    unfollow(subscriber: Subscriber, { channels, tickers }: Following) {
      for (const ticker of tickers) {
        for (const channel of channels) removeOne(subscriber, channel, ticker);
      }
      return { count: followed.get(subscriber)?.size ?? 0 };
    },
  };
}

async function listKnown(
  deps: { database: Database },
  tickers: readonly string[],
): Promise<Set<string>> {
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
