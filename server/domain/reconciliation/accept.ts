import { recordAudit } from '../admin/audit.ts';
import { readBaselines, storeBaseline } from './baselines.ts';
import { type Difference, excessMicros, keyOf } from './difference.ts';
import type { ReconcileDeps } from './findDifferences.ts';
import { describe } from './reconcile.ts';

/**
 * Accepts differences: from now on they count as explained, and only further excess counts. Each
 * writes to the audit trail. The next comparison reopens the markets.
 */
export async function acceptDifferences(
  deps: ReconcileDeps,
  input: { differences: Difference[]; by: string; note: string },
): Promise<void> {
  const before = await readBaselines(deps.database.orm);
  for (const difference of input.differences) {
    const { kind, subject } = difference;
    const known = before.get(keyOf(difference)) ?? 0n;
    // The expected positions and cash already include their baseline; the others do not.
    const isCounted = kind === 'exchange_cash' || kind === 'exchange_position';
    const amountMicros = excessMicros(difference) + (isCounted ? known : 0n);
    await deps.database.orm.transaction(async (tx) => {
      const baseline = { kind, subject, amountMicros, note: input.note, acceptedBy: input.by };
      await storeBaseline(tx, baseline, { onlyIfNone: false });
      await recordAudit(
        { database: { orm: tx } },
        {
          actor: input.by,
          action: 'accept_difference',
          subject: keyOf(difference),
          reason: `${input.note} (${describe(difference)})`,
          before: { amountMicros: known.toString() },
          after: { amountMicros: amountMicros.toString() },
        },
      );
    });
  }
}
