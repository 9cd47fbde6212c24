import { listDueWork } from '#server/chain/operations/signerLeases.ts';
import { repeat } from '#server/platform/process/repeat.ts';
import type { SignerDeps, SignerRole } from './signer.ts';

/** Between looks for work that another process queued, or left. */
const LOOK_MS = 500;

/**
 * Wakes the keys of this process that have work, whichever process queued it: one statement for all
 * keys. Work that this process queues wakes them itself.
 */
export async function watchDueWork(
  { database, log, work }: Pick<SignerDeps, 'database' | 'log' | 'work'>,
  roles: () => readonly SignerRole[],
  signal: AbortSignal,
): Promise<void> {
  const look = async () => {
    const kinds = [...new Set(roles().flatMap((role) => role.kinds))];
    for (const kindOrAddress of await listDueWork(database.orm, kinds)) work.ring(kindOrAddress);
  };
  const heldUp = 'the work of the keys could not be read; retrying';
  await repeat(LOOK_MS, look, { log, signal, heldUp });
}
