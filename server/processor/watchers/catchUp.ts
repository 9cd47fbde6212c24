import { setTimeout as delay } from 'node:timers/promises';
import { readCursor } from '#server/chain/cursor.ts';
import { TRANSFERS_CURSOR } from '#server/domain/transfers/transfersCursor.ts';
import type { Runtime } from '#server/runtime.ts';
import { CONTRACTS_CURSOR } from '../forks/contractLogs.ts';
import { watchChain } from './chainWatcher.ts';
import { runTransferLoop } from './transferLoop.ts';

const TIMEOUT_MS = 120_000;
const POLL_MS = 200;

/**
 * Brings the ledger to the chain's newest block; reads the chain itself if no processor does.
 * Returns whether that succeeded in time.
 */
export async function catchUpWithChain(runtime: Runtime): Promise<boolean> {
  const over = new AbortController();
  const reading = Promise.all([
    watchChain(runtime, over.signal),
    runTransferLoop(runtime, over.signal),
  ]);
  const deadline = Date.now() + TIMEOUT_MS;
  try {
    const newest = await runtime.chain.client.getBlockNumber({ cacheTime: 0 });
    const head = newest - BigInt(runtime.chain.confirmations - 1);
    while (Date.now() < deadline) {
      const db = runtime.database.orm;
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
