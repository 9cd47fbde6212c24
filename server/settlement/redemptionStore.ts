import { and, asc, eq, gte } from 'drizzle-orm';
import { marketKeyOf, OUTCOME_INDEX, type OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '../db/client.ts';
import { redemptions } from '../db/schema/settlement.ts';

export type Redemption = typeof redemptions.$inferSelect;

/** What a holder has redeemed of one outcome since a moment, whoever asked for it, oldest first. */
export async function listRedemptions(
  db: Queryable,
  query: { holder: string; ticker: string; side: OutcomeSide; since: Date },
): Promise<Redemption[]> {
  return await db
    .select()
    .from(redemptions)
    .where(
      and(
        eq(redemptions.holder, query.holder),
        eq(redemptions.marketKey, marketKeyOf(query.ticker)),
        eq(redemptions.outcome, OUTCOME_INDEX[query.side]),
        gte(redemptions.seenAt, query.since),
      ),
    )
    .orderBy(asc(redemptions.blockNumber), asc(redemptions.logIndex));
}

/** Everything that a holder has redeemed, whoever asked for it. */
export async function listRedemptionsOf(db: Queryable, holder: string): Promise<Redemption[]> {
  return await db.select().from(redemptions).where(eq(redemptions.holder, holder));
}
