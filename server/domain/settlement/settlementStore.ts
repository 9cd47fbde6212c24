import { randomUUID } from 'node:crypto';
import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { marketSettlements, settlementEvents } from '../../platform/database/schema/settlement.ts';

export type Settlement = typeof marketSettlements.$inferSelect;
export type SettlementEvent = typeof settlementEvents.$inferSelect;

/** Records once that the exchange has settled a market. */
export async function storeSettlement(
  db: Queryable,
  {
    ticker,
    payoutYesMicros,
    settledAt,
  }: { ticker: string; payoutYesMicros: bigint; settledAt: Date },
): Promise<void> {
  await db
    .insert(marketSettlements)
    .values({
      id: randomUUID(),
      ticker,
      marketKey: marketKeyOf(ticker),
      payoutYesMicros,
      state: 'due',
      settledAt,
      createdAt: sql`now()`,
    })
    .onConflictDoNothing();
}

/** The vault's progress with a market; undefined until the exchange has settled it. */
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
  if (tickers.length === 0) return [];
  return await db
    .select()
    .from(marketSettlements)
    .where(
      and(inArray(marketSettlements.ticker, [...tickers]), eq(marketSettlements.state, 'final')),
    );
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

/** The vault's latest log about a market's settlement. */
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
  const moved = await tx
    .update(marketSettlements)
    .set(set)
    .where(
      and(
        eq(marketSettlements.ticker, settlement.ticker),
        eq(marketSettlements.state, settlement.state),
      ),
    )
    .returning({ ticker: marketSettlements.ticker });
  return moved.length === 1;
}
