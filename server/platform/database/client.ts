import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { memoizeByObject } from '../memoizeByObject.ts';
import { isDatabaseOutage } from './outage.ts';
import { PreparingClient } from './preparingClient.ts';

export type Database = {
  pool: pg.Pool;
  orm: NodePgDatabase;
};

/** A transaction or the database itself. */
export type Queryable = Pick<
  NodePgDatabase,
  | 'select'
  | 'insert'
  | 'update'
  | 'delete'
  | 'execute'
  | 'selectDistinct'
  | 'selectDistinctOn'
  | '$count'
  | 'with'
>;

/** Opens a pool; it connects at the first query. */
export function openDatabase(options: {
  url: string;
  applicationName: string;
  maxConnections: number;
  /** Whether a pooler in between may change connections after each transaction. */
  isPooled?: boolean;
  /** How long one statement may take before its connection is given up; without a limit by default. */
  queryTimeoutMs?: number;
}): Database {
  const pool = new pg.Pool({
    ...(options.isPooled ? {} : { Client: PreparingClient }),
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    ...(options.queryTimeoutMs !== undefined && { query_timeout: options.queryTimeoutMs }),
    // Independent statements of one transaction are sent together.
    pipeline: true,
  });
  // The pool replaces an idle connection that breaks; an unhandled error would end the process.
  pool.on('error', () => undefined);
  // If one breaks between two statements of a transaction, the next statement fails.
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  const orm = drizzle(pool);
  // The library's own keeps a connection for ever whose BEGIN fails, as it does behind a pooler
  // without a server: after ten of them the process has no database.
  orm.transaction = (work, config) =>
    lend(pool, (connection) => ormOf(connection).transaction(work, config));
  return { pool, orm };
}

/** Lends one connection; one that was lost is replaced. */
async function lend<Result>(
  pool: pg.Pool,
  work: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  let isLost = false;
  try {
    return await work(connection);
  } catch (error) {
    isLost = isDatabaseOutage(error);
    throw error;
  } finally {
    connection.release(isLost);
  }
}

/** The query builder on one connection. */
export const ormOf = memoizeByObject((connection: pg.PoolClient) => drizzle(connection));

/**
 * Lends one connection for independent queries: they are sent together and answered in order, each
 * with its own snapshot.
 */
export async function withConnection<Responses>(
  { pool }: Database,
  ask: (db: Queryable) => Promise<Responses>,
): Promise<Responses> {
  return await lend(pool, (connection) => ask(ormOf(connection)));
}

export async function closeDatabase(database: Database): Promise<void> {
  await database.pool.end();
}
