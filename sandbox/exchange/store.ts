import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StartProblem } from '#sandbox/problem.ts';
import { writeWhole } from '#sandbox/process/atomicFile.ts';

const SCHEMA = `
create table if not exists meta (key text primary key, value text not null);
create table if not exists accounts (
  id text primary key, key_id text not null unique, public_key_pem text not null,
  balance_micros integer not null);
create table if not exists api_keys (
  key_id text primary key, account_id text not null, name text not null,
  public_key_pem text not null, scopes text not null, is_deleted integer not null);
create table if not exists positions (
  account_id text not null, ticker text not null, series_ticker text not null,
  close_at integer not null, net_micros integer not null, exposure_micros integer not null,
  realized_micros integer not null, fees_micros integer not null, traded_micros integer not null,
  updated_at integer not null, primary key (account_id, ticker));
create table if not exists orders (
  order_id text primary key, account_id text not null, client_order_id text not null,
  ticker text not null, status text not null, created_at integer not null,
  body text not null);
create index if not exists orders_by_account on orders (account_id, created_at);
create index if not exists orders_resting on orders (status) where status = 'resting';
create table if not exists client_ids (
  account_id text not null, client_order_id text not null,
  primary key (account_id, client_order_id)) without rowid;
create table if not exists fills (
  fill_id text primary key, account_id text not null, order_id text not null,
  ticker text not null, created_at integer not null, body text not null);
create index if not exists fills_by_account on fills (account_id, created_at);
create index if not exists fills_by_order on fills (order_id);
create table if not exists settlements (
  account_id text not null, ticker text not null, settled_at integer not null, body text not null,
  primary key (account_id, ticker));
create table if not exists market_states (
  ticker text primary key, series_ticker text not null, close_at integer not null,
  body text not null);
create table if not exists trades (
  trade_id text primary key, ticker text not null, created_at integer not null,
  contract_micros integer not null, price_micros integer not null, taker_side text not null,
  open_interest_micros integer not null default 0);
create table if not exists purses (
  account_id text not null, shard integer not null, balance_micros integer not null,
  primary key (account_id, shard));
create table if not exists shard_transfers (
  transfer_id text primary key, account_id text not null, status text not null,
  created_at integer not null, body text not null);
create index if not exists trades_by_market on trades (ticker, created_at);
create index if not exists trades_by_time on trades (created_at);
`;

/**
 * The exchange's durable state. Writes within one turn of the event loop share a transaction;
 * {@link durable} resolves once it is on disk, and nothing is acknowledged before that.
 */
export type Store = {
  run(sql: string, ...values: SQLInputValue[]): void;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  durable(): Promise<void>;
  close(): void;
};

/** Columns that data of earlier versions lack. */
function addColumns(database: DatabaseSync): void {
  const columns = database.prepare('pragma table_info(trades)').all();
  if (columns.some((column) => column.name === 'open_interest_micros')) return;
  database.exec('alter table trades add column open_interest_micros integer not null default 0');
}

/** SQLite's codes for a corrupt file. */
const BROKEN = new Set([11, 26]);
/** Its codes for a full or failing disk. */
const CANNOT_WRITE = new Set([10, 13]);

/** SQLite's primary code of an error; undefined for any other error. */
function codeOf(error: unknown): number | undefined {
  const isCoded = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
  return isCoded ? Number(error.errcode) & 0xff : undefined;
}

const broken = (file: string, what: string, cause?: unknown) =>
  new StartProblem(
    `The state of the exchange, in ${file}, ${what}.`,
    'Put that file back from a backup of the data folder, or start afresh: npm run reset wipes the data folder.',
    { cause },
  );

/**
 * Opens the file and checks that it is intact. A marker beside it records that it existed: a
 * missing file would otherwise look like a first start, and the exchange would silently lose its
 * state.
 * @throws {StartProblem} when it is broken
 */
function openDatabase(dataDir: string): DatabaseSync {
  const file = join(dataDir, 'exchange.db');
  const mark = join(dataDir, 'exchange.made');
  const size = existsSync(file) ? statSync(file).size : undefined;
  if (existsSync(mark) && !size) {
    throw broken(file, size === undefined ? 'is missing' : 'is empty');
  }
  const database = new DatabaseSync(file);
  try {
    database.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 2000',
    );
    database.exec(SCHEMA);
    addColumns(database);
    const [found] = database.prepare('pragma quick_check(1)').all();
    if (found?.quick_check !== 'ok') throw broken(file, 'is damaged');
  } catch (error) {
    database.close();
    throw BROKEN.has(codeOf(error) ?? 0) ? broken(file, 'is damaged', error) : error;
  }
  if (!existsSync(mark)) writeWhole(mark, '');
  return database;
}

export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true });
  const database = openDatabase(dataDir);
  const statements = new Map<string, StatementSync>();
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let open = false;

  function prepared(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    statements.set(sql, statement);
    return statement;
  }

  function commit(): void {
    if (!open) return;
    open = false;
    const done = waiting;
    waiting = [];
    try {
      database.exec('commit');
      for (const { resolve } of done) resolve();
    } catch (error) {
      for (const { reject } of done) reject(error);
      endIfUnwritten(error);
    }
  }

  /**
   * State that is in memory but not on disk must not be served: the process ends, and the next one
   * starts from the disk.
   */
  function endIfUnwritten(error: unknown): void {
    if (!CANNOT_WRITE.has(codeOf(error) ?? 0)) return;
    setImmediate(() => {
      throw new Error('the exchange cannot write its state', { cause: error });
    });
  }

  return {
    run(sql, ...values) {
      try {
        if (!open) {
          database.exec('begin immediate');
          open = true;
          setImmediate(commit);
        }
        prepared(sql).run(...values);
      } catch (error) {
        endIfUnwritten(error);
        throw error;
      }
    },
    all<Row>(sql: string, ...values: SQLInputValue[]) {
      return prepared(sql).all(...values) as Row[];
    },
    durable() {
      if (!open) return Promise.resolve();
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    close() {
      commit();
      database.close();
    },
  };
}
