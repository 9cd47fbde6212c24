import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { Environment } from '#sandbox/environment.ts';
import { dataFolderAt } from '#sandbox/stack/dataFolder.ts';
import type { ServerName, Stack } from '#sandbox/stack/startStack.ts';
import type { Difference } from '#server/domain/reconciliation/difference.ts';
import { findDifferences, withRuntime } from './books.ts';
import { type ChainFaultControl, controlChainFaults } from './chainFaults.ts';
import { startTestStack } from './testStack.ts';

const START_TIMEOUT_MS = 180_000;

/** A stack without pages for one test file to break, with access to its chain and database. */
export type OwnTestStack = Pick<Stack, 'description' | 'folder'> & {
  dataDir: string;
  /** Kills or stops its processor at a checkpoint; see server/processor/runner/checkpoints.ts. */
  faultDir: string;
  faults: ChainFaultControl;
  query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  differences: () => Promise<Difference[]>;
  /** Stops everything and starts it again. */
  restart: (meanwhile: () => void) => Promise<void>;
};

/** It starts before the file's other hooks, and is stopped and deleted after its tests. */
export function ownTestStack(
  name: string,
  options: {
    servers?: readonly ServerName[];
    /** Additional variables; what a function starts for them must be ready when it returns. */
    environment?: Environment | ((dataDir: string) => Promise<Environment>);
  } = {},
): OwnTestStack {
  const dataDir = join(tmpdir(), `crossbook-${name}-${randomUUID()}`);
  const folder = dataFolderAt(dataDir);
  const faultDir = join(dataDir, 'faults');
  let stack: Stack | undefined;
  let database: pg.Pool | undefined;
  const { servers, environment: own } = options;
  const start = async () => {
    const added = typeof own === 'function' ? await own(dataDir) : own;
    const environment = { SERVE_PAGES: 'false', SANDBOX_FAULT_DIR: faultDir, ...added };
    stack = await startTestStack({ dataDir, environment, ...(servers && { servers }) });
  };
  const stop = async () => {
    await database?.end();
    database = undefined;
    await stack?.stop();
  };
  const description = () => {
    if (!stack) throw new Error('the stack of this file has not started');
    return stack.description();
  };
  beforeAll(async () => {
    mkdirSync(faultDir, { recursive: true });
    await start();
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    folder,
    faultDir,
    description,
    faults: controlChainFaults({
      get rpcUrl() {
        return description().rpcUrl;
      },
      get contracts() {
        return description().contracts;
      },
    }),
    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      database ??= new pg.Pool({ connectionString: description().databaseUrl, max: 2 })
        // A killed server ends its idle connections.
        .on('error', () => undefined);
      return (await database.query<Row>(text, values)).rows;
    },
    differences: () => withRuntime(dataDir, findDifferences),
    async restart(meanwhile) {
      await stop();
      meanwhile();
      await start();
    },
  };
}
