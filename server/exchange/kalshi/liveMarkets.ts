import type { ExchangeMarketData, MarketUpdate } from '../port.ts';
import { createLiveConnection, type LiveConnection, type LiveOptions } from './liveConnection.ts';

type Follower = (update: MarketUpdate) => void;

/**
 * Follows markets over one connection, and over further ones once the exchange refuses to add more
 * markets to it.
 */
export function createLiveMarkets(options: LiveOptions): ExchangeMarketData['followMarket'] {
  const followers = new Map<string, Set<Follower>>();
  const connections = new Set<LiveConnection>();
  const followedBy = new Map<string, LiveConnection>();
  /** Per connection, as far as the exchange has shown. */
  let mostMarkets = Number.POSITIVE_INFINITY;

  const publish = (ticker: string, update: MarketUpdate) => {
    for (const follower of followers.get(ticker) ?? []) follower(update);
  };

  function open(): LiveConnection {
    const connection = createLiveConnection(options, {
      publish,
      onRefused: (tickers) => move(connection, tickers),
    });
    connections.add(connection);
    return connection;
  }

  function follow(ticker: string): void {
    const roomy = [...connections].find((one) => one.size() < mostMarkets);
    const connection = roomy ?? open();
    followedBy.set(ticker, connection);
    connection.follow(ticker);
  }

  function leave(from: LiveConnection, tickers: readonly string[]): void {
    for (const ticker of tickers) followedBy.delete(ticker);
    from.leave(tickers);
    if (from.size() === 0) connections.delete(from);
  }

  /** Each channel of a connection refuses the same markets. */
  function move(from: LiveConnection, tickers: readonly string[]): void {
    const refused = tickers.filter((ticker) => followedBy.get(ticker) === from);
    if (refused.length === 0) return;
    mostMarkets = Math.max(1, Math.min(mostMarkets, from.size() - refused.length));
    options.log.warn({ mostMarkets, refused: refused.length }, 'markets need another connection');
    leave(from, refused);
    for (const ticker of refused) {
      publish(ticker, { kind: 'stale' });
      follow(ticker);
    }
  }

  return (ticker, onUpdate) => {
    const follower: Follower = (update) => onUpdate(update);
    const others = followers.get(ticker) ?? new Set();
    followers.set(ticker, others.add(follower));
    if (others.size === 1) follow(ticker);
    return {
      getBook: () => followedBy.get(ticker)?.getBook(ticker),
      stop() {
        if (!followers.get(ticker)?.delete(follower) || others.size > 0) return;
        followers.delete(ticker);
        const connection = followedBy.get(ticker);
        if (connection) leave(connection, [ticker]);
      },
    };
  };
}
