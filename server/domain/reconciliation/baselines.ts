import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { reconciliationBaselines } from '../../platform/database/schema/reconciliation.ts';
import { keyOf } from './difference.ts';

export type Baseline = {
  kind: string;
  subject: string;
  /** The amount that counts as explained, on top of the ledger. */
  amountMicros: bigint;
  note: string;
  acceptedBy: string;
};

/** By `kind|subject`. */
export async function readBaselines(db: Queryable): Promise<Map<string, bigint>> {
  const rows = await db.select().from(reconciliationBaselines);
  return new Map(
    rows.map((row) => [
      keyOf({ kind: row.kind, subject: row.subject } as Parameters<typeof keyOf>[0]),
      row.amountMicros,
    ]),
  );
}

/** Records a baseline; with `onlyIfNone`, unless one exists. Returns whether it was written. */
export async function storeBaseline(
  db: Queryable,
  baseline: Baseline,
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
