import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Address, TransactionReceipt } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import { isReissued, reissue, wasReverted } from '#server/chain/operations/reissue.ts';
import {
  type ChainOperation,
  type ChainTransaction,
  listBeingFilled,
  listOperationsOf,
} from '#server/chain/operations/store.ts';
import { wakeOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Claimed } from '#server/domain/orders/lifecycle/lease.ts';
import { revertOrders } from '#server/domain/orders/lifecycle/revertOrders.ts';
import { bookRelayFees } from '#server/domain/relay/relayFee.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { chainOperations, chainTransactions } from '#server/platform/database/schema/chain.ts';
import { type OrderStage, orders } from '#server/platform/database/schema/orders.ts';
import type { Log } from '#server/platform/log.ts';
import { storeLogs } from '../forks/contractLogs.ts';
import type { ProcessorDeps } from '../runner/stepDeps.ts';
import { parseReceipt, type ReceiptOutcome, readEffect } from './readReceipt.ts';
import { hasItsRoles, isRoleFailure } from './signer.ts';
import {
  loadOperationTargets,
  type OperationTargets,
  type TransactionContents,
} from './transactionContents.ts';

type ResolveDeps = Pick<ProcessorDeps, 'database' | 'chain' | 'log' | 'claimedOrders'>;

/**
 * What to write for an operation of a mined transaction. A failed operation that is owed is
 * retried; one that may be owed is retried once its order relies on it.
 */
type Ending = {
  operation: ChainOperation;
  outcome: ReceiptOutcome;
  owed: 'no' | 'perhaps' | 'yes';
};

/** Request errors that no retry can change. */
const FINAL_FAILURES = new Set(['MarketSettled', 'BadExpiry']);

/**
 * Kinds whose effect may exist without a log in the receipt, because an earlier transaction had it.
 */
const IDEMPOTENT_KINDS = new Set<ChainOperation['kind']>(['withdraw', 'grant', 'relay']);

/** Kinds that the vault logs on success: the log wakes the order, whichever reader stores it. */
const LOGGED = new Set<ChainOperation['kind']>(['request', 'fill', 'refund']);

/** Kinds whose failure their own step retries. */
const RETRIED_BY_STEPS = new Set<ChainOperation['kind']>([
  'attest',
  'fill',
  'refund',
  'register',
  'propose',
  'finalize',
]);

/** The stages whose steps see an operation's failure themselves and decide what follows. */
const DECIDED_IN: Partial<Record<ChainOperation['kind'], readonly OrderStage[]>> = {
  grant: ['request', 'withdraw'],
  request: ['request'],
  withdraw: ['withdraw'],
  redeem: ['redeem'],
};

/**
 * Stores the outcome of each operation in a mined transaction, and wakes their orders. Idempotent.
 * The receipt may be of any version.
 * @param contents if known to be unchanged since signing
 * @returns its operations with their outcomes
 */
export async function resolveTransaction(
  deps: ResolveDeps,
  transaction: ChainTransaction,
  receipt: TransactionReceipt,
  contents?: TransactionContents,
): Promise<ChainOperation[]> {
  const { operations, targets } = contents ?? (await loadContents(deps.database.orm, transaction));
  const outcomeOf = await parseReceipt(deps.chain, receipt, operations, targets);
  const hasNoRole = await hasLostItsRole(deps.chain, transaction, receipt, operations);
  const endings: Ending[] = [];
  for (const operation of operations) {
    const outcome = outcomeOf(operation);
    const isForAnotherKey = hasNoRole && !outcome.succeeded && isRoleFailure(outcome.failure);
    endings.push(
      isForAnotherKey
        ? { operation, outcome, owed: 'yes' }
        : await endingOf(deps.chain, targets, operation, outcome),
    );
  }
  const taken = await deps.database.orm.transaction(async (tx) => {
    if (!(await markConfirmed(tx, transaction, receipt))) return [];
    await writeEndings(deps.log, tx, endings);
    await bookRelayFees(tx, endings, receipt);
    const toWake = [
      ...(await listOrdersToWake(tx, endings)),
      ...(await listWaiting(tx, operations)),
    ];
    const stored = await storeLogs(deps, tx, receipt.logs, toWake);
    return [...stored, ...(await revertFailed(deps, tx, endings))];
  });
  await deps.claimedOrders.run(taken);
  return endings.map(({ operation, outcome }) => {
    if (outcome.succeeded) return { ...operation, state: 'succeeded', failure: null };
    return { ...operation, state: 'failed', failure: outcome.failure };
  });
}

async function loadContents(
  db: Queryable,
  transaction: ChainTransaction,
): Promise<TransactionContents> {
  const operations = await listOperationsOf(db, transaction.id);
  return { operations, targets: await loadOperationTargets(db, operations) };
}

/** Orders that learn the outcome of their operation from here alone. */
async function listOrdersToWake(tx: Queryable, endings: readonly Ending[]): Promise<string[]> {
  const informed = endings.filter(
    ({ operation, outcome }) => !(outcome.succeeded && LOGGED.has(operation.kind)),
  );
  const idsOf = (some: readonly Ending[]) => some.map(({ operation }) => operation.orderId);
  const attested = informed.filter(
    ({ operation, outcome }) => outcome.succeeded && operation.kind === 'attest',
  );
  const beingFilled = new Set(await listBeingFilled(tx, idsOf(attested)));
  return idsOf(
    informed.filter(
      (ending) => !(attested.includes(ending) && beingFilled.has(ending.operation.orderId)),
    ),
  );
}

