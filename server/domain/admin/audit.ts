import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { descending } from '#server/platform/database/descending.ts';
import { auditLog } from '#server/platform/database/schema/admin.ts';

type Deps = { database: { orm: Queryable } };

export type AuditEntry = {
  /** An admin, or `service`. */
  actor: string;
  action: string;
  /** The order, market or alert that was acted on. */
  subject: string;
  reason: string;
  before?: unknown;
  after?: unknown;
};

/** Appends to the audit trail; entries are never changed or removed. */
export async function recordAudit(deps: Deps, entry: AuditEntry): Promise<void> {
  await deps.database.orm.insert(auditLog).values({
    ...entry,
    id: randomUUID(),
    at: sql`now()`,
    before: entry.before ?? null,
    after: entry.after ?? null,
  });
}

/** The trail, newest first; optionally of one subject. */
export async function readAudit(
  deps: Deps,
  query: { subject?: string; limit: number },
): Promise<(typeof auditLog.$inferSelect)[]> {
  return await deps.database.orm
    .select()
    .from(auditLog)
    .where(query.subject === undefined ? undefined : eq(auditLog.subject, query.subject))
    .orderBy(descending(auditLog.at))
    .limit(query.limit);
}
