import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, gte, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { marketKeyOf, OUTCOME_INDEX, type OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { exchangeFills, orders } from '#server/platform/database/schema/orders.ts';
import {
  marketSettlements,
  pairMerges,
  redemptions,
  settlementEvents,
} from '#server/platform/database/schema/settlement.ts';
import { readPostingLines } from '../ledger/ledger.ts';

export type Settlement = typeof marketSettlements.$inferSelect;
export type SettlementEvent = typeof settlementEvents.$inferSelect;

/** Records once that the exchange has settled a market. */
export async function storeSettlement(
  db: Queryable,
  result: Pick<Settlement, 'ticker' | 'payoutYesMicros' | 'settledAt'>,
): Promise<void> {
  const { ticker, payoutYesMicros, settledAt } = result;
  const identity = { id: randomUUID(), ticker, marketKey: marketKeyOf(ticker) };
  await db
    .insert(marketSettlements)
    .values({ ...identity, payoutYesMicros, state: 'due', settledAt, createdAt: sql`now()` })
    .onConflictDoNothing();
}

/** Undefined until the exchange has settled the market. */
export async function findSettlement(
  db: Queryable,
  ticker: string,
): Promise<Settlement | undefined> {
  const [row] = await db
    .select()
    .from(marketSettlements)
    .where(eq(marketSettlements.ticker, ticker))
    .limit(1);
  return row;
}

/** The markets among these whose tokens the vault pays out now. */
export async function listRedeemable(
  db: Queryable,
  tickers: readonly string[],
): Promise<Settlement[]> {
  const { ticker, state } = marketSettlements;
  const isRedeemable = and(inArray(ticker, [...tickers]), eq(state, 'final'));
  return tickers.length > 0 ? await db.select().from(marketSettlements).where(isRedeemable) : [];
}

/** The markets among these without a recorded settlement. */
export async function listUnnoticed(db: Queryable, tickers: readonly string[]): Promise<string[]> {
  if (tickers.length === 0) return [];
  const rows = await db
    .select({ ticker: marketSettlements.ticker })
    .from(marketSettlements)
    .where(inArray(marketSettlements.ticker, [...tickers]));
  const known = new Set(rows.map((row) => row.ticker));
  return tickers.filter((ticker) => !known.has(ticker));
}

/** Settlements that have a step before them. */
export async function listUnfinishedSettlements(db: Queryable): Promise<Settlement[]> {
  return await db
    .select()
    .from(marketSettlements)
    .where(inArray(marketSettlements.state, ['due', 'proposed', 'held']));
}

/** Final settlements whose opted-in holders have not been processed yet. */
export async function listNotAutoRedeemed(db: Queryable): Promise<Settlement[]> {
  return await db
    .select()
    .from(marketSettlements)
    .where(and(eq(marketSettlements.state, 'final'), isNull(marketSettlements.autoRedeemedAt)));
}

export async function markAutoRedeemed(db: Queryable, ticker: string): Promise<void> {
  await db
    .update(marketSettlements)
    .set({ autoRedeemedAt: sql`now()` })
    .where(eq(marketSettlements.ticker, ticker));
}

export async function findLatestSettlementEvent(
  db: Queryable,
  marketKey: string,
): Promise<SettlementEvent | undefined> {
  const [event] = await db
    .select()
    .from(settlementEvents)
    .where(eq(settlementEvents.marketKey, marketKey))
    .orderBy(desc(settlementEvents.blockNumber), desc(settlementEvents.logIndex))
    .limit(1);
  return event;
}

type SettlementChange = Omit<Partial<typeof marketSettlements.$inferInsert>, 'finalAt'> & {
  finalAt?: SQL<Date>;
};

/** Advances a settlement if it is still in the state of the decision; returns false otherwise. */
export async function advanceSettlement(
  tx: Queryable,
  settlement: Settlement,
  set: SettlementChange,
): Promise<boolean> {
  const { ticker, state } = marketSettlements;
  const advanced = await tx
    .update(marketSettlements)
    .set(set)
    .where(and(eq(ticker, settlement.ticker), eq(state, settlement.state)))
    .returning({ ticker });
  return advanced.length === 1;
}

export async function listTradedTickers(db: Queryable): Promise<string[]> {
  const rows = await db.selectDistinct({ ticker: exchangeFills.ticker }).from(exchangeFills);
  return rows.map((row) => row.ticker);
}

/**
 * Orders of a market that the exchange may have filled and that are neither delivered nor traded
 * back.
 */
export async function countUndelivered(db: Queryable, ticker: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<string>`count(*)` })
    .from(orders)
    .where(
      and(
        eq(orders.ticker, ticker),
        or(
          and(eq(orders.isComplete, false), inArray(orders.stage, ['place', 'rest', 'deliver'])),
          orders.isUnwinding,
        ),
      ),
    );
  return Number(row?.count ?? 0);
}

/**
 * The service's position in a market by its fills, per side: the exchange reports only the
 * difference of the two.
 */
export async function readExchangeHoldings(
  db: Queryable,
  ticker: string,
): Promise<{ yesContractMicros: bigint; noContractMicros: bigint }> {
  const rows = await db
    .select({
      side: exchangeFills.side,
      contractMicros: sql<string>`sum(case when ${exchangeFills.tradeAction} = 'buy'
        then ${exchangeFills.contractMicros} else -${exchangeFills.contractMicros} end)`,
    })
    .from(exchangeFills)
    .where(eq(exchangeFills.ticker, ticker))
    .groupBy(exchangeFills.side);
  const of = (side: 'yes' | 'no') =>
    BigInt(rows.find((row) => row.side === side)?.contractMicros ?? 0);
  return { yesContractMicros: of('yes'), noContractMicros: of('no') };
}

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

/** Merges of pairs by these holders, oldest first. */
export async function listMergesOf(
  db: Queryable,
  holders: readonly string[],
): Promise<(typeof pairMerges.$inferSelect)[]> {
  return await db
    .select()
    .from(pairMerges)
    .where(isOneOf(pairMerges.holder, holders))
    .orderBy(asc(pairMerges.blockNumber), asc(pairMerges.logIndex));
}

export async function listRedemptionsOf(
  db: Queryable,
  holders: readonly string[],
): Promise<Redemption[]> {
  return await db.select().from(redemptions).where(isOneOf(redemptions.holder, holders));
}
