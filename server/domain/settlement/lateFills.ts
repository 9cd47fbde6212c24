import { eq } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { marketSettlements } from '../../platform/database/schema/settlement.ts';
import { readPostingLines } from '../ledger/ledger.ts';

/**
 * The payout of a Yes contract, once the exchange's payment for the market is posted: later fills
 * were not part of that payment. The caller's transaction blocks the posting until it ends.
 */
export async function lockBookedPayout(tx: Queryable, ticker: string): Promise<bigint | undefined> {
  const [settlement] = await tx
    .select()
    .from(marketSettlements)
    .where(eq(marketSettlements.ticker, ticker))
    .for('update');
  if (!settlement) return undefined;
  const lines = (await readPostingLines(tx, [settlement.id])).get(settlement.id) ?? [];
  const isBooked = lines.some(({ account }) => account === 'exchange');
  return isBooked ? settlement.payoutYesMicros : undefined;
}
