import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/client.ts';
import { reconciliationLease } from '../../platform/database/schema/reconciliation.ts';

const NAME = 'scheduled';

/**
 * Acquires the right to compare: one process at a time, and at most once in `everySeconds`. Returns
 * whether it was acquired.
 */
export async function takeTurn(
  database: Database,
  token: string,
  everySeconds: number,
): Promise<boolean> {
  await database.orm.insert(reconciliationLease).values({ name: NAME }).onConflictDoNothing();
  const taken = await database.orm
    .update(reconciliationLease)
    .set({
      leaseToken: token,
      leaseUntil: sql`now() + ${everySeconds} * interval '1 second'`,
    })
    .where(
      and(
        eq(reconciliationLease.name, NAME),
        or(isNull(reconciliationLease.leaseUntil), lt(reconciliationLease.leaseUntil, sql`now()`)),
      ),
    )
    .returning({ name: reconciliationLease.name });
  return taken.length === 1;
}
