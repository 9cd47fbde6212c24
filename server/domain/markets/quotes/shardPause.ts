import type { Exchange, ExchangeMarket, ExchangeStatus } from '#server/exchange/port.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { withTimeout } from '#server/platform/withTimeout.ts';

/** Callers share one reading for this long. */
const STATUS_HOLDS_MS = 1_000;
const RENEW_AFTER_MS = 750;
/** Quotes and orders do not wait longer for it: the exchange itself refuses what it cannot take. */
const TIMEOUT_MS = 1_000;

type Source = Pick<Exchange, 'getStatus'>;

const statusOf = memoizeByObject((exchange: Source) =>
  createTimedCache(STATUS_HOLDS_MS, async () => await exchange.getStatus(), {
    renewAfterMs: RENEW_AFTER_MS,
  }),
);

/** The exchange's status, at most a moment old; undefined when it cannot be read now. */
export async function getRecentStatus(exchange: Source): Promise<ExchangeStatus | undefined> {
  const reading = statusOf(exchange)('exchange').catch(() => undefined);
  return await withTimeout(reading, TIMEOUT_MS);
}

/** Whether a shard trades; one that the exchange does not name does what the exchange does. */
export function isShardTrading(status: ExchangeStatus, shard: number): boolean {
  const named = status.shards.find((one) => one.shard === shard);
  return named ? named.tradingActive : status.exchangeActive && status.tradingActive;
}

/** An open market is paused while its shard is. */
export function withShardPause(
  market: ExchangeMarket,
  status: ExchangeStatus | undefined,
): ExchangeMarket {
  const isPaused =
    market.status === 'open' && status !== undefined && !isShardTrading(status, market.shard);
  return isPaused ? { ...market, status: 'paused' } : market;
}
