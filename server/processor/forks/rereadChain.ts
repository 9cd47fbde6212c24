import { setTimeout as delay } from 'node:timers/promises';
import { isRereadOpen, readCursor, requestReread } from '#server/chain/cursor.ts';
import { recordAudit } from '#server/domain/admin/audit.ts';
import { NotAllowedError } from '#server/domain/admin/notAllowed.ts';
import { countReopened } from '#server/domain/orders/read/eventFeed.ts';
import { TRANSFERS_CURSOR } from '#server/domain/transfers/store.ts';
import type { Database } from '#server/platform/database/client.ts';
import { CONTRACTS_CURSOR } from './contractLogs.ts';

const TIMEOUT_MS = 10 * 60_000;
const POLL_MS = 200;

/**
 * Brings every order, settlement, redemption, withdrawal, grant and transfer to the chain's current
 * state: deletes the logs after a block, reads them again and reverts every state that none of them
 * supports. The processors do the work.
 * @param act.after the block after which to read; 0 reads the whole chain
 * @returns how many orders reverted to an earlier stage; undefined when the processors need more
 *   than ten minutes, in which case they continue
 * @throws {NotAllowedError} when the chain was not read up to that block yet
 */
export async function rereadChain(
  deps: { database: Database },
  act: { after: bigint; by: string; reason: string },
): Promise<{ reopenedOrders: number } | undefined> {
  const { orm } = deps.database;
  const names = [CONTRACTS_CURSOR, TRANSFERS_CURSOR];
  const cursor = await readCursor(orm, CONTRACTS_CURSOR);
  if (!cursor || act.after < 0n || act.after >= cursor.blockNumber) {
    throw new NotAllowedError(`The chain was read up to block ${cursor?.blockNumber ?? 0n}.`);
  }
  const before = await countReopened(orm);
  const { by: actor, reason } = act;
  await orm.transaction(async (tx) => {
    await requestReread(tx, names, act.after);
    const after = { after: act.after.toString() };
    const entry = { actor, action: 'reread_chain', subject: 'chain', reason, after };
    await recordAudit({ database: { orm: tx } }, entry);
  });
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const open = await Promise.all(names.map((name) => isRereadOpen(orm, name)));
    if (!open.includes(true)) return { reopenedOrders: (await countReopened(orm)) - before };
    await delay(POLL_MS);
  }
  return undefined;
}
