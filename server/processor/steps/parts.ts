import type { Operation } from '#server/chain/operations/latest.ts';
import type { NewOperation } from '#server/chain/operations/store.ts';
import {
  type Delivered,
  type DeliveryArgs,
  deliveryTotals,
  readDeliveryArgs,
  writeDeliveryArgs,
} from '#server/domain/orders/create/deliveryTotals.ts';
import { lockPosting, partPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { OrderContext, VaultEvent } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import {
  type Decided,
  type Decision,
  decided,
  PARK_FOR_CHAIN_MS,
  PARK_FOR_SIGNER_MS,
  park,
} from './decision.ts';
import {
  isOutOfRoom,
  OUT_OF_ROOM,
  RETRY_MS,
  reportFailure,
  UNDELIVERABLE,
} from './deliveryFailure.ts';
import type { FactsOf } from './facts.ts';
import { refusalOf } from './refusedReceiver.ts';

export type PartFact = 'storedFills' | 'vaultRoom';

/** The vault's errors that its logs explain: it has booked this, or ended the order. */
const KNOWN_TO_THE_VAULT = new Set(['NothingNew', 'BadStatus']);

/** What the vault's logs say is delivered, before a last fill. */
export function deliveredOf({ parts }: Pick<OrderContext, 'parts'>): Delivered {
  const last = parts.at(-1);
  return {
    contractMicros: last?.filledTotalMicros ?? 0n,
    quoteUsdcMicros: last?.quoteTotalMicros ?? 0n,
  };
}

/**
 * Records the oldest part that the vault has delivered since; undefined when there is none. Of
 * parts that are read together, the last one's event has the fee of all.
 */
export function bookPart(
  order: TradeOrder,
  { context: { parts, operations }, deliveredTo }: FactsOf<'deliveredTo'>,
  from: 'rest' | 'deliver' | 'refund',
): Decision | undefined {
  const known = order.deliveredContractMicros ?? 0n;
  const [part, ...later] = parts.filter((one) => (one.filledTotalMicros ?? 0n) > known);
  if (part === undefined) return undefined;
  if (deliveredTo === undefined) return { kind: 'need', fact: 'deliveredTo', filled: part };
  const before = order.deliveredFeeUsdcMicros ?? 0n;
  const feeTotalMicros = later.length === 0 ? feeTotalOf(order, operations.fill, part) : before;
  const { transactionHash } = part;
  return decided({
    from,
    set: {
      deliveredContractMicros: part.filledTotalMicros ?? 0n,
      deliveredQuoteUsdcMicros: part.quoteTotalMicros ?? 0n,
      deliveredFeeUsdcMicros: feeTotalMicros,
    },
    // A fork may have removed the lock meanwhile; posting it again is idempotent.
    postings: [lockPosting(order), partPosting(order, part)],
    events: [
      ...refusalOf(order, deliveredTo, transactionHash),
      {
        type: 'partially_filled',
        transactionHash,
        contractMicros: part.filledContractMicros ?? 0n,
        quoteUsdcMicros: part.quoteUsdcMicros ?? 0n,
        ...(later.length === 0 && { feeUsdcMicros: feeTotalMicros - before }),
      },
    ],
    next: { kind: 'continue' },
  });
}

/** The fee within what is delivered: stated with the operation, otherwise by its share. */
export function feeTotalOf(
  order: TradeOrder,
  fill: Operation | undefined,
  { filledTotalMicros }: Pick<VaultEvent, 'filledTotalMicros'>,
): bigint {
  const args = fill && readDeliveryArgs(fill.args);
  if (args && args.filledTotalMicros === filledTotalMicros) return args.feeTotalMicros;
  const filled = order.filledContractMicros ?? 0n;
  if (filled === 0n) return 0n;
  return ((order.feeUsdcMicros ?? 0n) * (filledTotalMicros ?? 0n)) / filled;
}

/**
 * Delivers what the exchange has filled beyond what the vault has delivered, one operation at a
 * time. `nothing`: all is delivered. `undeliverable`: the vault can never fill the order again.
 */
export function decideParts(
  order: TradeOrder,
  facts: FactsOf<PartFact>,
  now: Date,
  { from, isLast }: { from: 'rest' | 'deliver'; isLast: boolean },
): Decision | 'nothing' | 'undeliverable' {
  const { context, storedFills } = facts;
  const { attest, fill } = context.operations;
  if (isUnderWay(attest)) return park(from, PARK_FOR_SIGNER_MS);
  if (isUnderWay(fill)) {
    // The signers hold the first fill until an attestation succeeds.
    return fill?.state === 'ready' && attest?.state === 'failed'
      ? { ...submit(from, [again(attest)]), ...reportFailure(order, attest) }
      : park(from, PARK_FOR_SIGNER_MS);
  }
  const delivered = deliveredOf(context);
  if ((order.filledContractMicros ?? 0n) <= delivered.contractMicros) return 'nothing';
  const stated = fill && readDeliveryArgs(fill.args);
  const isNewer = stated !== undefined && stated.filledTotalMicros > delivered.contractMicros;
  if (fill?.state === 'succeeded' && isNewer) return park(from, PARK_FOR_CHAIN_MS);
  const failed = fill?.state === 'failed' && isNewer ? fill : undefined;
  const failure = failed?.failure ?? '';
  if (UNDELIVERABLE.has(failure)) return 'undeliverable';
  if (KNOWN_TO_THE_VAULT.has(failure)) return park(from, PARK_FOR_CHAIN_MS);
  const report = failed ? reportFailure(order, failed) : {};
  if (OUT_OF_ROOM.has(failure)) {
    if (facts.vaultRoom === undefined) return { kind: 'need', fact: 'vaultRoom' };
    const neededMicros = (stated?.quoteTotalMicros ?? 0n) - delivered.quoteUsdcMicros;
    if (isOutOfRoom(order, neededMicros, facts.vaultRoom, now)) {
      return { ...park(from, RETRY_MS), ...report };
    }
  }
  if (storedFills === undefined) return { kind: 'need', fact: 'storedFills' };
  const args = { ...deliveryTotals(order, storedFills, delivered), isLast };
  return { ...deliver(order, context, from, args, failed !== undefined), ...report };
}

function deliver(
  order: TradeOrder,
  { operations: { attest, fill } }: OrderContext,
  from: 'rest' | 'deliver',
  args: DeliveryArgs,
  isRetry: boolean,
): Decided {
  const delay = isRetry ? { notBeforeMs: RETRY_MS } : {};
  const filling: NewOperation = {
    kind: 'fill',
    attempt: (fill?.attempt ?? 0) + 1,
    args: { ...writeDeliveryArgs(args), ...delay },
  };
  const attesting: NewOperation = {
    kind: 'attest',
    attempt: (attest?.attempt ?? 0) + 1,
    args: delay,
  };
  return {
    ...submit(from, order.tradeAction === 'buy' ? [attesting, filling] : [filling]),
    set: {
      quoteUsdcMicros: args.quoteTotalMicros,
      feeUsdcMicros: args.feeTotalMicros,
      deliversAt: null,
    },
    events: [{ type: isRetry ? 'settlement_retried' : 'settling' }],
  };
}

function submit(from: 'rest' | 'deliver', operations: NewOperation[]): Decided {
  return { ...park(from, PARK_FOR_SIGNER_MS), operations };
}

function again({ kind, attempt }: Pick<Operation, 'kind' | 'attempt'>): NewOperation {
  return { kind, attempt: attempt + 1, args: { notBeforeMs: RETRY_MS } };
}

export function isUnderWay(operation: Operation | undefined): boolean {
  return operation?.state === 'ready' || operation?.state === 'sent';
}
