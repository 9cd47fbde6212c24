import { and, eq, gt, lte, or, sql } from 'drizzle-orm';
import { BlockNotFoundError, type Log as ChainLog, type Hex } from 'viem';
import { maxMicros } from '#lib/money.ts';
import { readKnownBlock } from '#server/chain/behind.ts';
import { deleteBlockTimes, recordBlocks } from '#server/chain/blockTimes.ts';
import type { Chain } from '#server/chain/client.ts';
import type { ContractNews } from '#server/chain/contractReader.ts';
import { WAS_REVERTED } from '#server/chain/operations/reissue.ts';
import type { ChainTransaction } from '#server/chain/operations/store.ts';
import { readEndedPermissions } from '#server/chain/permissionLogs.ts';
import {
  readTokenTransfers,
  readVaultEvents,
  storeFillDifferences,
} from '#server/chain/vaultLogs.ts';
import { wakeOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Claimed } from '#server/domain/orders/lifecycle/lease.ts';
import { listWaitingOf } from '#server/domain/orders/lifecycle/waitingAccounts.ts';
import {
  deleteSettlementLogs,
  deleteSettlementsOf,
  storeSettlementLogs,
} from '#server/domain/settlement/settlementLogs.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { insertRows } from '#server/platform/database/insertRows.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import {
  chainOperations,
  chainTransactions,
  tokenTransfers,
  vaultEvents,
} from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import type { ClaimedOrders } from '../runner/claimedOrders.ts';
import { type TouchedByChain, touchedBy } from './revertStates.ts';

/** The name of this reader's cursor, for other readers and the status. */
export const CONTRACTS_CURSOR = 'contracts';

export type LogDeps = {
  database: Database;
  chain: Chain;
  /** Set in a process that executes orders. */
  claimedOrders?: ClaimedOrders | undefined;
};

/**
 * Stores the contracts' logs and wakes the orders affected by them, those that wait or rest without
 * a permission from now on, and those of `alsoWake`. Stored logs change nothing.
 * @returns the orders that this process claimed: to execute after the commit
 */
export async function storeLogs(
  deps: LogDeps,
  tx: Queryable,
  logs: ChainLog[],
  alsoWake: readonly string[] = [],
): Promise<Claimed[]> {
  const touched = await storeContractLogs(deps, tx, logs);
  const accounts = readEndedPermissions(deps.chain.contracts.swapVault, logs);
  const waiting = await listWaitingOf(tx, accounts);
  const woken = [...new Set([...touched, ...waiting, ...alsoWake])];
  return await wakeOrders(tx, woken, deps.claimedOrders?.room());
}

/** @returns the open orders with new logs */
async function storeContractLogs(
  deps: LogDeps,
  tx: Queryable,
  logs: ChainLog[],
): Promise<string[]> {
  await recordBlocks(tx, logs);
  const transfers = readTokenTransfers(deps.chain.contracts.outcomeToken, logs);
  await insertRows(tx, tokenTransfers, transfers);
  await storeSettlementLogs(tx, deps.chain.contracts.settlement, logs);
  const events = readVaultEvents(deps.chain.contracts.swapVault, logs);
  const added = await insertRows(tx, vaultEvents, events, { returning: vaultEvents.chainOrderId });
  if (added.length === 0) return [];
  const filled = events.filter(({ kind }) => kind === 'filled' || kind === 'partially_filled');
  await storeFillDifferences(tx, [...new Set(filled.map((event) => event.chainOrderId))]);
  const { id, chainOrderId, isComplete } = orders;
  const isTouched = and(isOneOf(chainOrderId, added), eq(isComplete, false));
  return (await tx.select({ id }).from(orders).where(isTouched)).map((order) => order.id);
}

/** Deletes what was read from blocks after this one, which are no longer on the chain. */
export async function deleteLogs(tx: Queryable, after: bigint): Promise<TouchedByChain> {
  const transfers = await tx
    .delete(tokenTransfers)
    .where(gt(tokenTransfers.blockNumber, after))
    .returning({ tokenId: tokenTransfers.tokenId });
  const events = await tx
    .delete(vaultEvents)
    .where(gt(vaultEvents.blockNumber, after))
    .returning({ chainOrderId: vaultEvents.chainOrderId });
  await deleteBlockTimes(tx, after);
  return touchedBy(transfers, events, await deleteSettlementLogs(tx, after));
}

