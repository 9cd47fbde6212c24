import { desc, eq } from 'drizzle-orm';
import { addOperations } from '../chain/operations/store.ts';
import type { Database } from '../db/client.ts';
import { orders, venueFills } from '../db/schema/orders.ts';
import { recordAudit } from '../operations/audit.ts';
import { NotAllowedError } from '../operations/notAllowed.ts';
import { findLatestOperation } from './facts.ts';

/**
 * Has the attestor say anew what stands behind a market's tokens: the amounts are those of the
 * books at the moment of signing, one operation for each side that was traded.
 * @returns how many sides @throws {NotAllowedError}
 */
export async function attestByHand(
  deps: { database: Database },
  { ticker, by, reason }: { ticker: string; by: string; reason: string },
): Promise<number> {
  return await deps.database.orm.transaction(async (tx) => {
    const filled = await tx
      .selectDistinctOn([venueFills.side], { order: orders })
      .from(venueFills)
      .innerJoin(orders, eq(orders.id, venueFills.orderId))
      .where(eq(venueFills.ticker, ticker))
      .orderBy(venueFills.side, desc(orders.createdAt));
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
