import {
  payoutOfSide,
  redemptionArgs,
  redemptionUsdcMicros,
} from '#server/domain/orders/create/redemption.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { endFailed } from '#server/domain/orders/lifecycle/transition.ts';
import type { Redemption, Settlement } from '#server/domain/settlement/settlementStore.ts';
import {
  type Decided,
  type Decision,
  decided,
  PARK_FOR_CHAIN_MS,
  park,
  refusedEvent,
} from './decision.ts';
import type { FactsOf, NeededFacts } from './facts.ts';
import { redemptionFailureReason } from './failureReasons.ts';

type RedeemFacts = FactsOf<'settlement' | 'redemptions' | 'heldMicros'>;

/** Between reads of a settlement whose delay has not ended. */
const PARK_FOR_SETTLEMENT_MS = 1_000;
/** How long after its expiry a user's transaction may still appear in the logs. */
const LATE_MS = 30_000;

/**
 * Turns tokens of a settled market into their payout. Any address may request that from the vault,
 * which pays only the holder, so it needs no grant. An order that the user sends is only watched
 * for.
 */
export function decideRedeem(row: OrderRow, facts: RedeemFacts, now: Date): Decision {
  const order = asTradeOrder(row);
  const { settlement } = facts;
  if (settlement === undefined) return { kind: 'need', fact: 'settlement' };
  return order.kind === 'calldata'
    ? awaitUser(order, facts, now, settlement)
    : redeemForUser(order, facts, now, settlement);
}

/**
 * A cancelled order ends at once while the tokens are unredeemed: if the wallet sends it anyway, it
 * is paid like any redemption without an order.
 */
function awaitUser(
  order: TradeOrder,
  facts: RedeemFacts,
  now: Date,
  settlement: Settlement | null,
): Decision {
  const { redemptions, heldMicros } = facts;
  if (redemptions === undefined) return { kind: 'need', fact: 'redemptions' };
  const seen = findTheirs(order, redemptions);
  if (seen && settlement) return redeemed(order, settlement, seen.transactionHash);
  const isCancelled = order.cancelRequestedAt !== null;
  if (isCancelled && heldMicros === undefined) return { kind: 'need', fact: 'heldMicros' };
  const endsAsCancelled = isCancelled && (heldMicros ?? 0n) >= order.contractMicros;
  if (!endsAsCancelled && order.expiresAt.getTime() + LATE_MS > now.getTime()) {
    return park('redeem', PARK_FOR_SETTLEMENT_MS);
  }
  return decided(endFailed('redeem', isCancelled ? 'cancelled' : 'not_submitted'));
}

/**
 * A redemption on chain that matches the order exactly and is not credited to another one. The
 * vault's log carries no order id, so the amounts decide.
 */
function findTheirs(
  order: TradeOrder,
  { done, credited, isOrderedByOwner }: NeededFacts['redemptions'],
): Redemption | undefined {
  // The owner's own orders come first.
  if (order.withoutToken && isOrderedByOwner) return undefined;
  return done.find(
    (one) =>
      one.seenAt >= order.createdAt &&
      one.contractMicros === order.contractMicros &&
      !credited.includes(one.transactionHash),
  );
}

function redeemForUser(
  order: TradeOrder,
  facts: RedeemFacts,
  now: Date,
  settlement: Settlement | null,
): Decision {
  const operation = facts.context.operations.redeem;
  switch (operation?.state) {
    case 'succeeded': {
      if (settlement === null) return park('redeem', PARK_FOR_CHAIN_MS);
      if (facts.redemptions === undefined) return { kind: 'need', fact: 'redemptions' };
      // The vault's log decides, not the transaction's success: a fork removes both.
      const { transactionHash } = operation;
      return facts.redemptions.done.some((one) => one.transactionHash === transactionHash)
        ? redeemed(order, settlement, transactionHash)
        : park('redeem', PARK_FOR_CHAIN_MS);
    }
    case 'failed': {
      const { failure, attempt } = operation;
      const events = [refusedEvent('redemption_refused', operation)];
      // A fork removed the settlement: the tokens stay unredeemed until it is back.
      if (failure === 'MarketNotSettled') {
        return beginRedemption(order, facts, now, settlement, attempt + 1);
      }
      return decided(endFailed('redeem', redemptionFailureReason(failure), { events }));
    }
    case undefined:
      return beginRedemption(order, facts, now, settlement, 1);
    default:
      return park('redeem', PARK_FOR_CHAIN_MS);
  }
}

function beginRedemption(
  order: TradeOrder,
  { heldMicros }: RedeemFacts,
  now: Date,
  settlement: Settlement | null,
  attempt: number,
): Decision {
  if (order.cancelRequestedAt) return decided(endFailed('redeem', 'cancelled'));
  if (heldMicros === undefined) return { kind: 'need', fact: 'heldMicros' };
  if (heldMicros < order.contractMicros) return decided(endFailed('redeem', 'insufficient_funds'));
  if (settlement?.state !== 'final') {
    return order.expiresAt < now
      ? decided(endFailed('redeem', 'settlement_pending'))
      : park('redeem', PARK_FOR_SETTLEMENT_MS);
  }
  return {
    ...park('redeem', PARK_FOR_CHAIN_MS),
    unlessCancelled: true,
    set: { status: 'executing' },
    stamp: ['balanceValidatedAt'],
    operations: [{ kind: 'redeem', attempt, args: redemptionArgs(order) }],
    events: [{ type: 'validated' }, { type: 'executing' }],
  };
}

/** The ledger posts it from the chain's log, like redemptions without an order. */
function redeemed(
  order: TradeOrder,
  settlement: Settlement,
  transactionHash: string | null,
): Decided {
  const { contractMicros } = order;
  const payoutMicros = payoutOfSide(order.side, settlement.payoutYesMicros);
  return decided({
    from: 'redeem',
    set: {
      status: 'completed',
      stage: 'done',
      isComplete: true,
      transactionHash,
      filledContractMicros: contractMicros,
      quoteUsdcMicros: redemptionUsdcMicros(contractMicros, payoutMicros),
      feeUsdcMicros: 0n,
      returnedUsdcMicros: 0n,
      returnedContractMicros: 0n,
    },
    stamp: ['completedAt', 'txnFilledAt'],
    events: [{ type: 'completed', transactionHash: transactionHash ?? undefined }],
    next: { kind: 'end' },
  });
}
