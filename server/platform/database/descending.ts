import { type Column, type SQL, sql } from 'drizzle-orm';

/**
 * Descending like the schema's indexes: PostgreSQL uses an index for sorting only if both place
 * nulls alike, even for a column without nulls.
 */
export const descending = (column: Column): SQL => sql`${column} desc nulls last`;
