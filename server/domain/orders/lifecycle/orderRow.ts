import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { orders } from '#server/platform/database/schema/orders.ts';
import type { OrderRow } from './lease.ts';

const COLUMNS = Object.entries(getTableColumns(orders));

/**
 * The columns of an order for hand-written SQL. Never `*`: a statement's result must not change
 * when a newer release adds columns.
 */
export function orderColumns(table: 'o' | 'orders' | 'applied' | 'stored'): SQL {
  return sql.raw(COLUMNS.map(([, { name }]) => `${table}."${name}"`).join(', '));
}

/** Maps a row of hand-written SQL to the type that the query builder returns. */
export function readOrderRow(row: Record<string, unknown>): OrderRow {
  return Object.fromEntries(
    COLUMNS.map(([key, column]) => {
      const value = row[column.name];
      return [key, value === null ? null : column.mapFromDriverValue(value)];
    }),
  ) as OrderRow;
}
