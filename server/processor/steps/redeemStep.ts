import type { Address } from 'viem';
import { readBalances } from '#server/chain/accountReads.ts';
import { findLatestOperation } from '#server/chain/operations/latest.ts';
import {
  payoutOfSide,
  redemptionArgs,
  redemptionUsdcMicros,
} from '#server/domain/orders/create/redemption.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { endFailed, type Transition } from '#server/domain/orders/lifecycle/transition.ts';
import {
  listOpenRedemptions,
  listRedemptionTransactions,
} from '#server/domain/orders/redeem/redemptionOrders.ts';
import { listRedemptions, type Redemption } from '#server/domain/settlement/redemptionStore.ts';
import { findSettlement, type Settlement } from '#server/domain/settlement/settlementStore.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { redemptionFailureReason } from '../watchers/requestFailure.ts';
import { PARK_FOR_CHAIN_MS, type Step } from './step.ts';

/** Between looks at a settlement whose delay is running. */
const PARK_FOR_SETTLEMENT_MS = 1_000;
/** How long after its expiry a transaction of the user's may still show up in the logs. */
const LATE_MS = 30_000;

/**
 * Turns tokens of a settled market into their payout. Anyone may ask the vault for that and it
 * pays the holder alone, so no permission of the owner is needed. An order that the user sends is
 * only watched for.
 */
export const redeemStep: Step = async (deps, row) => {
  const order = asTradeOrder(row);
  const settlement = await findSettlement(deps.database.orm, order.ticker);
  return order.kind === 'calldata'
    ? await awaitUser(deps, order, settlement)
    : await redeemForUser(deps, order, settlement);
};

/**
 * A cancelled order need not wait while the tokens are where they were: a wallet that sends it all
 * the same is paid, as for any redemption that nobody ordered here.
 */
async function awaitUser(
  deps: StepDeps,
  order: TradeOrder,
  settlement: Settlement | undefined,
): Promise<Transition> {
  const seen = await findTheirRedemption(deps, order);
  if (seen && settlement) return redeemed(order, settlement, seen.transactionHash);
  const isTakenBack = order.cancelRequestedAt !== null && (await holdsTokens(deps, order));
  if (!isTakenBack && order.expiresAt.getTime() + LATE_MS > Date.now()) {
    return { from: 'redeem', next: { kind: 'park', delayMs: PARK_FOR_SETTLEMENT_MS } };
  }
  return endFailed('redeem', order.cancelRequestedAt ? 'cancelled' : 'not_submitted');
}

const none: ReadonlySet<string> = new Set();

/**
 * A redemption on chain that does exactly what the order asks for and that no other order has been
 * credited with: the vault's log carries no order's id, so the amounts say which is meant.
 */
async function findTheirRedemption(
  { database }: StepDeps,
  order: TradeOrder,
): Promise<Redemption | undefined> {
  const [done, claimed, own] = await Promise.all([
    listRedemptions(database.orm, {
      holder: order.accountId,
      ticker: order.ticker,
      side: order.side,
      since: order.createdAt,
    }),
    listRedemptionTransactions(database.orm, order),
    order.withoutToken ? listOpenRedemptions(database.orm, order.accountId, [order.ticker]) : none,
  ]);
  // What the account ordered itself comes first.
  if (own.has(`${order.ticker}|${order.side}`)) return undefined;
  return done.find(
    (one) => one.contractMicros === order.contractMicros && !claimed.includes(one.transactionHash),
  );
}

/** What the vault logged decides, not that the transaction went through: a fork takes back both. */
async function isRedeemedIn(
  { database }: StepDeps,
  order: TradeOrder,
  transactionHash: string | undefined,
): Promise<boolean> {
  const done = await listRedemptions(database.orm, {
    holder: order.accountId,
    ticker: order.ticker,
    side: order.side,
  });
  return done.some((one) => one.transactionHash === transactionHash);
}

async function redeemForUser(
  deps: StepDeps,
  order: TradeOrder,
  settlement: Settlement | undefined,
): Promise<Transition> {
  const operation = await findLatestOperation(deps.database.orm, order.id, 'redeem');
  const transactionHash = operation?.transactionHash ?? undefined;
  switch (operation?.state) {
    case 'succeeded':
      return settlement && (await isRedeemedIn(deps, order, transactionHash))
        ? redeemed(order, settlement, transactionHash ?? null)
        : { from: 'redeem', next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS } };
    case 'failed':
      // A fork took the settlement back: the tokens are where they were until it is there again.
      if (operation.failure === 'MarketNotSettled') {
        return await beginRedemption(deps, order, settlement, operation.attempt + 1);
      }
      return endFailed('redeem', redemptionFailureReason(operation.failure), {
        events: [
          { type: 'redemption_refused', detail: operation.failure ?? undefined, transactionHash },
        ],
      });
    case undefined:
      return await beginRedemption(deps, order, settlement, 1);
    default:
      return { from: 'redeem', next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS } };
  }
}

async function beginRedemption(
  deps: StepDeps,
  order: TradeOrder,
  settlement: Settlement | undefined,
  attempt: number,
): Promise<Transition> {
  if (order.cancelRequestedAt) return endFailed('redeem', 'cancelled');
  if (!(await holdsTokens(deps, order))) return endFailed('redeem', 'insufficient_funds');
  if (settlement?.state !== 'final') {
    return order.expiresAt.getTime() < Date.now()
      ? endFailed('redeem', 'settlement_pending')
      : { from: 'redeem', next: { kind: 'park', delayMs: PARK_FOR_SETTLEMENT_MS } };
  }
  return {
    from: 'redeem',
    unlessCancelled: true,
    set: { status: 'executing' },
    stamp: ['balanceValidatedAt'],
    operations: [{ kind: 'redeem', attempt, args: redemptionArgs(order) }],
    events: [{ type: 'validated' }, { type: 'executing' }],
    next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS },
  };
}

async function holdsTokens(deps: StepDeps, order: TradeOrder): Promise<boolean> {
  const held = await readBalances(deps.chain, order.accountId as Address, order);
  return held.contractMicros >= order.contractMicros;
}

/** The books have it from the chain's log, as they have redemptions that nobody ordered here. */
function redeemed(
  order: TradeOrder,
  settlement: Settlement,
  transactionHash: string | null,
): Transition {
  const { contractMicros } = order;
  const payout = redemptionUsdcMicros(
    contractMicros,
    payoutOfSide(order.side, settlement.payoutYesMicros),
  );
  return {
    from: 'redeem',
    set: {
      status: 'completed',
      stage: 'done',
      isComplete: true,
      transactionHash,
      filledContractMicros: contractMicros,
      quoteUsdcMicros: payout,
      feeUsdcMicros: 0n,
      returnedUsdcMicros: 0n,
      returnedContractMicros: 0n,
    },
    stamp: ['completedAt', 'txnFilledAt'],
    events: [{ type: 'completed', transactionHash: transactionHash ?? undefined }],
    next: { kind: 'end' },
  };
}
