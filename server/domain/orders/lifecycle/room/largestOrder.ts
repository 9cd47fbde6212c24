import { formatMicros } from '#lib/money.ts';
import type { Chain } from '#server/chain/client.ts';
import { largestDelivery, readVaultRoom, type VaultRoom } from '#server/chain/vaultRoom.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { withTimeout } from '#server/platform/withTimeout.ts';

/** The largest deliverable order in USDC, by direction. */
export type LargestOrder = Record<TradeAction, bigint>;

const FRESH_MS = 5_000;
const RENEW_AFTER_MS = 2_500;
/** Timeout of the node; processors check again before they place an order. */
const TIMEOUT_MS = 500;

const roomOf = memoizeByObject((chain: Chain) =>
  createTimedCache(FRESH_MS, () => readVaultRoom(chain).catch(() => undefined), {
    renewAfterMs: RENEW_AFTER_MS,
  }),
);

/** The vault's room some seconds ago at most; undefined while the node does not respond. */
export async function findRecentRoom(chain: Chain): Promise<VaultRoom | undefined> {
  return await withTimeout(roomOf(chain)('all'), TIMEOUT_MS);
}

/** A recent value; undefined while the node does not respond. */
export async function findLargestOrder(chain: Chain): Promise<LargestOrder | undefined> {
  const room = await findRecentRoom(chain);
  return room && largestDelivery(room);
}

/**
 * Why an order can never be delivered: a purchase whose price limit exceeds the hourly cap, or a
 * sale of more contracts than the vault can pay a dollar for.
 */
export function deliverableProblem(
  largestOrder: LargestOrder | undefined,
  trade: { tradeAction: TradeAction; contractMicros: bigint; quoteLimitUsdcMicros: bigint },
  /** The field that sets how much the order takes. */
  pointer: string,
): ServiceError | undefined {
  const largest = largestOrder?.[trade.tradeAction];
  const isBuy = trade.tradeAction === 'buy';
  const needed = isBuy ? trade.quoteLimitUsdcMicros : trade.contractMicros;
  if (largest === undefined || needed <= largest) return undefined;
  const most = formatMicros(largest);
  const isLockedFor = isBuy && pointer === '/order/baseQuantity';
  const detail = isLockedFor ? `must lock at most ${most} USDC` : `must be at most ${most}`;
  return new ServiceError(
    'order_too_large',
    isBuy
      ? `One order can spend at most ${most} USDC, because the contracts cap deliveries per hour. Nothing was created. Place a smaller order.`
      : `One order can sell at most ${most} contracts, because the vault caps payouts per hour. Nothing was created. Place a smaller order.`,
    { errors: [{ pointer, detail }] },
  );
}
