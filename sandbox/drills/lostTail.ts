import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { DatabaseCluster } from '#sandbox/cluster/databaseCluster.ts';
import { environmentOf } from '#sandbox/process/siblings.ts';
import { EXIT } from '#server/platform/process/runMain.ts';
import type { AdminConsole } from './adminConsole.ts';
import { tradeAndRecover } from './tradeAndRecover.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** A standby this far behind is promoted all the same. */
const ASYNCHRONOUS = {
  synchronous_mode: false,
  synchronous_mode_strict: false,
  maximum_lag_on_failover: 1_000_000_000,
};
const SYNCHRONOUS = {
  synchronous_mode: true,
  synchronous_mode_strict: true,
  maximum_lag_on_failover: null,
};

/**
 * What asynchronous replication does: the service says so and does not start on it, a failover
 * loses acknowledged orders, and the path of a restored database brings them back.
 */
export async function loseAndRecoverTail(adminConsole: AdminConsole): Promise<void> {
  const cluster = adminConsole.cluster();
  const primary = await cluster.untilHealthy();
  await tradeAndRecover(adminConsole, {
    async backUp() {
      await cluster.configure(ASYNCHRONOUS);
      await adminConsole.untilStatus('a failover would lose orders', ({ alerts }) =>
        alerts.some(({ kind }) => kind === 'database_unprotected'),
      );
      assertRefused(adminConsole);
      adminConsole.say('replicated asynchronously: the status says so, and no program starts');
      for (const other of cluster.machines) {
        if (other !== primary) primary.muteReplication(other);
      }
    },
    async restore() {
      const accepted = await countOrders(cluster);
      primary.kill();
      const promoted = await cluster.untilPromoted(primary);
      cluster.startMachine(primary);
      await cluster.configure(SYNCHRONOUS);
      await cluster.untilHealthy();
      await cluster.untilSynchronous();
      const lost = accepted - (await countOrders(cluster));
      assert.ok(lost > 0, 'the new primary has every order');
      adminConsole.say(`${promoted.name} took over without the last ${lost} acknowledged orders`);
    },
  });
  await adminConsole.untilStatus(
    'the database is protected again',
    ({ alerts }) => !alerts.some(({ kind }) => kind === 'database_unprotected'),
  );
}

async function countOrders({ directUrl }: DatabaseCluster): Promise<number> {
  const client = new pg.Client({ connectionString: directUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from orders');
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}

function assertRefused(adminConsole: AdminConsole): void {
  const [processor = 0] = adminConsole.sandbox().pids.processor;
  const { NODE_CHANNEL_FD: _fd, ...environment } = environmentOf(processor);
  const { status, stderr } = spawnSync(process.execPath, ['server/processor/main.ts'], {
    cwd: PROJECT,
    env: { ...environment, NODE_ENV: 'production' },
    encoding: 'utf8',
    timeout: 30_000,
  });
  assert.match(stderr, /a failover loses acknowledged orders/);
  assert.equal(status, EXIT.refused);
}
