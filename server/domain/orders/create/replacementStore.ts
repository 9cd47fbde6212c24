import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { formatMicros } from '#lib/money.ts';
import type { Database } from '#server/platform/database/client.ts';
import { orderReplacements, orders } from '#server/platform/database/schema/orders.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { appendEvents } from '../lifecycle/transition.ts';
import { requestCancel } from './cancelOrder.ts';

/** Price and whole size of the order that takes another one's place. */
export type Replacement = { limitPriceMicros: bigint; contractMicros: bigint };

/** A session key's signature of the order that takes another one's place, under this id. */
export type ReplacementSignature = {
  id: string;
  clientId: string;
  preparedAt: Date;
  signature: Hex;
};

/** What a processor takes over to place: the order that has ended, and what takes its place. */
export type DueReplacement = Replacement & {
  order: OrderRow;
  signed: Omit<ReplacementSignature, 'id'> | undefined;
  isOld: boolean;
};

/** The outcome of a change whose new order exists. */
export const REPLACED = 'replaced';

/** Longer than placing one takes. */
const LEASE_SECONDS = 10;
/** Afterwards a service that does not respond is a reason, too. */
const RETRY_MINUTES = 2;
const MOST_AT_ONCE = 20;

/**
 * Asks an order to end, and stores what takes its place then.
 * @returns false if the order can no longer be changed
 */
export async function storeReplacement(
  { orm }: Database,
  change: Replacement & {
    id: string;
    replacedBy: string;
    signed?: ReplacementSignature | undefined;
    triggerPriceMicros?: bigint;
  },
): Promise<boolean> {
  const { id, limitPriceMicros, contractMicros, signed, ...changed } = change;
  return await orm.transaction(async (tx) => {
    const isChangeable = and(
      inArray(orders.stage, ['rest', 'trigger']),
      isNull(orders.amendPriceMicros),
    );
    const ending = await requestCancel(tx, and(eq(orders.id, id), isChangeable));
    if (ending.length === 0) return false;
    const [order] = await tx.update(orders).set(changed).where(eq(orders.id, id)).returning();
    if (!order) return false;
    await tx.insert(orderReplacements).values({
      orderId: id,
      limitPriceMicros,
      contractMicros,
      clientId: signed?.clientId,
      preparedAt: signed?.preparedAt,
      orderSignature: signed?.signature,
      requestedAt: sql`now()`,
    });
    const detail = `${formatMicros(contractMicros)} at ${formatMicros(limitPriceMicros)}`;
    await appendEvents(tx, order, [{ type: 'replace_requested', detail }]);
    return true;
  });
}

/** Takes over what is to be placed: the order before has ended, and its funds are free. */
export async function takeReplacements({ orm }: Database): Promise<DueReplacement[]> {
  const due = orm
    .select({ orderId: orderReplacements.orderId })
    .from(orderReplacements)
    .innerJoin(orders, eq(orders.id, orderReplacements.orderId))
    .where(
      and(
        isNull(orderReplacements.outcome),
        eq(orders.isComplete, true),
        sql`coalesce(${orderReplacements.leaseUntil} < now(), true)`,
      ),
    )
    .orderBy(orderReplacements.requestedAt)
    .limit(MOST_AT_ONCE)
    .for('update', { of: orderReplacements, skipLocked: true });
  const taken = await orm
    .update(orderReplacements)
    .set({ leaseUntil: sql`now() + ${LEASE_SECONDS} * interval '1 second'` })
    .from(orders)
    .where(and(eq(orders.id, orderReplacements.orderId), inArray(orderReplacements.orderId, due)))
    .returning({
      order: orders,
      limitPriceMicros: orderReplacements.limitPriceMicros,
      contractMicros: orderReplacements.contractMicros,
      clientId: orderReplacements.clientId,
      preparedAt: orderReplacements.preparedAt,
      signature: orderReplacements.orderSignature,
      isOld: sql<boolean>`${orderReplacements.requestedAt} < now() - ${RETRY_MINUTES} * interval '1 minute'`,
    });
  return taken.map(({ clientId, preparedAt, signature, ...due }) => ({
    ...due,
    signed:
      clientId === null || preparedAt === null || signature === null
        ? undefined
        : { clientId, preparedAt, signature: signature as Hex },
  }));
}

/** Records, once, that the replacement exists, or why there is none. */
export async function recordReplacement(
  { orm }: Database,
  order: OrderRow,
  outcome: string,
): Promise<void> {
  await orm.transaction(async (tx) => {
    const recorded = await tx
      .update(orderReplacements)
      .set({ outcome })
      .where(and(eq(orderReplacements.orderId, order.id), isNull(orderReplacements.outcome)))
      .returning();
    if (recorded.length === 0) return;
    const isReplaced = outcome === REPLACED;
    if (!isReplaced) {
      await tx.update(orders).set({ replacedBy: null }).where(eq(orders.id, order.id));
    }
    await appendEvents(tx, order, [
      isReplaced
        ? { type: 'replaced', detail: order.replacedBy ?? '' }
        : { type: 'replace_refused', detail: outcome },
    ]);
  });
}
