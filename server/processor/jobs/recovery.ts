import type { Address } from 'viem';
import { readCursor } from '#server/chain/cursor.ts';
import { nextStoredNonce } from '#server/chain/operations/store.ts';
import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import { recordAudit } from '#server/domain/admin/audit.ts';
import { type DeletedTransactions, recordRestore } from '#server/domain/admin/restores.ts';
import {
  listUnknownRequests,
  type RecoveryDeps,
  recoverOrder,
} from '#server/domain/orders/lifecycle/recovery.ts';
import { TRANSFERS_CURSOR } from '#server/domain/transfers/store.ts';

import { CONTRACTS_CURSOR } from '../forks/contractLogs.ts';
import { pause } from '../runner/polling.ts';
import { watchChain } from '../watchers/chainWatcher.ts';
import { newestConfirmedBlock, runTransferLoop } from '../watchers/readers.ts';

const ERROR_PAUSE_MS = 2_000;
const POLL_MS = 200;

/**
 * Runs before anything else and detects a database restored to an earlier moment. If so, it reads
 * the chain to its end, recreates lost orders from it and records transfers, before any step can
 * act on incomplete data.
 */
export async function recoverAfterRestore(
  deps: RecoveryDeps,
  signers: { all: readonly Address[]; operators: readonly Address[] },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const dropped = await findUnrecorded(deps, signers.all);
      if (dropped.length > 0) await recover(deps, signers.operators, dropped, signal);
      return;
    } catch (error) {
      deps.log.error({ err: error }, 'recovery after a restore failed, retrying');
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
}

/** Reads the chain first, because transactions are stored before they are sent. */
async function findUnrecorded(
  { chain, database }: RecoveryDeps,
  signers: readonly Address[],
): Promise<DeletedTransactions[]> {
  const found: DeletedTransactions[] = [];
  for (const signer of signers) {
    const chainNonce = await chain.client.getTransactionCount({ address: signer });
    const storedNonce = await nextStoredNonce(database.orm, signer);
    if (BigInt(chainNonce) > storedNonce) found.push({ signer, chainNonce, storedNonce });
  }
  return found;
}

async function recover(
  deps: RecoveryDeps,
  operators: readonly Address[],
  dropped: DeletedTransactions[],
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = deps;
  const internalDetail = dropped.map((one) => JSON.stringify(one, textOf)).join(' ');
  await recordRestore(database.orm, dropped);
  await raiseAlert(deps, { kind: 'database_restored', internalDetail });
  const end = new AbortController();
  const reading = AbortSignal.any([signal, end.signal]);
  const watching = watchChain(deps, reading);
  let recording = Promise.resolve();
  try {
    await untilRead(deps, CONTRACTS_CURSOR, signal);
    const requests = await listUnknownRequests(database);
    const recovered: string[] = [];
    for (const event of requests) {
      if (await recoverOrder(deps, event, operators)) recovered.push(event.chainOrderId);
    }
    // Starts only now, because a request of an order is not a plain transfer.
    recording = runTransferLoop(deps, reading);
    await untilRead(deps, TRANSFERS_CURSOR, signal);
    if (signal.aborted) return;
    const unknownRequests = requests.length;
    log.warn({ unknownRequests, recovered: recovered.length }, 'recovered after a restore');
    const entry = { actor: 'service', action: 'recover_after_restore', subject: 'database' };
    const after = { unknownRequests, recovered };
    await recordAudit(deps, { ...entry, reason: internalDetail, after });
    await resolveAlert(deps, { kind: 'database_restored' });
  } finally {
    end.abort();
    await Promise.all([watching, recording]);
  }
}

async function untilRead(deps: RecoveryDeps, cursor: string, signal: AbortSignal): Promise<void> {
  const head = await newestConfirmedBlock(deps.chain);
  while (!signal.aborted) {
    const position = await readCursor(deps.database.orm, cursor);
    if (position && position.blockNumber >= head) return;
    await pause(POLL_MS, signal);
  }
}

function textOf(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
