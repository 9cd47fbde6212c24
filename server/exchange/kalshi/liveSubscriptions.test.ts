import { describe, expect, test, vi } from 'vitest';
import { createSubscriptions } from './liveSubscriptions.ts';
import { asList, asWire, type Wire } from './wire.ts';

const CHANNELS = ['orderbook_delta', 'trade', 'ticker'];
const named = (count: number) => Array.from({ length: count }, (_, n) => `M-${n}`);

function begin(count: number) {
  const sent: { id: number; cmd: string; params: Wire }[] = [];
  const onRefused = vi.fn();
  const subscriptions = createSubscriptions((cmd, params) => {
    const id = sent.length + 1;
    sent.push({ id, cmd, params });
    return id;
  }, onRefused);
  subscriptions.begin(named(count));
  return {
    subscriptions,
    onRefused,
    /** The markets of the commands since the last look, by command. */
    take: () => sent.splice(0).map(({ params }) => asList(params.market_tickers).length),
    takeIds: () => sent.splice(0).map(({ id }) => id),
    confirm: () => {
      for (const [n, channel] of CHANNELS.entries()) {
        subscriptions.receive({ type: 'subscribed', id: 1, msg: asWire({ channel, sid: n + 1 }) });
      }
    },
    refuse: (id: number) =>
      subscriptions.receive({ type: 'error', id, msg: { code: 26, msg: 'market limit' } }),
  };
}

describe('given many markets', () => {
  test('names them in lots, the first in the subscription itself', () => {
    const { take, confirm } = begin(250);
    expect(take()).toEqual([100]);
    confirm();
    expect(take()).toEqual([100, 50, 100, 50, 100, 50]);
  });

  test('that are too many for a lot, hands over that lot and adds it no more', () => {
    const { takeIds, confirm, refuse, onRefused, subscriptions, take } = begin(250);
    takeIds();
    confirm();
    const [, second = 0] = takeIds();
    refuse(second);
    expect(onRefused).toHaveBeenCalledExactlyOnceWith(named(250).slice(200), { isWhole: false });
    subscriptions.change(named(200));
    // The other channels have been told to add it before they refuse it too.
    expect(take()).toEqual([50, 50]);
  });

  test('that are too many to begin with, hands over all but half of those', () => {
    const { refuse, onRefused } = begin(60);
    refuse(1);
    refuse(1);
    expect(onRefused).toHaveBeenCalledExactlyOnceWith(named(60).slice(30), { isWhole: true });
  });
});
