import { setTimeout as delay } from 'node:timers/promises';
import { readBlockTimes } from '#server/chain/blockTimes.ts';
import type { Chain } from '#server/chain/client.ts';
import { readCursor } from '#server/chain/cursor.ts';
import {
  createTransferReader,
  type TransferDeps,
} from '#server/domain/transfers/followTransfers.ts';
import { TRANSFERS_CURSOR } from '#server/domain/transfers/store.ts';

import { CONTRACTS_CURSOR } from '../forks/contractLogs.ts';
import { pollUntilAborted } from '../runner/polling.ts';
import type { ProcessorDeps } from '../runner/stepDeps.ts';
import { watchChain } from './chainWatcher.ts';
import { runLeasedReader } from './leasedReader.ts';

const ERROR_PAUSE_MS = 2_000;

export async function runTransferLoop(deps: TransferDeps, signal: AbortSignal): Promise<void> {
  const failure = 'recording transfers failed';
  const options = { log: deps.log, signal, pollMs: 500, errorPauseMs: ERROR_PAUSE_MS, failure };
  await runLeasedReader(options, createTransferReader(deps));
}

export async function runBlockTimeLoop(
  deps: Pick<ProcessorDeps, 'database' | 'chain' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const failure = 'times of blocks not read';
  const options = { log: deps.log, signal, pollMs: 1_000, errorPauseMs: ERROR_PAUSE_MS, failure };
  await pollUntilAborted({ ...options, level: 'warn' }, () => readBlockTimes(deps));
}

const CATCH_UP_TIMEOUT_MS = 120_000;
const CATCH_UP_POLL_MS = 200;

/**
 * Brings the ledger to the chain's newest block; reads the chain itself if no processor does.
 * Returns whether that succeeded in time.
 */
export async function catchUpWithChain(deps: TransferDeps): Promise<boolean> {
  const end = new AbortController();
  const reading = Promise.all([watchChain(deps, end.signal), runTransferLoop(deps, end.signal)]);
  const deadline = Date.now() + CATCH_UP_TIMEOUT_MS;
  try {
    const head = await newestConfirmedBlock(deps.chain);
    while (Date.now() < deadline) {
      const db = deps.database.orm;
      const contracts = await readCursor(db, CONTRACTS_CURSOR);
      const transfers = await readCursor(db, TRANSFERS_CURSOR);
      const isThere = contracts !== undefined && contracts.blockNumber >= head;
      if (isThere && transfers?.blockHash === contracts.blockHash) return true;
      await delay(CATCH_UP_POLL_MS);
    }
    return false;
  } finally {
    end.abort();
    await reading;
  }
}

export async function newestConfirmedBlock({ client, confirmations }: Chain): Promise<bigint> {
  const newest = await client.getBlockNumber({ cacheTime: 0 });
  return newest - BigInt(confirmations - 1);
}