/**
 * Our transactions confirmed in removed blocks: those that the chain no longer knows, and those now
 * in another block, where their effect may differ. After a fork the chain may end below what was
 * read: those above its end are lost too. So are those that a signer saw beyond `news` and that
 * `news` has in an earlier block. Found only once the chain has grown to their old blocks, they
 * would take the logs of their new blocks with them.
 * @param readUpTo the last block that was read before `news`
 */
export async function findLostTransactions(
  deps: { database: Database; chain: Pick<Chain, 'client'> },
  readUpTo: bigint,
  news: Pick<ContractNews, 'deleteAfter' | 'toBlock' | 'logs'>,
): Promise<LostTransaction[]> {
  const { state, blockNumber, hash, minedHash } = chainTransactions;
  const after = news.deleteAfter ?? readUpTo;
  const upTo = maxMicros(readUpTo, news.toBlock);
  const hashes = [...new Set(news.logs.map((log) => log.transactionHash as Hex))];
  const isHere = or(lte(blockNumber, upTo), isOneOf(hash, hashes), isOneOf(minedHash, hashes));
  const confirmed = await deps.database.orm
    .select()
    .from(chainTransactions)
    .where(and(eq(state, 'confirmed'), gt(blockNumber, after), isHere));
  return await findDropped(deps.chain, confirmed);
}

/** The hash of a block, or undefined when the chain has become shorter. */
async function findHash(
  { client }: Pick<Chain, 'client'>,
  blockNumber: bigint,
): Promise<Hex | undefined> {
  try {
    return (await readKnownBlock(client, blockNumber)).hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined;
    throw error;
  }
}

/**
 * Confirmed transactions whose block is no longer on the chain. Requests blocks instead of
 * receipts, which would repeat all logs of a batch.
 */
export async function findDropped(
  chain: Pick<Chain, 'client'>,
  confirmed: readonly ChainTransaction[],
): Promise<LostTransaction[]> {
  const numbers = new Set(confirmed.flatMap(({ blockNumber }) => blockNumber ?? []));
  const current = new Map<bigint | null, Hex | undefined>();
  for (const blockNumber of numbers) {
    current.set(blockNumber, await findHash(chain, blockNumber));
  }
  const gone = confirmed.filter(
    ({ blockNumber, blockHash }) => blockHash === null || current.get(blockNumber) !== blockHash,
  );
  return await Promise.all(
    gone.map(async ({ id, hash: firstHash, minedHash }) => {
      const hash = (minedHash ?? firstHash) as Hex;
      const receipt = await chain.client.request({
        method: 'eth_getTransactionReceipt',
        params: [hash],
      });
      return { id, hash, isMinedElsewhere: receipt !== null };
    }),
  );
}

/** A transaction of ours in a removed block. */
type LostTransaction = { id: string; hash: Hex; isMinedElsewhere: boolean };

/**
 * Returns transactions to their signers, to be sent or checked again, and deletes what was read
 * from their receipts. Operations of a removed transaction are open again.
 */
export async function deleteTransactions(
  tx: Queryable,
  lost: readonly LostTransaction[],
): Promise<TouchedByChain> {
  const hashes = lost.map((transaction) => transaction.hash);
  const transfers = await tx
    .delete(tokenTransfers)
    .where(isOneOf(tokenTransfers.transactionHash, hashes))
    .returning({ tokenId: tokenTransfers.tokenId });
  const events = await tx
    .delete(vaultEvents)
    .where(isOneOf(vaultEvents.transactionHash, hashes))
    .returning({ chainOrderId: vaultEvents.chainOrderId });
  const settled = await deleteSettlementsOf(tx, hashes);
  const ids = lost.map(({ id }) => id);
  await tx
    .update(chainTransactions)
    .set({ state: 'lost', minedHash: null, blockNumber: null, blockHash: null })
    .where(isOneOf(chainTransactions.id, ids));
  const vanished = lost.flatMap(({ id, isMinedElsewhere }) => (isMinedElsewhere ? [] : [id]));
  const { orderId, kind, accountId } = chainOperations;
  const operations = await tx
    .update(chainOperations)
    .set({
      state: 'sent',
      failure: null,
      resolvedAt: null,
      args: sql`case when ${chainOperations.state} = 'succeeded'
        then ${chainOperations.args} || ${JSON.stringify(WAS_REVERTED)}::jsonb
        else ${chainOperations.args} end`,
    })
    .where(isOneOf(chainOperations.transactionId, vanished))
    .returning({ orderId, kind, accountId });
  return { ...touchedBy(transfers, events, settled), operations };
}
