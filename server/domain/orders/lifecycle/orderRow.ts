import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { orders } from '#server/platform/database/schema/orders.ts';
import type { OrderRow } from './lease.ts';

const COLUMNS = Object.entries(getTableColumns(orders));

/**
 * The columns of an intent, in a statement of our own wording. Never `*`: what a statement answers
 * must stay the same while a newer release adds columns.
 */
export function orderColumns(table: 'o' | 'orders' | 'applied' | 'stored'): SQL {
  return sql.raw(COLUMNS.map(([, { name }]) => `${table}."${name}"`).join(', '));
}

/** A row of `orders` that a statement of our own wording answered, as a query would answer it. */
export function readOrderRow(row: Record<string, unknown>): OrderRow {
  return Object.fromEntries(
    COLUMNS.map(([key, column]) => {
      const value = row[column.name];
      return [key, value === null ? null : column.mapFromDriverValue(value)];
    }),
  ) as OrderRow;
}
