import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** One parameter, however many values: a thousand parameters take longer than the reading. */
export function isOneOf(column: PgColumn, values: readonly string[]): SQL {
  return sql`${column} = any(${sql.param([...values])}::${sql.raw(column.getSQLType())}[])`;
}
