import { and, asc, eq, gte } from 'drizzle-orm';
import { marketKeyOf, OUTCOME_INDEX, type OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { redemptions } from '../../platform/database/schema/settlement.ts';

export type Redemption = typeof redemptions.$inferSelect;

/** A holder's redemptions of one outcome, regardless of the sender, oldest first. */
export async function listRedemptions(
  db: Queryable,
  query: { holder: string; ticker: string; side: OutcomeSide; since?: Date },
): Promise<Redemption[]> {
  return await db
    .select()
    .from(redemptions)
    .where(
      and(
        eq(redemptions.holder, query.holder),
        eq(redemptions.marketKey, marketKeyOf(query.ticker)),
        eq(redemptions.outcome, OUTCOME_INDEX[query.side]),
        query.since && gte(redemptions.seenAt, query.since),
      ),
    )
    .orderBy(asc(redemptions.blockNumber), asc(redemptions.logIndex));
}

/** All redemptions of these holders, regardless of the sender. */
export async function listRedemptionsOf(
  db: Queryable,
  holders: readonly string[],
): Promise<Redemption[]> {
  return await db.select().from(redemptions).where(isOneOf(redemptions.holder, holders));
}
