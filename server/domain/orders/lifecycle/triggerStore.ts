import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { formatMicros } from '#lib/money.ts';
import type { Database } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { listClosed } from '../../markets/catalogue/catalogue.ts';
import type { OpenTrigger, TriggerSource } from '../../triggers/triggerSource.ts';
import { notifyDue } from './dueOrders.ts';
import { appendEvents } from './transition.ts';

// As in the index: a prepared statement that has the stage as a parameter could not use it.
const isBeforeTrigger = sql`${orders.stage} = 'trigger'`;
const isWaiting = and(isBeforeTrigger, isNull(orders.triggeredAt));

const isOpenWait = (id: string) =>
  and(eq(orders.id, id), isWaiting, isNull(orders.cancelRequestedAt));

/**
 * Has a stop order wait for another price.
 * @returns false if it no longer waits
 */
export async function moveTrigger(
  { orm }: Database,
  id: string,
  triggerPriceMicros: bigint,
): Promise<boolean> {
  return await orm.transaction(async (tx) => {
    const [moved] = await tx
      .update(orders)
      .set({ triggerPriceMicros, updatedAt: sql`now()` })
      .where(isOpenWait(id))
      .returning();
    if (!moved) return false;
    const detail = `waits for ${formatMicros(triggerPriceMicros)}`;
    await appendEvents(tx, moved, [{ type: 'amended', detail }]);
    return true;
  });
}

/** Stop orders whose funds are locked and whose price has not been reached. */
export function stopOrders({ orm }: Database): TriggerSource {
  return {
    name: 'stop order',
    async listOpen() {
      const { ticker, side, triggerPriceMicros, triggerDirection, triggerSource } = orders;
      const rows = await orm
        .select({
          id: orders.id,
          ticker: sql<string>`${ticker}`,
          side: sql<OpenTrigger['side']>`${side}`,
          priceMicros: sql<bigint>`${triggerPriceMicros}`.mapWith(BigInt),
          direction: sql<OpenTrigger['direction']>`${triggerDirection}`,
          source: sql<OpenTrigger['source']>`${triggerSource}`,
        })
        .from(orders)
        .where(and(isWaiting, isNull(orders.cancelRequestedAt), isNotNull(triggerPriceMicros)));
      return rows;
    },
    /** One statement decides between several processors, and between this and a cancellation. */
    async fire({ id, priceMicros: waitedFor }, { priceMicros }) {
      return await orm.transaction(async (tx) => {
        const [released] = await tx
          .update(orders)
          .set({
            triggeredAt: sql`now()`,
            triggerSeenMicros: priceMicros,
            nextRunAt: sql`now()`,
            updatedAt: sql`now()`,
          })
          .where(and(isOpenWait(id), eq(orders.triggerPriceMicros, waitedFor)))
          .returning();
        if (!released) return false;
        await appendEvents(tx, released, [
          { type: 'triggered', detail: formatMicros(priceMicros) },
        ]);
        await notifyDue(tx);
        return true;
      });
    },
  };
}

/** Stop orders that wait in a market that has closed: their funds go back. */
export async function listClosedWaits(database: Database): Promise<string[]> {
  const waiting = await database.orm
    .select({ id: orders.id, ticker: sql<string>`${orders.ticker}` })
    .from(orders)
    .where(isBeforeTrigger);
  const tickers = new Set(waiting.map(({ ticker }) => ticker));
  const closed = new Set(await listClosed({ database }, [...tickers]));
  return waiting.flatMap(({ id, ticker }) => (closed.has(ticker) ? id : []));
}
