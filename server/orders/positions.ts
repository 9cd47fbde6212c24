import { and, asc, eq, gt, isNotNull } from 'drizzle-orm';
import { divide, minMicros } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Database } from '../db/client.ts';
import { orders } from '../db/schema/orders.ts';

/** What an account bought and sold of one outcome through us, fees included. */
export type PositionCost = {
  ticker: string;
  side: OutcomeSide;
  /** Contracts that its own orders brought and have not sold again. */
  contractMicros: bigint;
  /** What those cost, at their average. */
  costUsdcMicros: bigint;
  realisedUsdcMicros: bigint;
};

type Trade = { tradeAction: 'buy' | 'sell'; contractMicros: bigint; quoteUsdcMicros: bigint };

/** Average-cost accounting over trades in their order: a sale takes its share of the cost away. */
export function positionAfter(
  trades: readonly Trade[],
): Pick<PositionCost, 'contractMicros' | 'costUsdcMicros' | 'realisedUsdcMicros'> {
  let held = 0n;
  let cost = 0n;
  let realised = 0n;
  for (const trade of trades) {
    if (trade.tradeAction === 'buy') {
      held += trade.contractMicros;
      cost += trade.quoteUsdcMicros;
      continue;
    }
    const known = minMicros(trade.contractMicros, held);
    const costOfSold = held === 0n ? 0n : divide(cost * known, held, 'nearest');
    held -= known;
    cost -= costOfSold;
    realised += trade.quoteUsdcMicros - costOfSold;
  }
  return { contractMicros: held, costUsdcMicros: cost, realisedUsdcMicros: realised };
}

/** The cost of every outcome that an account has traded. */
export async function getPositionCosts(
  deps: { database: Database },
  accountId: string,
): Promise<PositionCost[]> {
  const rows = await deps.database.orm
    .select({
      ticker: orders.ticker,
      side: orders.side,
      tradeAction: orders.tradeAction,
      contractMicros: orders.filledContractMicros,
      quoteUsdcMicros: orders.quoteUsdcMicros,
    })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        eq(orders.status, 'completed'),
        isNotNull(orders.ticker),
        gt(orders.filledContractMicros, 0n),
      ),
    )
    .orderBy(asc(orders.completedAt));
  const byOutcome = new Map<string, { ticker: string; side: OutcomeSide; trades: Trade[] }>();
  for (const { ticker, side, tradeAction, contractMicros, quoteUsdcMicros } of rows) {
    if (!ticker || !side || !tradeAction || contractMicros === null || quoteUsdcMicros === null) {
      continue;
    }
    const key = `${ticker}|${side}`;
    const outcome = byOutcome.get(key) ?? { ticker, side, trades: [] };
    outcome.trades.push({ tradeAction, contractMicros, quoteUsdcMicros });
    byOutcome.set(key, outcome);
  }
  return [...byOutcome.values()].map(({ ticker, side, trades }) => ({
    ticker,
    side,
    ...positionAfter(trades),
  }));
}
