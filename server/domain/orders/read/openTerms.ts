import { and, eq, inArray } from 'drizzle-orm';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { limitTermsOf, triggerOf } from './serializeOrder.ts';

export type OpenTerms = Pick<OrderRecord, 'trigger' | 'limitPrice' | 'restingSince'>;

export const NO_TERMS: OpenTerms = { trigger: null, limitPrice: null, restingSince: null };

/** What orders that are not final wait for, by id. */
export async function readOpenTerms(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, OpenTerms>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(orders)
    .where(and(inArray(orders.id, [...ids]), eq(orders.isComplete, false)));
  return new Map(
    rows.map((row) => {
      const { limitPrice, restingSince } = limitTermsOf(row);
      return [row.id, { trigger: triggerOf(row), limitPrice, restingSince }];
    }),
  );
}
