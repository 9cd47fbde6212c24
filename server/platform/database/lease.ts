import { type Column, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm';

/** Whether a row's lease is free, has expired, or is this process's. By the database's clock. */
export function isLeasable(row: { leaseToken: Column; leaseUntil: Column }, token: string): SQL {
  return sql`(${or(
    isNull(row.leaseUntil),
    eq(row.leaseToken, token),
    lt(row.leaseUntil, sql`now()`),
  )})`;
}
