import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import type { AlertKind } from './alertKinds.ts';
import { resolveAlert } from './alerts.ts';
import { recordAudit } from './audit.ts';
import { NotAllowedError } from './notAllowed.ts';

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
