import { NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import type { AccountSnapshot } from '#server/chain/accountSnapshot.ts';
import type { Operation } from '#server/chain/operations/latest.ts';
import type { OperationKind } from '#server/chain/operations/store.ts';
import type { RecordedGrant } from '#server/domain/accounts/grants.ts';
import { writeDeliveryArgs } from '#server/domain/orders/create/deliveryTotals.ts';
import type {
  ExchangeAttempt,
  OrderContext,
  VaultEvent,
} from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import type { ExchangeFill, ExchangeMarket } from '#server/exchange/port.ts';
import type { RestingOrder } from '#server/exchange/restingOrders.ts';
import type { Decision } from '../decision.ts';
import type { FactName, Facts } from '../facts.ts';

/** Inputs for tests of steps, and the decisions they expect. */

export const NOW = new Date('2026-11-23T12:00:00Z');
const HOUR_MS = 3_600_000;
export const ACCOUNT = '0x00000000000000000000000000000000000000A1';
export const VAULT = '0x00000000000000000000000000000000000000A3';
const OWNER = '0x00000000000000000000000000000000000000A2';
const ORDER_ID = '00000000-0000-4000-8000-000000000001';
export const ATTEMPT_ID = `cb-${ORDER_ID}-1`;

export const fromNow = (ms: number) => new Date(NOW.getTime() + ms);

/**
 * A purchase of 10 Yes contracts for at most 6 USDC, created a minute ago and valid for an hour.
 */
export function buy(change: Partial<OrderRow> = {}): OrderRow {
  return {
    id: ORDER_ID,
    accountId: ACCOUNT,
    ownerAddress: OWNER,
    userAddress: OWNER,
    apiKeyId: 'key',
    clientId: 'client',
    requestHash: 'hash',
    kind: 'api',
    action: {},
    status: 'pending',
    stage: 'request',
    terminationReason: null,
    endingReason: null,
    cancelRequestedAt: null,
    ticker: 'RAIN',
    side: 'yes',
    tradeAction: 'buy',
    contractMicros: 10_000_000n,
    quoteLimitUsdcMicros: 6_000_000n,
    receiverAddress: ACCOUNT,
    expiresAt: fromNow(HOUR_MS),
    clientRef: '0x01',
    chainOrderId: '0x02',
    isRedemption: false,
    orderType: 'market',
    limitPriceMicros: null,
    timeInForce: null,
    isPostOnly: false,
    isReduceOnly: false,
    restsUntil: null,
    restingSince: null,
    restingContractMicros: null,
    queueContractMicros: null,
    deliveredContractMicros: null,
    deliveredQuoteUsdcMicros: null,
    deliveredFeeUsdcMicros: null,
    deliversAt: null,
    amendPriceMicros: null,
    amendContractMicros: null,
    amendStoredAt: null,
    replacedBy: null,
    priceClaimedAt: null,
    triggerPriceMicros: null,
    triggerDirection: null,
    triggerSource: null,
    triggeredAt: null,
    triggerSeenMicros: null,
    withdrawToken: null,
    withdrawTokenId: null,
    withdrawMicros: null,
    destinationAddress: null,
    withdrawSignature: null,
    orderSignature: null,
    filledContractMicros: null,
    quoteUsdcMicros: null,
    feeUsdcMicros: null,
    returnedUsdcMicros: null,
    returnedContractMicros: null,
    transactionHash: null,
    createdAt: fromNow(-60_000),
    updatedAt: NOW,
    balanceValidatedAt: null,
    txnFilledAt: null,
    completedAt: null,
    isComplete: false,
    isUnwinding: false,
    roomRequestedAt: null,
    roomReservedAt: null,
    leaseToken: '00000000-0000-4000-8000-0000000000ff',
    leaseUntil: fromNow(4_000),
    nextRunAt: NOW,
    failures: 0,
    traceparent: null,
    withoutToken: false,
    anonymous: false,
    ...change,
  };
}

/** A sale of 10 Yes contracts for at least 4 USDC. */
export function sell(change: Partial<OrderRow> = {}): OrderRow {
  return buy({ tradeAction: 'sell', quoteLimitUsdcMicros: 4_000_000n, ...change });
}

/** A withdrawal of 5 USDC to its owner, under a grant. */
export function withdrawal(change: Partial<OrderRow> = {}): OrderRow {
  return buy({
    kind: 'withdrawal',
    stage: 'withdraw',
    ticker: null,
    side: null,
    tradeAction: null,
    contractMicros: null,
    quoteLimitUsdcMicros: null,
    receiverAddress: null,
    expiresAt: null,
    clientRef: null,
    chainOrderId: null,
    withdrawToken: 'usdc',
    withdrawMicros: 5_000_000n,
    destinationAddress: OWNER,
    ...change,
  });
}

export function context(change: Partial<OrderContext> = {}): OrderContext {
  return {
    events: {},
    parts: [],
    operations: {},
    attempt: undefined,
    mayPredateRestore: false,
    restoredAt: undefined,
    isAccountBlocked: false,
    ...change,
  };
}

export function facts({
  context: stored,
  ...change
}: Partial<Omit<Facts, 'context'>> & { context?: Partial<OrderContext> } = {}): Facts {
  return {
    context: context(stored),
    readAt: NOW,
    settings: {
      absenceMs: 45_000,
      sendWithinMs: 20_000,
      maxUnwindLossMicros: 100_000n,
      confirmations: 3n,
      vault: VAULT,
    },
    isConfirmed: false,
    pausedMs: 0,
    ...change,
  };
}

export function event(
  kind: VaultEvent['kind'],
  change: Partial<VaultEvent> = {},
): Partial<Record<VaultEvent['kind'], VaultEvent>> {
  return {
    [kind]: {
      transactionHash: `0x${kind}`,
      logIndex: 1,
      blockNumber: 7n,
      kind,
      chainOrderId: '0x02',
      accountAddress: ACCOUNT,
      clientRef: '0x01',
      filledContractMicros: null,
      quoteUsdcMicros: null,
      returnedMicros: null,
      filledTotalMicros: null,
      quoteTotalMicros: null,
      endsAt: null,
      ...change,
    },
  };
}

export const LOCKED = event('requested');

export function operation(
  kind: OperationKind,
  state: Operation['state'],
  change: Partial<Operation> = {},
): Partial<Record<OperationKind, Operation>> {
  return {
    [kind]: {
      id: '00000000-0000-4000-8000-000000000002',
      accountId: ACCOUNT,
      orderId: ORDER_ID,
      kind,
      attempt: 1,
      args: {},
      state,
      transactionId: null,
      failure: null,
      createdAt: NOW,
      resolvedAt: null,
      transactionHash: null,
      ...change,
    },
  };
}

export function attempt(
  state: ExchangeAttempt['state'],
  change: Partial<ExchangeAttempt> = {},
): ExchangeAttempt {
  return {
    clientOrderId: ATTEMPT_ID,
    accountId: ACCOUNT,
    orderId: ORDER_ID,
    attempt: 1,
    shard: 2,
    purpose: 'order',
    limitPriceMicros: 590_000n,
    contractMicros: 10_000_000n,
    state,
    code: null,
    exchangeOrderId: null,
    filledContractMicros: null,
    storedAt: NOW,
    respondedAt: null,
    ...change,
  };
}

export function account(change: Partial<AccountSnapshot> = {}): AccountSnapshot {
  return {
    deployed: true,
    grant: {
      operator: VAULT,
      validUntil: BigInt(fromNow(HOUR_MS).getTime() / 1000),
      withdrawAnywhere: true,
      maxPerOrder: 100_000_000n,
      maxPerDay: 1_000_000_000n,
      maxWithdrawPerDay: 50_000_000n,
      nonce: 0n,
      ...NO_SESSION_KEY,
    },
    nextGrantNonce: 1n,
    usdcMicros: 100_000_000n,
    contractMicros: 100_000_000n,
    leftTodayUsdcMicros: 1_000_000_000n,
    ...change,
  };
}

export function recordedGrant(nonce: bigint, status: RecordedGrant['status']): RecordedGrant {
  const { grant } = account();
  if (!grant) throw new Error('the account has no grant');
  return { grant: { ...grant, nonce }, signature: '0x', status, signedAt: NOW };
}

export function fill(contractMicros: bigint, priceMicros: bigint): ExchangeFill {
  return {
    fillId: `fill-${contractMicros}`,
    exchangeOrderId: 'exchange-1',
    contractMicros,
    priceMicros,
    feeMicros: 0n,
    at: NOW,
  };
}

export function market(change: Partial<ExchangeMarket> = {}): ExchangeMarket {
  return {
    ticker: 'RAIN',
    shard: 2,
    eventTicker: 'WEATHER',
    status: 'open',
    closeAt: fromNow(HOUR_MS),
    priceRanges: [{ startMicros: 0n, endMicros: 1_000_000n, stepMicros: 10_000n }],
    ...change,
  };
}

/** A decision with all fields, so that a test also asserts absent ones. */
export function whole(decision: Decision) {
  return decision.kind === 'transition'
    ? { set: {}, events: [], operations: [], postings: [], writes: [], ...decision }
    : decision;
}

export const needs = (fact: FactName, more: object = {}) => ({ kind: 'need', fact, ...more });

/** Waits, and does nothing else. */
export const waits = (delayMs: number) => ({
  kind: 'transition',
  set: {},
  operations: [],
  writes: [],
  next: { kind: 'park', delayMs },
});

export const fails = (reason: TerminationReason) => ({
  set: { status: 'failed', stage: 'done', isComplete: true, terminationReason: reason },
  operations: [],
  next: { kind: 'end' },
});

/** Refunds the input. */
export const returns = (reason: TerminationReason) => ({
  set: { stage: 'refund', endingReason: reason },
  events: [{ type: 'returning', detail: reason }],
  operations: [],
  next: { kind: 'continue' },
});

export const submits = (...kinds: [OperationKind, number][]) => ({
  operations: kinds.map(([kind, number]) => ({ kind, attempt: number })),
  next: { kind: 'park' },
});

/** Reads once more before it ends the order. */
export const CONFIRMS = { kind: 'pause', isConfirming: true };

/** A purchase of 10 Yes contracts at 0.55 that rests until in a day. */
export function resting(change: Partial<OrderRow> = {}): OrderRow {
  return buy({
    stage: 'rest',
    status: 'executing',
    orderType: 'limit',
    timeInForce: 'GTC',
    limitPriceMicros: 550_000n,
    quoteLimitUsdcMicros: 5_680_000n,
    restingContractMicros: 10_000_000n,
    restsUntil: fromNow(24 * HOUR_MS),
    expiresAt: fromNow(25 * HOUR_MS),
    ...change,
  });
}

/** The same as a sale: at least 5.3 USDC for all. */
export function restingSale(change: Partial<OrderRow> = {}): OrderRow {
  return resting({ tradeAction: 'sell', quoteLimitUsdcMicros: 5_300_000n, ...change });
}

/** The order as the exchange shows it. */
export function atExchange(
  filledContractMicros: bigint,
  change: Partial<RestingOrder> = {},
): RestingOrder {
  return {
    clientOrderId: ATTEMPT_ID,
    exchangeOrderId: 'exchange-1',
    ticker: 'RAIN',
    filledContractMicros,
    remainingContractMicros: 10_000_000n - filledContractMicros,
    yesPriceMicros: 550_000n,
    hasEnded: false,
    ...change,
  };
}

/** A part that the vault has delivered, with the totals after it. */
export function part(
  filledTotalMicros: bigint,
  quoteTotalMicros: bigint,
  before = { filled: 0n, quote: 0n },
): VaultEvent {
  const { partially_filled } = event('partially_filled', {
    transactionHash: `0xpart${filledTotalMicros}`,
    filledContractMicros: filledTotalMicros - before.filled,
    quoteUsdcMicros: quoteTotalMicros - before.quote,
    filledTotalMicros,
    quoteTotalMicros,
  });
  if (!partially_filled) throw new Error('the part has no event');
  return partially_filled;
}

/** The fill operation that stated these totals. */
export function delivery(
  state: Operation['state'],
  args: { filled: bigint; quote: bigint; fee?: bigint; isLast?: boolean },
  change: Partial<Operation> = {},
): Partial<Record<OperationKind, Operation>> {
  const { filled, quote, fee = 0n, isLast = false } = args;
  const totals = { filledTotalMicros: filled, quoteTotalMicros: quote, feeTotalMicros: fee };
  return operation('fill', state, { args: writeDeliveryArgs({ ...totals, isLast }), ...change });
}
