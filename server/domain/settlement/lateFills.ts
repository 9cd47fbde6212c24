import { eq } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { marketSettlements } from '../../platform/database/schema/settlement.ts';
import { readPostingLines } from '../ledger/ledger.ts';

/**
 * What a YES contract paid, once the books have the exchange's payment for the market: fills that
 * are booked from then on were not part of it. Until the caller's transaction ends, it is not booked.
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
