import { ensureBook } from '../bots.ts';
import { adoptMarket } from '../listing.ts';
import type { ExchangeMarket } from '../market.ts';
import type { Signal } from '../signals.ts';
import type { Exchange } from '../state.ts';
import { createFaultyWire } from './faultyWire.ts';
import { messagesOf } from './socketMessages.ts';
import { CHANNELS, type Channel, isUnnumbered, type Subscription } from './subscription.ts';
import { bookWire, count, dollars } from './wire.ts';

type Command = {
  id?: number;
  cmd?: string;
  params?: {
    channels?: unknown;
    market_ticker?: unknown;
    market_tickers?: unknown;
    sid?: unknown;
    sids?: unknown;
    action?: unknown;
    use_yes_price?: unknown;
    send_initial_snapshot?: unknown;
    skip_ticker_ack?: unknown;
  };
};

/** One WebSocket connection's subscriptions. */
export function createSession(exchange: Exchange, accountId: string, send: (text: string) => void) {
  const subscriptions = new Map<number, Subscription>();
  let nextSid = 1;
  const { post, postUnnumbered } = createFaultyWire(exchange, send);

  function fail(id: number | undefined, code: number, text: string): void {
    post({ id, type: 'error', msg: { code, msg: text } });
  }

  function snapshot(subscription: Subscription, market: ExchangeMarket): void {
    ensureBook(exchange, market);
    const { yes_dollars, no_dollars } = bookWire(market, 0);
    const no = subscription.yesPrices
      ? (market.book?.asks ?? []).map((level) => [
          dollars(level.priceMicros),
          count(level.totalMicros),
        ])
      : no_dollars;
    subscription.seq += 1;
    post({
      type: 'orderbook_snapshot',
      sid: subscription.sid,
      seq: subscription.seq,
      msg: {
        market_ticker: market.ticker,
        market_id: market.ticker,
        ...(yes_dollars.length > 0 ? { yes_dollars_fp: yes_dollars } : {}),
        ...(no.length > 0 ? { no_dollars_fp: no } : {}),
      },
    });
  }

  function subscribe(command: Command) {
    const { params = {}, id } = command;
    const channels = texts(params.channels);
    const tickers = [...texts(params.market_tickers), ...texts(params.market_ticker)];
    if (channels.length === 0) return fail(id, 2, 'channels are required');
    for (const channel of channels) {
      const known = CHANNELS.find((name) => name === channel);
      if (!known) return fail(id, 5, `unknown channel ${channel}`);
      if (known === 'orderbook_delta' && tickers.length === 0) {
        return fail(id, 14, 'market ticker required');
      }
      if (tickers.length > exchange.marketsPerSubscription) {
        fail(id, 26, 'market limit exceeded');
        continue;
      }
      const subscription = open(id, known, tickers, params);
      if (known === 'ticker' && params.send_initial_snapshot === true) {
        publishTickers(subscription, tickers);
      }
    }
  }

  /** A snapshot of the named markets, so that subscribers need not wait for a change. */
  function publishTickers(subscription: Subscription, tickers: string[]): void {
    for (const ticker of tickers) {
      const market = adoptMarket(exchange, ticker);
      if (market) say(subscription, { kind: 'ticker', market });
    }
  }

  function say(subscription: Subscription, signal: Signal): void {
    const message = messagesOf(exchange, signal, subscription, accountId);
    if (!message) return;
    const { type, msg } = message;
    const { sid } = subscription;
    if (isUnnumbered(subscription.channel)) postUnnumbered({ type, sid, msg });
    else {
      subscription.seq += 1;
      post({ type, sid, seq: subscription.seq, msg });
    }
  }

  function open(
    id: number | undefined,
    channel: Channel,
    tickers: string[],
    params: NonNullable<Command['params']>,
  ): Subscription {
    const subscription: Subscription = {
      sid: nextSid,
      channel,
      tickers:
        tickers.length > 0 && channel !== 'market_lifecycle_v2' ? new Set(tickers) : undefined,
      seq: 0,
      yesPrices: params.use_yes_price === true,
    };
    nextSid += 1;
    subscriptions.set(subscription.sid, subscription);
    const isQuiet = channel === 'ticker' && params.skip_ticker_ack === true;
    if (!isQuiet) post({ id, type: 'subscribed', msg: { channel, sid: subscription.sid } });
    if (channel === 'orderbook_delta') snapshotAll(subscription, tickers);
    return subscription;
  }

  function snapshotAll(subscription: Subscription, tickers: string[]): void {
    for (const ticker of tickers) {
      const market = adoptMarket(exchange, ticker);
      if (market) snapshot(subscription, market);
    }
  }

  function update({ id, params = {} }: Command) {
    const [sid] = numbers(params.sids ?? params.sid);
    const subscription = subscriptions.get(sid ?? -1);
    if (!subscription) return fail(id, 12, 'unknown subscription');
    const tickers = [...texts(params.market_tickers), ...texts(params.market_ticker)];
    const { action } = params;
    if (action === 'add_markets') {
      const all = new Set([...(subscription.tickers ?? []), ...tickers]);
      if (subscription.tickers && all.size > exchange.marketsPerSubscription) {
        return fail(id, 26, 'market limit exceeded');
      }
      for (const ticker of tickers) subscription.tickers?.add(ticker);
    } else if (action === 'delete_markets') {
      for (const ticker of tickers) subscription.tickers?.delete(ticker);
    } else if (action !== 'get_snapshot') return fail(id, 13, 'unknown action');
    // The reply has a number of the subscription's own sequence.
    subscription.seq += 1;
    post({ id, type: 'ok', sid: subscription.sid, seq: subscription.seq, msg: {} });
    const isBook = subscription.channel === 'orderbook_delta';
    if (isBook && action !== 'delete_markets') snapshotAll(subscription, tickers);
  }

  function unsubscribe({ id, params = {} }: Command) {
    for (const sid of numbers(params.sids)) {
      if (!subscriptions.delete(sid)) return fail(id, 12, 'unknown subscription');
      post({ id, type: 'unsubscribed', sid });
    }
  }

  return {
    command(text: string) {
      let command: Command;
      try {
        command = JSON.parse(text) as Command;
      } catch {
        return fail(undefined, 1, 'unable to process message');
      }
      if (command.cmd === 'subscribe') return subscribe(command);
      if (command.cmd === 'unsubscribe') return unsubscribe(command);
      if (command.cmd === 'update_subscription') return update(command);
      if (command.cmd === 'list_subscriptions') {
        const msg = [...subscriptions.values()].map(({ sid, channel }) => ({ sid, channel }));
        return post({ id: command.id, type: 'ok', msg });
      }
      fail(command.id, 5, 'unknown command');
    },
    hear(signal: Signal): void {
      for (const subscription of subscriptions.values()) say(subscription, signal);
    },
  };
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function numbers(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : [];
}
