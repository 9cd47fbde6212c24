import { randomUUID } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { keccak256, type PrivateKeyAccount, type TransactionReceipt } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import { encodeOperationCall } from '#server/chain/operations/encode.ts';
import {
  type ChainOperation,
  type ChainTransaction,
  findUnfinished,
  hasWork,
  holdSigner,
  lockReadyOperations,
  nextStoredNonce,
  type OperationKind,
  registerSigner,
  releaseSigner,
  storeSigned,
} from '#server/chain/operations/store.ts';
import type { Database } from '#server/db/client.ts';
import { chainOperations } from '#server/db/schema/chain.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Log } from '#server/log.ts';
import type { OrderQueue } from '#server/orders/queue.ts';
import type { Bell } from '../bell.ts';
import type { Checkpoint } from '../checkpoints.ts';
import { pause } from '../pause.ts';
import { batchSizeOf, buildCall } from './buildCall.ts';
import { resolveTransaction, wakeOrder } from './resolveTransaction.ts';

export type SignerDeps = {
  database: Database;
  chain: Chain;
  queue: OrderQueue;
  log: Log;
  checkpoint: (name: Checkpoint) => void;
  /** Rings when operations have been handed over by this process. */
  work: Bell;
};

export type SignerRole = { account: PrivateKeyAccount; kinds: readonly OperationKind[] };

/** Between looks for operations that another process handed over. */
const IDLE_POLL_MS = 500;
const RECEIPT_POLL_MS = 40;
/** Less than the signer's lease, so that it is renewed in time. */
const RECEIPT_WAIT_MS = 2_000;
const ERROR_PAUSE_MS = 1_000;

/**
 * One key at work: one transaction in flight, its bytes stored before they are sent, seen through
 * to a confirmed receipt before the next is signed. Several processes may run the loop for the
 * same key; the lease lets one of them act.
 */
export async function runSigner(
  deps: SignerDeps,
  role: SignerRole,
  signal: AbortSignal,
): Promise<void> {
  const lease = { address: role.account.address, token: randomUUID() };
  let isRegistered = false;
  while (!signal.aborted) {
    try {
      if (!isRegistered) await registerSigner(deps.database, lease.address);
      isRegistered = true;
      const worked =
        (await hasWork(deps.database, lease.address, role.kinds)) &&
        (await holdSigner(deps.database, lease)) &&
        (await work(deps, role, signal));
      if (!worked) await deps.work.wait(IDLE_POLL_MS, signal);
    } catch (error) {
      deps.log.error({ err: error, signer: role.account.address }, 'signer stumbled');
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
  await releaseSigner(deps.database, lease);
}

async function work(deps: SignerDeps, role: SignerRole, signal: AbortSignal): Promise<boolean> {
  const unfinished = await findUnfinished(deps.database.orm, role.account.address);
  const transaction = unfinished ?? (await signNext(deps, role));
  if (!transaction) return false;
  await seeThrough(deps, transaction, signal);
  return true;
}

/** Signs a transaction for the oldest ready operations and stores it, all in one transaction. */
async function signNext(deps: SignerDeps, role: SignerRole): Promise<ChainTransaction | undefined> {
  deps.checkpoint('chain.before_sign');
  const [chainNonce, fees] = await Promise.all([
    deps.chain.client.getTransactionCount({ address: role.account.address }),
    deps.chain.client.estimateFeesPerGas(),
  ]);
  const signed = await deps.database.orm.transaction(async (tx) => {
    const operations = await lockReadyOperations(tx, role.kinds, batchSizeOf);
    if (operations.length === 0) return undefined;
    const ordersById = await loadOrders(deps.database, operations);
    const call = await buildCall(deps, tx, operations, ordersById);
    if (!call) return await dropOperations(tx, deps.queue, operations);
    const encoded = encodeOperationCall(deps.chain.contracts, call);
    const storedNonce = await nextStoredNonce(tx, role.account.address);
    const nonce = storedNonce > BigInt(chainNonce) ? storedNonce : BigInt(chainNonce);
    const raw = await role.account.signTransaction({
      type: 'eip1559',
      chainId: deps.chain.id,
      nonce: Number(nonce),
      to: encoded.to,
      data: encoded.data,
      gas: encoded.gas,
      maxFeePerGas: fees.maxFeePerGas * 2n,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    });
    const unsent = { signer: role.account.address, nonce, raw, hash: keccak256(raw) };
    return await storeSigned(tx, unsent, operations);
  });
  if (signed) deps.checkpoint('chain.signed');
  return signed;
}

async function loadOrders(database: Database, operations: ChainOperation[]) {
  const rows = await database.orm
    .select()
    .from(orders)
    .where(
      inArray(
        orders.id,
        operations.map((operation) => operation.orderId),
      ),
    );
  return new Map(rows.map((row) => [row.id, row]));
}

async function dropOperations(
  tx: Parameters<typeof wakeOrder>[0],
  queue: OrderQueue,
  operations: ChainOperation[],
): Promise<undefined> {
  for (const operation of operations) {
    await tx
      .update(chainOperations)
      .set({ state: 'failed', failure: 'no_longer_needed', resolvedAt: sql`now()` })
      .where(eq(chainOperations.id, operation.id));
    await wakeOrder(tx, queue, operation.orderId);
  }
}

/**
 * Looks for the receipt, broadcasts the stored bytes when there is none, and waits a while. Without
 * a receipt by then the loop comes back here: the lease is kept and the same bytes are sent again.
 */
async function seeThrough(
  deps: SignerDeps,
  transaction: ChainTransaction,
  signal: AbortSignal,
): Promise<void> {
  let receipt = await findReceipt(deps.chain, transaction);
  if (!receipt) {
    await broadcast(deps, transaction);
    deps.checkpoint('chain.broadcast');
  }
  const waitUntil = Date.now() + RECEIPT_WAIT_MS;
  while (!receipt && Date.now() < waitUntil && !signal.aborted) {
    await pause(RECEIPT_POLL_MS, signal);
    receipt = await findReceipt(deps.chain, transaction);
  }
  if (!receipt) return;
  deps.checkpoint('chain.mined');
  await resolveTransaction(deps, transaction, receipt);
  deps.checkpoint('chain.resolved');
}

async function findReceipt(
  chain: Chain,
  transaction: ChainTransaction,
): Promise<TransactionReceipt | undefined> {
  const receipt = await chain.client.request({
    method: 'eth_getTransactionReceipt',
    params: [transaction.hash as `0x${string}`],
  });
  if (!receipt) return undefined;
  if (chain.confirmations > 1) {
    const head = await chain.client.getBlockNumber({ cacheTime: 0 });
    if (head + 1n - BigInt(receipt.blockNumber) < BigInt(chain.confirmations)) return undefined;
  }
  return await chain.client.getTransactionReceipt({ hash: transaction.hash as `0x${string}` });
}

/** A node that knows the transaction already, or has mined it, refuses the same bytes: no matter. */
async function broadcast(deps: SignerDeps, transaction: ChainTransaction): Promise<void> {
  try {
    await deps.chain.client.sendRawTransaction({
      serializedTransaction: transaction.raw as `0x02${string}`,
    });
  } catch (error) {
    deps.log.debug({ err: error, hash: transaction.hash }, 'broadcast not taken');
  }
}
