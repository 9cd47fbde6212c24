import { formatMicros } from '#lib/money.ts';
import type { Operation } from '#server/chain/operations/latest.ts';
import { readVaultRoom, roomOf } from '#server/chain/vaultRoom.ts';
import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { OrderContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import type { StepDeps } from '../runner/stepDeps.ts';

type Write = (tx: Queryable) => Promise<void>;

/** Answers of the chain that time cures: a cap that is used up, a treasury that is short. */
const OUT_OF_ROOM = new Set([
  'BucketOverflow',
  'ERC20InsufficientAllowance',
  'ERC20InsufficientBalance',
]);

/** Raised at the first failure already: what the exchange has filled must not wait unnoticed. */
export function reportFailure(
  deps: StepDeps,
  order: TradeOrder,
  { kind, attempt, failure }: Operation,
): Write {
  deps.log.error({ orderId: order.id, kind, attempt, failure }, 'delivery failed on chain');
  return async (tx) => {
    await raiseAlert(inTransaction(deps, tx), {
      kind: 'delivery_failing',
      subject: order.id,
      internalDetail: `${kind}, try ${attempt}: ${failure ?? 'unknown'} (${holdingOf(order)})`,
    });
  };
}

/** Undefined where nothing had failed: then the transition is written along with others. */
export function reportDelivered(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
): Write | undefined {
  const hasFailed = (['attest', 'fill'] as const).some((kind) => {
    const operation = facts.operation(kind);
    return operation !== undefined && (operation.attempt > 1 || operation.state === 'failed');
  });
  if (!hasFailed) return undefined;
  return async (tx) => {
    await resolveAlert(inTransaction(deps, tx), { kind: 'delivery_failing', subject: order.id });
  };
}

/** It is given up: what the house holds now has an alert of its own, while it is traded back. */
export function reportEnded(deps: StepDeps, order: TradeOrder): Write {
  return async (tx) => {
    await resolveAlert(inTransaction(deps, tx), { kind: 'delivery_failing', subject: order.id });
  };
}

/** Whether a delivery that failed for want of room would fail again now; trying costs gas. */
export async function isOutOfRoom(
  deps: StepDeps,
  order: TradeOrder,
  { failure }: Operation,
): Promise<boolean> {
  if (failure === null || !OUT_OF_ROOM.has(failure)) return false;
  const room = await readVaultRoom(deps.chain);
  const { tradeAction, quoteUsdcMicros } = order;
  const bucket = tradeAction === 'buy' ? room.mint : room.payout;
  const needed = quoteUsdcMicros ?? 0n;
  const isUnfunded = tradeAction === 'sell' && needed > room.fundsUsdcMicros;
  return isUnfunded || needed > roomOf(bucket, room.at, new Date());
}

function holdingOf(order: TradeOrder): string {
  const { tradeAction, side, ticker } = order;
  const contracts = formatMicros(order.filledContractMicros ?? 0n);
  const usdc = formatMicros(order.quoteUsdcMicros ?? 0n);
  const what = tradeAction === 'buy' ? 'bought' : 'sold';
  return `${what} ${contracts} ${side} of ${ticker} for ${usdc} USDC`;
}

function inTransaction({ log }: StepDeps, tx: Queryable) {
  return { database: { orm: tx }, log };
}
