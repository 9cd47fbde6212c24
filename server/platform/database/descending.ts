import { type Column, type SQL, sql } from 'drizzle-orm';

/**
 * Descending as the schema's indexes are: PostgreSQL takes an index for an order only when both say
 * the same about nulls, even of a column that has none.
 */
export const descending = (column: Column): SQL => sql`${column} desc nulls last`;
