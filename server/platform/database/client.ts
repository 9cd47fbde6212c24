import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { memoizeByObject } from '../memoizeByObject.ts';
import { PreparingClient } from './preparingClient.ts';

export type Database = {
  pool: pg.Pool;
  orm: NodePgDatabase;
};

/** A transaction or the database itself: what a query function takes. */
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

/** Opens a pool; nothing is asked of the server before the first query. */
export function openDatabase(options: {
  url: string;
  applicationName: string;
  maxConnections: number;
  /** There is a pooler in between, which may change connections after each transaction. */
  isPooled?: boolean;
}): Database {
  const pool = new pg.Pool({
    ...(options.isPooled ? {} : { Client: PreparingClient }),
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    // Statements of one transaction that do not need each other's answers travel together.
    pipeline: true,
  });
  // A connection that breaks while idle is replaced by the pool; unheard, it would end the process.
  pool.on('error', () => undefined);
  // One that breaks between two statements of a transaction is nobody's to replace: the next fails.
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  return { pool, orm: drizzle(pool) };
}

/** The query builder on one connection. */
export const ormOf = memoizeByObject((connection: pg.PoolClient) => drizzle(connection));

/**
 * Lends one connection to questions that do not need each other's answers: they travel together,
 * and are answered in the order in which they were asked, each as of its own moment.
 */
export async function withConnection<Responses>(
  { pool }: Database,
  ask: (db: Queryable) => Promise<Responses>,
): Promise<Responses> {
  const connection = await pool.connect();
  try {
    return await ask(ormOf(connection));
  } finally {
    connection.release();
  }
}

export async function closeDatabase(database: Database): Promise<void> {
  await database.pool.end();
}
