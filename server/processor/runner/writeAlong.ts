import { withdrawReady } from '#server/chain/operations/store.ts';
import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import { recordAudit } from '#server/domain/admin/audit.ts';
import { insertPosting, removePostingsOf } from '#server/domain/ledger/ledger.ts';
import { asTradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/lease.ts';
import { lockBookedPayout } from '#server/domain/settlement/lateFills.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import type { Write } from '../steps/decision.ts';
import { payoutPosting } from '../steps/unwind.ts';

/** Writes a decision's further changes in its transition's transaction. */
export async function writeAlong(
  tx: Queryable,
  log: Log,
  row: OrderRow,
  writes: readonly Write[],
): Promise<void> {
  const deps = { database: { orm: tx }, log };
  for (const write of writes) {
    switch (write.kind) {
      case 'raise_alert':
        await raiseAlert(deps, write.alert);
        break;
      case 'resolve_alert':
        await resolveAlert(deps, write.alert);
        break;
      case 'record_audit':
        await recordAudit(deps, write.entry);
        break;
      case 'withdraw_operation':
        await withdrawReady(tx, row.id, write.operation);
        break;
      case 'remove_lock_posting':
        await removePostingsOf(tx, [row.id], 'lock');
        break;
      case 'book_payout': {
        const order = asTradeOrder(row);
        const payoutYesMicros = await lockBookedPayout(tx, order.ticker);
        if (payoutYesMicros === undefined) break;
        await insertPosting(tx, order, payoutPosting(order, write, payoutYesMicros));
        break;
      }
    }
  }
}
