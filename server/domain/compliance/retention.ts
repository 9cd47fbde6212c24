import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/log.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { deleteOldKeyUsage } from '../auth/keyUsage.ts';
import { deleteOldSignIns } from '../auth/personalData.ts';

export type RetentionDeps = { database: Database; log: Log; config: Pick<Config, 'compliance'> };

const EVERY_MS = 60 * 60_000;
/** Randomised, so that processors that start together do not all run together. */
const FIRST_AFTER_MS = 30_000;

/**
 * Deletes personal data that has been unused for this many days. @returns the number of deleted
 * rows
 */
export async function deleteOldData(database: Database, days: number): Promise<number> {
  const signIns = await deleteOldSignIns(database.orm, days);
  const usage = await deleteOldKeyUsage(database.orm);
  return signIns + usage;
}

/** Does so every hour until the signal aborts. Safe to run in several processes. */
export async function runRetention(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { database, log, config } = deps;
  const firstAfterMs = FIRST_AFTER_MS * (0.5 + Math.random());
  await delay(firstAfterMs, undefined, { signal }).catch(() => undefined);
  const deleteRows = async () => {
    const rows = await deleteOldData(database, config.compliance.retentionDays);
    if (rows > 0) log.info({ rows }, 'old personal data deleted');
  };
  const heldUp = 'old personal data could not be deleted';
  await repeat(EVERY_MS, deleteRows, { log, heldUp, signal });
}
