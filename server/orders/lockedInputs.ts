import { and, eq, inArray, isNull } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '../db/client.ts';
import { vaultEvents } from '../db/schema/chain.ts';
import { orders } from '../db/schema/orders.ts';

/** USDC of a purchase or contracts of a sale, while the vault had them. */
export type LockedInput = {
  ticker: string;
  side: OutcomeSide;
  tradeAction: 'buy' | 'sell';
  /** USDC micros of a purchase, contract micros of a sale. */
  micros: bigint;
  fromBlock: bigint;
  /** Where it was delivered or sent back; null while it is locked. */
  untilBlock: bigint | null;
};

/** Everything that orders of an account had locked in the vault, or `open`: have locked now. */
export async function listLockedInputs(
  db: Queryable,
  account: string,
  which: 'all' | 'open',
): Promise<LockedInput[]> {
  const over = alias(vaultEvents, 'over');
  const isOpen = and(eq(orders.isComplete, false), isNull(over.blockNumber));
  const rows = await db
    .select({
      ticker: orders.ticker,
      side: orders.side,
      tradeAction: orders.tradeAction,
      limitUsdcMicros: orders.limitUsdcMicros,
      contractMicros: orders.contractMicros,
      fromBlock: vaultEvents.blockNumber,
      untilBlock: over.blockNumber,
    })
    .from(orders)
    .innerJoin(
      vaultEvents,
      and(eq(vaultEvents.chainOrderId, orders.chainOrderId), eq(vaultEvents.kind, 'requested')),
    )
    .leftJoin(
      over,
      and(eq(over.chainOrderId, orders.chainOrderId), inArray(over.kind, ['filled', 'refunded'])),
    )
    .where(and(eq(orders.accountId, account), which === 'open' ? isOpen : undefined));
  return rows.flatMap(
    ({ ticker, side, tradeAction, limitUsdcMicros, contractMicros, ...blocks }) => {
      const micros = tradeAction === 'buy' ? limitUsdcMicros : contractMicros;
      if (!ticker || !side || !tradeAction || micros === null) return [];
      return [{ ticker, side, tradeAction, micros, ...blocks }];
    },
  );
}
