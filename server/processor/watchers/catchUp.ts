import { setTimeout as delay } from 'node:timers/promises';
import { readCursor } from '#server/chain/cursor.ts';
import type { TransferDeps } from '#server/domain/transfers/followTransfers.ts';
import { TRANSFERS_CURSOR } from '#server/domain/transfers/transfersCursor.ts';
import { CONTRACTS_CURSOR } from '../forks/contractLogs.ts';
import { watchChain } from './chainWatcher.ts';
import { runTransferLoop } from './transferLoop.ts';

const TIMEOUT_MS = 120_000;
const POLL_MS = 200;

/**
 * Brings the ledger to the chain's newest block; reads the chain itself if no processor does.
 * Returns whether that succeeded in time.
 */
export async function catchUpWithChain(deps: TransferDeps): Promise<boolean> {
  const over = new AbortController();
  const reading = Promise.all([watchChain(deps, over.signal), runTransferLoop(deps, over.signal)]);
  const deadline = Date.now() + TIMEOUT_MS;
  try {
    const newest = await deps.chain.client.getBlockNumber({ cacheTime: 0 });
    const head = newest - BigInt(deps.chain.confirmations - 1);
    while (Date.now() < deadline) {
      const db = deps.database.orm;
      const contracts = await readCursor(db, CONTRACTS_CURSOR);
      const transfers = await readCursor(db, TRANSFERS_CURSOR);
      const isThere = contracts !== undefined && contracts.blockNumber >= head;
      if (isThere && transfers?.blockHash === contracts.blockHash) return true;
      await delay(POLL_MS);
    }
    return false;
  } finally {
    over.abort();
    await reading;
  }
}
