import { desc, eq } from 'drizzle-orm';
import { findLatestOperation } from '#server/chain/operations/latest.ts';
import { addOperations } from '#server/chain/operations/store.ts';
import type { Database } from '#server/platform/database/client.ts';
import { exchangeFills, orders } from '#server/platform/database/schema/orders.ts';
import { recordAudit } from '../../admin/audit.ts';
import { NotAllowedError } from '../../admin/notAllowed.ts';

/**
 * Has the attestor sign a market's backing again, with the ledger's amounts at the moment of
 * signing; one operation for each traded side.
 * @returns the number of sides
 * @throws {NotAllowedError}
 */
export async function attestPurchase(
  deps: { database: Database },
  { ticker, by, reason }: { ticker: string; by: string; reason: string },
): Promise<number> {
  return await deps.database.orm.transaction(async (tx) => {
    const filled = await tx
      .selectDistinctOn([exchangeFills.side], { order: orders })
      .from(exchangeFills)
      .innerJoin(orders, eq(orders.id, exchangeFills.orderId))
      .where(eq(exchangeFills.ticker, ticker))
      .orderBy(exchangeFills.side, desc(orders.createdAt));
    if (filled.length === 0) throw new NotAllowedError(`No contracts were bought on ${ticker}.`);
    for (const { order } of filled) {
      const latest = await findLatestOperation(tx, order.id, 'attest');
      await addOperations(tx, order, [
        { kind: 'attest', attempt: (latest?.attempt ?? 0) + 1, args: {} },
      ]);
    }
    await recordAudit(
      { database: { orm: tx } },
      { actor: by, action: 'attest_backing', subject: ticker, reason },
    );
    return filled.length;
  });
}