/** All orders of an account wait for one grant. */
async function listWaiting(
  tx: Queryable,
  operations: readonly ChainOperation[],
): Promise<string[]> {
  const accounts = operations.flatMap(({ kind, accountId }) => (kind === 'grant' ? accountId : []));
  if (accounts.length === 0) return [];
  const waiting = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        isOneOf(orders.accountId, accounts),
        eq(orders.isComplete, false),
        inArray(orders.stage, ['request', 'withdraw']),
        ne(orders.kind, 'calldata'),
      ),
    );
  return waiting.map((order) => order.id);
}

/** A key without its role proves nothing about the operation: another key will perform it. */
async function hasLostItsRole(
  chain: Chain,
  transaction: ChainTransaction,
  receipt: TransactionReceipt,
  operations: readonly ChainOperation[],
): Promise<boolean> {
  if (receipt.status !== 'reverted') return false;
  const account = { address: transaction.signer as Address };
  const kinds = operations.map((operation) => operation.kind);
  return !(await hasItsRoles(chain, { account, kinds }));
}

async function markConfirmed(
  tx: Queryable,
  transaction: ChainTransaction,
  receipt: TransactionReceipt,
): Promise<boolean> {
  const confirmed = await tx
    .update(chainTransactions)
    .set({
      state: 'confirmed',
      minedHash: receipt.transactionHash,
      reverted: receipt.status === 'reverted',
      blockNumber: receipt.blockNumber,
      blockHash: receipt.blockHash,
      gasUsed: receipt.gasUsed,
      confirmedAt: sql`now()`,
    })
    .where(
      and(
        eq(chainTransactions.id, transaction.id),
        inArray(chainTransactions.state, ['signed', 'lost']),
      ),
    )
    .returning({ id: chainTransactions.id });
  return confirmed.length === 1;
}

/**
 * A failure does not count when the chain shows the effect: another attempt had it. If the order
 * has already progressed on the assumption of success, the operation is owed and retried.
 */
async function endingOf(
  chain: Chain,
  targets: OperationTargets,
  operation: ChainOperation,
  outcome: ReceiptOutcome,
): Promise<Ending> {
  const wasDone = operation.state === 'succeeded' || wasReverted(operation);
  const hadHappened = wasDone || isReissued(operation);
  if (outcome.succeeded || !(hadHappened || IDEMPOTENT_KINDS.has(operation.kind))) {
    return { operation, outcome, owed: 'no' };
  }
  const { isDone } = await readEffect(chain, targets, operation);
  if (isDone) return { operation, outcome: { succeeded: true }, owed: 'no' };
  return { operation, outcome, owed: wasDone ? 'yes' : 'perhaps' };
}

async function writeEndings(log: Log, tx: Queryable, endings: readonly Ending[]): Promise<void> {
  const byOutcome = new Map<string | null, string[]>();
  for (const ending of endings) {
    if (await reissueIfOwed(log, tx, ending)) continue;
    const { operation, outcome } = ending;
    const failure = outcome.succeeded ? null : outcome.failure;
    byOutcome.set(failure, [...(byOutcome.get(failure) ?? []), operation.id]);
  }
  for (const [failure, ids] of byOutcome) {
    await tx
      .update(chainOperations)
      .set({ state: failure === null ? 'succeeded' : 'failed', failure, resolvedAt: sql`now()` })
      .where(
        and(
          isOneOf(chainOperations.id, ids),
          // A past success that fails now is no longer on the chain.
          inArray(chainOperations.state, failure === null ? ['sent'] : ['sent', 'succeeded']),
        ),
      );
  }
}

/** Reverts an operation that succeeded in one block and fails in its new one. */
async function revertFailed(
  deps: ResolveDeps,
  tx: Queryable,
  endings: readonly Ending[],
): Promise<Claimed[]> {
  const ids = endings.flatMap(({ operation, outcome }) =>
    operation.state === 'succeeded' && !outcome.succeeded ? operation.orderId : [],
  );
  const orderIds = await revertOrders(tx, { ids, chainOrderIds: [], redeemers: [] });
  return await wakeOrders(tx, orderIds, deps.claimedOrders.room());
}

async function reissueIfOwed(log: Log, tx: Queryable, ending: Ending): Promise<boolean> {
  const { operation, outcome, owed } = ending;
  const { id, kind, orderId } = operation;
  if (outcome.succeeded || owed === 'no' || RETRIED_BY_STEPS.has(kind)) return false;
  const { failure } = outcome;
  if (kind === 'request' && FINAL_FAILURES.has(failure)) return false;
  if (owed === 'perhaps' && !(await isReliedOn(tx, operation))) return false;
  const isAgain = await reissue(tx, operation, failure);
  const details = { operation: id, kind, orderId, failure, isAgain };
  log.error(details, 'a fork reverted an operation that had succeeded');
  return isAgain;
}

/**
 * Whether the order has left the stage that would see the failure: it progressed or ended because
 * the operation had once succeeded. Locks the row until the failure is written.
 */
async function isReliedOn(tx: Queryable, { kind, orderId }: ChainOperation): Promise<boolean> {
  const [order] = await tx
    .select({ stage: orders.stage })
    .from(orders)
    .where(eq(orders.id, orderId))
    .for('update');
  return order !== undefined && DECIDED_IN[kind]?.includes(order.stage) === false;
}
