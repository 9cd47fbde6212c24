import { randomUUID } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { descending } from '#server/platform/database/descending.ts';
import {
  reconciliationBaselines,
  reconciliationRuns,
} from '#server/platform/database/schema/reconciliation.ts';
import {
  type Difference,
  fromStored,
  keyOf,
  type StoredDifference,
  toStored,
} from './difference.ts';

export type Cost = {
  queries: number;
  rpcCalls: number;
  exchangeCalls: number;
  /** Time in comparisons, without the pauses between them. */
  milliseconds: number;
};

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

export async function readLatestRun(deps: { database: Database }): Promise<Run | undefined> {
  const [row] = await deps.database.orm
    .select()
    .from(reconciliationRuns)
    .orderBy(descending(reconciliationRuns.checkedAt))
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

/** Accepted differences, by `kind|subject`: the amounts that count as explained. */
export async function readBaselines(db: Queryable): Promise<Map<string, bigint>> {
  const rows = await db.select().from(reconciliationBaselines);
  return new Map(rows.map((row) => [keyOf(row), row.amountMicros]));
}

/** Records a baseline; with `onlyIfNone`, unless one exists. Returns whether it was written. */
export async function storeBaseline(
  db: Queryable,
  baseline: Omit<typeof reconciliationBaselines.$inferInsert, 'acceptedAt'>,
  options: { onlyIfNone: boolean },
): Promise<boolean> {
  const row = { ...baseline, acceptedAt: sql`now()` };
  const insert = db.insert(reconciliationBaselines).values(row);
  const target = [reconciliationBaselines.kind, reconciliationBaselines.subject];
  const stored = await (options.onlyIfNone
    ? insert.onConflictDoNothing({ target })
    : insert.onConflictDoUpdate({ target, set: row })
  ).returning({ kind: reconciliationBaselines.kind });
  return stored.length > 0;
}
