import { and, eq, or } from 'drizzle-orm';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { vaultEvents } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

/** A delivered order and the chain position of its delivery. */
export type CompletedTrade = {
  ticker: string;
  side: OutcomeSide;
  tradeAction: 'buy' | 'sell';
  contractMicros: bigint;
  quoteUsdcMicros: bigint;
  blockNumber: bigint;
  logIndex: number;
};

/** The trades of many holders; holders without trades are absent. */
export async function listCompletedTradesOf(
  db: Queryable,
  holders: readonly string[],
): Promise<Map<string, CompletedTrade[]>> {
  const brought = and(eq(orders.tradeAction, 'buy'), isOneOf(orders.receiverAddress, holders));
  const sold = and(eq(orders.tradeAction, 'sell'), isOneOf(orders.accountId, holders));
  const rows = await db
    .select({
      account: orders.accountId,
      receiver: orders.receiverAddress,
      ticker: orders.ticker,
      side: orders.side,
      tradeAction: orders.tradeAction,
      contractMicros: orders.filledContractMicros,
      quoteUsdcMicros: orders.quoteUsdcMicros,
      blockNumber: vaultEvents.blockNumber,
      logIndex: vaultEvents.logIndex,
    })
    .from(orders)
    .innerJoin(
      vaultEvents,
      and(eq(vaultEvents.chainOrderId, orders.chainOrderId), eq(vaultEvents.kind, 'filled')),
    )
    .where(and(eq(orders.isComplete, true), eq(orders.status, 'completed'), or(brought, sold)));
  const trades = new Map<string, CompletedTrade[]>();
  for (const { account, receiver, ...row } of rows) {
    const holder = row.tradeAction === 'buy' ? receiver : account;
    if (holder === null || !isTrade(row)) continue;
    const known = trades.get(holder);
    if (known) known.push(row);
    else trades.set(holder, [row]);
  }
  return trades;
}

/** Orders that brought tokens to a holder or sold them, without redemptions. */
export async function listCompletedTrades(
  db: Queryable,
  holder: string,
): Promise<CompletedTrade[]> {
  return (await listCompletedTradesOf(db, [holder])).get(holder) ?? [];
}

type TradeRow = { [Name in keyof CompletedTrade]: CompletedTrade[Name] | null };

function isTrade(row: TradeRow): row is CompletedTrade {
  const { ticker, side, tradeAction, contractMicros, quoteUsdcMicros } = row;
  return Boolean(ticker && side && tradeAction && contractMicros) && quoteUsdcMicros !== null;
}
