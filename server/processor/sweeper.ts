import { and, asc, eq, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Log } from '#server/log.ts';
import type { OrderQueue } from '#server/orders/queue.ts';
import { pause } from './pause.ts';

const SWEEP_MS = 1_000;
const MAX_PER_SWEEP = 500;

/**
 * Finds intents that are due and that nobody holds, and queues them: those whose wait is over,
 * those whose processor died, and any whose job was lost. Queuing one twice does no harm.
 */
export async function sweepDueOrders(
  deps: { database: Database; queue: OrderQueue; log: Log },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const due = await deps.database.orm
        .select({ id: orders.id })
        .from(orders)
        .where(
          and(
            eq(orders.isComplete, false),
            lte(orders.nextRunAt, sql`now()`),
            or(isNull(orders.leaseUntil), lt(orders.leaseUntil, sql`now()`)),
          ),
        )
        .orderBy(asc(orders.nextRunAt))
        .limit(MAX_PER_SWEEP);
      await deps.queue.enqueue(deps.database.orm, ...due.map((order) => order.id));
    } catch (error) {
      deps.log.error({ err: error }, 'sweep failed');
    }
    await pause(SWEEP_MS, signal);
  }
}
