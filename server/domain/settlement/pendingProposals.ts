import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { pendingProposals } from '../../platform/database/schema/settlement.ts';

/** A payout that waits for a second admin. */
export type PendingProposal = typeof pendingProposals.$inferSelect;

/** All pending proposals, by ticker. */
export async function listPendingProposals(db: Queryable): Promise<Map<string, PendingProposal>> {
  const rows = await db.select().from(pendingProposals);
  return new Map(rows.map((row) => [row.ticker, row]));
}

/** A later proposal replaces the pending one. */
export async function storePendingProposal(
  tx: Queryable,
  { ticker, ...proposal }: Omit<PendingProposal, 'proposedAt'>,
): Promise<void> {
  const set = { ...proposal, proposedAt: sql`now()` };
  await tx
    .insert(pendingProposals)
    .values({ ticker, ...set })
    .onConflictDoUpdate({ target: pendingProposals.ticker, set });
}

/** Removes the proposal with exactly this payout, so that only one confirmation can use it. */
export async function takePendingProposal(
  tx: Queryable,
  { ticker, payoutYesMicros }: Pick<PendingProposal, 'ticker' | 'payoutYesMicros'>,
): Promise<PendingProposal | undefined> {
  const [taken] = await tx
    .delete(pendingProposals)
    .where(
      and(
        eq(pendingProposals.ticker, ticker),
        eq(pendingProposals.payoutYesMicros, payoutYesMicros),
      ),
    )
    .returning();
  return taken;
}

export async function dropPendingProposal(tx: Queryable, ticker: string): Promise<void> {
  await tx.delete(pendingProposals).where(eq(pendingProposals.ticker, ticker));
}
