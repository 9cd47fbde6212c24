import { randomUUID } from 'node:crypto';
import { desc, lt, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/client.ts';
import { reconciliationRuns } from '../../platform/database/schema/reconciliation.ts';
import { type Difference, fromStored, type StoredDifference, toStored } from './difference.ts';

/** The number of requests a comparison made. */
export type Cost = { queries: number; rpcCalls: number; exchangeCalls: number };

export type Run = {
  startedAt: Date;
  checkedAt: Date;
  status: 'ok' | 'differences' | 'failing';
  differences: Difference[];
  suspicions: Difference[];
  cost: Cost;
  failure: string | null;
};

const KEEP_DAYS = 14;

/** The newest comparison, if any. */
export async function readLatestRun(deps: { database: Database }): Promise<Run | undefined> {
  const [row] = await deps.database.orm
    .select()
    .from(reconciliationRuns)
    .orderBy(desc(reconciliationRuns.checkedAt))
    .limit(1);
  if (!row) return undefined;
  return {
    ...row,
    differences: (row.differences as StoredDifference[]).map(fromStored),
    suspicions: (row.suspicions as StoredDifference[]).map(fromStored),
    cost: row.cost as Cost,
  };
}

/** Stores a comparison and deletes old ones. */
export async function storeRun(
  deps: { database: Database },
  run: Omit<Run, 'checkedAt'>,
): Promise<void> {
  await deps.database.orm.insert(reconciliationRuns).values({
    ...run,
    id: randomUUID(),
    checkedAt: sql`now()`,
    differences: run.differences.map(toStored),
    suspicions: run.suspicions.map(toStored),
  });
  await deps.database.orm
    .delete(reconciliationRuns)
    .where(lt(reconciliationRuns.checkedAt, sql`now() - ${KEEP_DAYS} * interval '1 day'`));
}
