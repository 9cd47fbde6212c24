import { randomUUID } from 'node:crypto';
import {
  type ContractNews,
  type ContractReader,
  createContractReader,
  recentBlocksAfter,
} from '#server/chain/contractReader.ts';
import {
  advanceCursor,
  cursorLease,
  type HeldCursor,
  holdCursor,
  positionOf,
  type ReadOutcome,
} from '#server/chain/cursor.ts';
import { wakeOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Claimed } from '#server/domain/orders/lifecycle/lease.ts';
import { listWaitingAccounts } from '#server/domain/orders/lifecycle/waitingAccounts.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import {
  CONTRACTS_CURSOR,
  deleteLogs,
  deleteTransactions,
  findLostTransactions,
  type LogDeps,
  storeLogs,
} from '../forks/contractLogs.ts';
import { mergeTouched, revertStates, type TouchedByChain } from '../forks/revertStates.ts';
import { runLeasedReader } from './leasedReader.ts';
import { createLogMemory, type LogMemory } from './logMemory.ts';

type WatcherDeps = LogDeps & { log: Log };

/**
 * Reads the contracts' logs in order from the cursor, regardless of the sender, and wakes the
 * affected orders. One process does so at a time.
 */
export async function watchChain(deps: WatcherDeps, signal: AbortSignal): Promise<void> {
  const token = randomUUID();
  const reader = createContractReader(deps.chain, {
    listAccounts: () => listWaitingAccounts(deps.database.orm),
  });
  const memory = createLogMemory();
  const failure = 'chain watcher failed';
  const options = { log: deps.log, signal, pollMs: 250, errorPauseMs: 2_000, failure };
  await runLeasedReader(options, {
    read: () => readOnce(deps, reader, memory, token),
    ...cursorLease(deps.database, CONTRACTS_CURSOR, token),
  });
}

async function readOnce(
  deps: WatcherDeps,
  reader: ContractReader,
  memory: LogMemory,
  token: string,
): Promise<ReadOutcome> {
  const cursor = await holdCursor(deps.database, CONTRACTS_CURSOR, token);
  if (!cursor) return 'elsewhere';
  const isAgain = cursor.rereadFrom !== null || cursor.isRereading;
  const newest = await reader.findNewest({ isAgain });
  if (!newest) return 'done';
  const news = await reader.read(positionOf(cursor), newest);
  if (!news) return 'done';
  await applyNews(deps, memory, token, cursor, news);
  return news.isMore ? 'more' : 'done';
}

/**
 * Replaces the old chain state with the new one atomically. When that takes several reads, states
 * are compared with the logs after the last.
 */
async function applyNews(
  deps: WatcherDeps,
  memory: LogMemory,
  token: string,
  cursor: HeldCursor,
  news: ContractNews,
): Promise<void> {
  const { deleteAfter } = news;
  // A transaction that a signer saw confirmed beyond this block may have been removed before it was
  // read here.
  const lost = await findLostTransactions(deps, cursor.blockNumber, news);
  if (deleteAfter !== undefined) {
    const from = cursor.blockNumber;
    deps.log.warn({ from, to: deleteAfter, lost: lost.length }, 'the chain went back');
  }
  if (deleteAfter !== undefined || lost.length > 0) memory.clear();
  const logs = memory.unknown(news.logs);
  const isRereading = cursor.isRereading || (deleteAfter !== undefined && news.isMore);
  const taken = await deps.database.orm.transaction(async (tx) => {
    await advanceCursor(tx, CONTRACTS_CURSOR, token, {
      blockNumber: news.toBlock,
      blockHash: news.toHash,
      recentBlocks: recentBlocksAfter(positionOf(cursor), news),
      rereadFrom: null,
      isRereading: isRereading && news.isMore,
    });
    const dropped = await deleteTransactions(tx, lost);
    const touched =
      deleteAfter === undefined
        ? dropped
        : mergeTouched(await deleteLogs(tx, deleteAfter), dropped);
    const stored = await storeLogs(deps, tx, logs);
    const reverted = await revertAfterReading(deps, tx, { isRereading, news, touched });
    return [...stored, ...reverted];
  });
  await deps.claimedOrders?.run(taken);
  memory.note(logs);
}

async function revertAfterReading(
  deps: WatcherDeps,
  tx: Queryable,
  reading: { isRereading: boolean; news: ContractNews; touched: TouchedByChain },
): Promise<Claimed[]> {
  const { isRereading, news, touched } = reading;
  const isChanged = isRereading || Object.values(touched).some((some) => some.length > 0);
  if (!isChanged || (isRereading && news.isMore)) return [];
  const { orderIds, tickers } = await revertStates(tx, isRereading ? undefined : touched);
  if (orderIds.length + tickers.length === 0) return [];
  deps.log.warn({ orderIds, tickers }, 'states without a log were reverted');
  return await wakeOrders(tx, orderIds, deps.claimedOrders?.room());
}
