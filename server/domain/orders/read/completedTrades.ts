import { and, eq, gt, inArray, or } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { vaultEvents } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import type { VaultEvent } from '../lifecycle/orderContext.ts';
import type { TradeOrder } from '../lifecycle/orderRow.ts';

type CompletedTrade = Pick<TradeOrder, 'ticker' | 'side' | 'tradeAction' | 'contractMicros'> &
  Pick<VaultEvent, 'blockNumber' | 'logIndex'> & { quoteUsdcMicros: bigint };

/** The deliveries of many holders' trades, each part on its own; holders without trades are absent. */
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
      contractMicros: vaultEvents.filledContractMicros,
      quoteUsdcMicros: vaultEvents.quoteUsdcMicros,
      blockNumber: vaultEvents.blockNumber,
      logIndex: vaultEvents.logIndex,
    })
    .from(orders)
    .innerJoin(
      vaultEvents,
      and(
        eq(vaultEvents.chainOrderId, orders.chainOrderId),
        inArray(vaultEvents.kind, ['filled', 'partially_filled']),
      ),
    )
    // The parts of an order count as they are delivered.
    .where(
      and(
        or(
          eq(vaultEvents.kind, 'partially_filled'),
          and(eq(orders.isComplete, true), eq(orders.status, 'completed')),
        ),
        or(brought, sold),
      ),
    );
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

type TradeRow = { [Name in keyof CompletedTrade]: CompletedTrade[Name] | null };

function isTrade(row: TradeRow): row is CompletedTrade {
  const { ticker, side, tradeAction, contractMicros, quoteUsdcMicros } = row;
  return Boolean(ticker && side && tradeAction && contractMicros) && quoteUsdcMicros !== null;
}

/** By owner, the subset of these markets in which the owner's orders were filled. */
export async function listTraders(
  db: Queryable,
  tickers: readonly string[],
): Promise<Map<string, Set<string>>> {
  if (tickers.length === 0) return new Map();
  const rows = await db
    .selectDistinct({ owner: orders.ownerAddress, ticker: orders.ticker })
    .from(orders)
    .where(and(inArray(orders.ticker, [...tickers]), gt(orders.filledContractMicros, 0n)));
  const traders = new Map<string, Set<string>>();
  for (const { owner, ticker } of rows) {
    if (ticker === null) continue;
    traders.set(owner, (traders.get(owner) ?? new Set()).add(ticker));
  }
  return traders;
}

/** The subset of these markets in which a key's or a wallet's orders were filled. */
export async function filterTraded(
  db: Queryable,
  trader: { apiKeyId: string } | { ownerAddress: string },
  tickers: readonly string[],
): Promise<string[]> {
  if (tickers.length === 0) return [];
  const rows = await db
    .selectDistinct({ ticker: orders.ticker })
    .from(orders)
    .where(
      and(
        'apiKeyId' in trader
          ? eq(orders.apiKeyId, trader.apiKeyId)
          : eq(orders.ownerAddress, trader.ownerAddress),
        inArray(orders.ticker, [...tickers]),
        gt(orders.filledContractMicros, 0n),
      ),
    );
  return rows.flatMap(({ ticker }) => ticker ?? []);
}
