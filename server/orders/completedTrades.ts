import { and, eq, or } from 'drizzle-orm';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '../db/client.ts';
import { vaultEvents } from '../db/schema/chain.ts';
import { orders } from '../db/schema/orders.ts';

/** A delivered order, and where on the chain it was delivered. */
export type CompletedTrade = {
  ticker: string;
  side: OutcomeSide;
  tradeAction: 'buy' | 'sell';
  contractMicros: bigint;
  quoteUsdcMicros: bigint;
  blockNumber: bigint;
  logIndex: number;
};

/** Orders that brought tokens to a holder or sold the holder's; redemptions are not among them. */
export async function listCompletedTrades(
  db: Queryable,
  holder: string,
): Promise<CompletedTrade[]> {
  const brought = and(eq(orders.tradeAction, 'buy'), eq(orders.receiverAddress, holder));
  const sold = and(eq(orders.tradeAction, 'sell'), eq(orders.accountId, holder));
  const rows = await db
    .select({
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
    .where(and(eq(orders.status, 'completed'), or(brought, sold)));
  return rows.flatMap(({ ticker, side, tradeAction, contractMicros, quoteUsdcMicros, ...at }) =>
    ticker && side && tradeAction && contractMicros && quoteUsdcMicros !== null
      ? [{ ticker, side, tradeAction, contractMicros, quoteUsdcMicros, ...at }]
      : [],
  );
}
