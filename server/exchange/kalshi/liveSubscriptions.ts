import type { SendCommand } from './channels.ts';
import { asWire, text, type Wire } from './wire.ts';

export const LIVE_CHANNELS = ['orderbook_delta', 'trade', 'ticker'] as const;
type Channel = (typeof LIVE_CHANNELS)[number];

/** The channel of a numbered message, for subscriptions whose reply was lost. */
const CHANNEL_OF: Record<string, Channel> = {
  orderbook_snapshot: 'orderbook_delta',
  orderbook_delta: 'orderbook_delta',
  trade: 'trade',
  ticker: 'ticker',
};

/** Markets in one command. */
const MOST_NAMED = 100;
/** The exchange's error for more markets than a subscription may have. */
const TOO_MANY_MARKETS = 26;

/** Markets that were too many; `isWhole`: and nothing is subscribed at all. */
export type OnRefused = (tickers: readonly string[], how: { isWhole: boolean }) => void;

/** Commands without a reply yet: what they add, and to which channel; of all, to begin with. */
type Unconfirmed = { channel: Channel | undefined; tickers: readonly string[] };

/**
 * The three subscriptions of one connection, each to the same markets, which are added in lots.
 * @param send undefined while there is no connection
 */
export function createSubscriptions(send: SendCommand | undefined, onRefused: OnRefused) {
  const unconfirmed = new Map<number, Unconfirmed>();
  const sids = new Map<Channel, number>();
  const channels = new Map<number, Channel>();
  const named = new Map<Channel, ReadonlySet<string>>();
  let wanted: ReadonlySet<string> = new Set();

  function update(sid: number, action: string, tickers: readonly string[]): void {
    for (let start = 0; start < tickers.length; start += MOST_NAMED) {
      const market_tickers = tickers.slice(start, start + MOST_NAMED);
      const id = send?.('update_subscription', { sid, action, market_tickers });
      const channel = channels.get(sid);
      if (id !== undefined && action === 'add_markets') {
        unconfirmed.set(id, { channel, tickers: market_tickers });
      }
    }
  }

  function refuse({ channel, tickers }: Unconfirmed): void {
    if (channel === undefined) {
      // Half of what was tried may be few enough; a single market is refused for another reason.
      const half = Math.floor(tickers.length / 2);
      if (half > 0) onRefused([...wanted].slice(half), { isWhole: true });
      return;
    }
    const refused = new Set(tickers);
    named.set(channel, new Set([...(named.get(channel) ?? [])].filter((one) => !refused.has(one))));
    onRefused(tickers, { isWhole: false });
  }

  function settleReply({ id, type, msg }: Wire): void {
    const command = typeof id === 'number' ? unconfirmed.get(id) : undefined;
    if (typeof id !== 'number' || !command) return;
    unconfirmed.delete(id);
    const isRefused = type === 'error' && Number(asWire(msg).code) === TOO_MANY_MARKETS;
    if (isRefused) refuse(command);
  }

  /** Brings one subscription to the wanted markets. */
  function settle(channel: Channel): void {
    const sid = sids.get(channel);
    const current = named.get(channel);
    if (sid === undefined || !current) return;
    const goal = wanted;
    update(
      sid,
      'add_markets',
      [...goal].filter((ticker) => !current.has(ticker)),
    );
    update(
      sid,
      'delete_markets',
      [...current].filter((ticker) => !goal.has(ticker)),
    );
    named.set(channel, goal);
  }

  function learn(channel: Channel, sid: number): void {
    if (sids.get(channel) === sid) return;
    sids.set(channel, sid);
    channels.set(sid, channel);
    settle(channel);
  }

  return {
    begin(tickers: readonly string[]): void {
      wanted = new Set(tickers);
      const first = tickers.slice(0, MOST_NAMED);
      for (const channel of LIVE_CHANNELS) named.set(channel, new Set(first));
      const id = send?.('subscribe', {
        channels: LIVE_CHANNELS,
        market_tickers: first,
        use_yes_price: true,
        send_initial_snapshot: true,
      });
      if (id !== undefined) unconfirmed.set(id, { channel: undefined, tickers: first });
    },
    /** Follows these markets from now on; as soon as the subscriptions are confirmed. */
    change(tickers: readonly string[]): void {
      wanted = new Set(tickers);
      for (const channel of LIVE_CHANNELS) settle(channel);
    },
    channelOf: (sid: number) => channels.get(sid),
    receive(message: Wire): void {
      const { type, sid, msg } = message;
      const reply = asWire(msg);
      settleReply(message);
      if (type === 'subscribed' && typeof reply.sid === 'number') {
        const channel = LIVE_CHANNELS.find((one) => one === text(reply, 'channel'));
        if (channel) learn(channel, reply.sid);
      }
      const channel = CHANNEL_OF[String(type)];
      if (channel && typeof sid === 'number') learn(channel, sid);
    },
    /** Returns whether the request could be sent. */
    getSnapshots(tickers: readonly string[]): boolean {
      const sid = sids.get('orderbook_delta');
      if (sid === undefined || !send) return false;
      update(sid, 'get_snapshot', tickers);
      return true;
    },
  };
}
