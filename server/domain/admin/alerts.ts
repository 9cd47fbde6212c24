import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { alerts } from '#server/platform/database/schema/admin.ts';
import type { Log } from '#server/platform/log.ts';
import { ALERT_KINDS, type AlertKind } from './alertKinds.ts';
import { recordAudit } from './audit.ts';
import { NotAllowedError } from './notAllowed.ts';

/** `database.orm` may be a transaction: the alert is then raised atomically with it. */
export type AlertDeps = { database: { orm: Queryable }; log: Log };

export type NewAlert = {
  kind: AlertKind;
  /** The subject: a ticker, an order, a signer. One alert per kind and subject is open. */
  subject?: string;
  /** Public text; defaults to the kind's own. No amounts, no addresses, no causes. */
  detail?: string;
  /** For admins: log, `npm run ops -- alerts`. */
  internalDetail?: string;
};

export type Alert = typeof alerts.$inferSelect;

const SERVICE = 'service';

/** Raises an alert. Repeating it only updates `lastSeenAt`. */
export async function raiseAlert(deps: AlertDeps, alert: NewAlert): Promise<void> {
  const { kind, subject = SERVICE } = alert;
  const detail = alert.detail ?? ALERT_KINDS[kind];
  const internalDetail = alert.internalDetail ?? null;
  const [raised] = await deps.database.orm
    .insert(alerts)
    .values({
      id: randomUUID(),
      kind,
      subject,
      detail,
      internalDetail,
      raisedAt: sql`now()`,
      lastSeenAt: sql`now()`,
    })
    .onConflictDoUpdate({
      target: [alerts.kind, alerts.subject],
      targetWhere: sql`resolved_at is null`,
      set: { detail, internalDetail, lastSeenAt: sql`now()` },
    })
    .returning({ isNew: sql<boolean>`xmax = 0` });
  if (raised?.isNew) deps.log.error({ alert: kind, subject, internalDetail }, detail);
}

/** Resolves an alert. Does nothing when none is open. */
export async function resolveAlert(
  deps: AlertDeps,
  alert: { kind: AlertKind; subject?: string },
): Promise<boolean> {
  const { kind, subject = SERVICE } = alert;
  const resolved = await deps.database.orm
    .update(alerts)
    .set({ resolvedAt: sql`now()` })
    .where(and(eq(alerts.kind, kind), eq(alerts.subject, subject), isNull(alerts.resolvedAt)))
    .returning({ id: alerts.id });
  if (resolved.length > 0) deps.log.info({ alert: kind, subject }, 'alert resolved');
  return resolved.length > 0;
}

/** Whether an alert of one of these kinds is open, for any subject. */
export async function isAnyAlertOpen(
  deps: { database: { orm: Queryable } },
  kinds: readonly AlertKind[],
): Promise<boolean> {
  const rows = await deps.database.orm
    .select({ id: alerts.id })
    .from(alerts)
    .where(and(inArray(alerts.kind, [...kinds]), isNull(alerts.resolvedAt)))
    .limit(1);
  return rows.length > 0;
}

/** Open alerts, oldest first; or the newest of all, with resolved ones. */
export async function listAlerts(
  deps: { database: { orm: Queryable } },
  query: { resolvedToo?: boolean; kind?: AlertKind; limit?: number } = {},
): Promise<Alert[]> {
  return await deps.database.orm
    .select()
    .from(alerts)
    .where(
      and(
        query.resolvedToo ? undefined : isNull(alerts.resolvedAt),
        query.kind ? eq(alerts.kind, query.kind) : undefined,
      ),
    )
    .orderBy(query.resolvedToo ? desc(alerts.raisedAt) : asc(alerts.raisedAt))
    .limit(query.limit ?? 100);
}

/** Marks an alert as resolved. It reopens if its cause returns. @throws {NotAllowedError} */
export async function resolveAlertAsAdmin(
  deps: { database: Database; log: Log },
  input: { kind: AlertKind; subject?: string | undefined; by: string; reason: string },
): Promise<void> {
  const { kind, subject, by, reason } = input;
  await deps.database.orm.transaction(async (tx) => {
    const inTx = { database: { orm: tx }, log: deps.log };
    const alert = { kind, ...(subject === undefined ? {} : { subject }) };
    if (!(await resolveAlert(inTx, alert))) throw new NotAllowedError('This alert is not open.');
    const about = [kind, subject].filter(Boolean).join(' ');
    await recordAudit(inTx, { actor: by, action: 'resolve_alert', subject: about, reason });
  });
}
