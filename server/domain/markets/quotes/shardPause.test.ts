import { expect, test } from 'vitest';
import type { ExchangeMarket, ExchangeStatus, MarketStatus } from '#server/exchange/port.ts';
import { withShardPause } from './shardPause.ts';

const market = (status: MarketStatus, shard: number): ExchangeMarket => ({
  ticker: 'RAIN',
  eventTicker: 'RAIN',
  shard,
  status,
  closeAt: new Date('2026-12-01T00:00:00Z'),
  priceRanges: [],
});
const one = (shard: number, tradingActive: boolean) => ({
  shard,
  name: '',
  exchangeActive: true,
  tradingActive,
  transfersActive: true,
});
const SHARD_2_PAUSED: ExchangeStatus = {
  exchangeActive: true,
  tradingActive: true,
  shards: [one(0, true), one(2, false)],
};
const ALL_PAUSED: ExchangeStatus = { exchangeActive: true, tradingActive: false, shards: [] };

test.each<[string, ExchangeMarket, ExchangeStatus | undefined, MarketStatus]>([
  ['an open market on a paused shard', market('open', 2), SHARD_2_PAUSED, 'paused'],
  ['an open market on another shard', market('open', 0), SHARD_2_PAUSED, 'open'],
  ['an open market on a shard without a status', market('open', 7), SHARD_2_PAUSED, 'open'],
  ['a closed market on a paused shard', market('closed', 2), SHARD_2_PAUSED, 'closed'],
  ['a settled market on a paused shard', market('settled', 2), SHARD_2_PAUSED, 'settled'],
  ['an exchange that is paused as a whole', market('open', 0), ALL_PAUSED, 'paused'],
  ['no status', market('open', 2), undefined, 'open'],
])('given %s, the market counts as it trades', (_, given, status, shown) => {
  expect(withShardPause(given, status).status).toBe(shown);
});
