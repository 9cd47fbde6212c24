import assert from 'node:assert/strict';
import pg from 'pg';
import { pollUntil } from '#sandbox/process/poll.ts';
import { storeOrders } from '#sandbox/testing/storedOrders.ts';
import { closeDatabase, openDatabase } from '#server/platform/database/client.ts';
import type { AdminConsole } from './adminConsole.ts';
import type { Drill } from './drill.ts';
import { tradeAndRecover } from './tradeAndRecover.ts';

const PGBACKREST = 'pgbackrest --config=/etc/crossbook-database/pgbackrest.conf --stanza=crossbook';
/** Ended orders with their logs that are stored before: what the backup and its restore take. */
const STORED_ORDERS = Number(process.env.DRILL_STORED_ORDERS ?? 0);
/** A segment of the log is archived within a minute, or when it is switched. */
const ARCHIVED_MS = 60_000;
const MANY_ARCHIVED_MS = 900_000;

export const pointInTimeRecovery: Drill = {
  name: 'point-in-time-recovery',
  onCluster: true,
  async play(adminConsole) {
    const cluster = adminConsole.cluster();
    let moment = '';
    await tradeAndRecover(adminConsole, {
      async backUp() {
        await adminConsole.run(`${PGBACKREST} stanza-create`);
        if (STORED_ORDERS > 0) await storeMany(adminConsole);
        const startedAt = performance.now();
        await adminConsole.run(`${PGBACKREST} --type=full backup`);
        adminConsole.say(`backed up in ${secondsSince(startedAt)} s`);
        const info = await adminConsole.run(
          'pgbackrest --config=/etc/crossbook-database/pgbackrest.conf --stanza=crossbook info',
        );
        assert.match(info.output, /status: ok/);
        moment = await momentAfter(adminConsole);
      },
      async restore() {
        await query(adminConsole, `truncate exchange_fills, order_events; select 'gone' as value`);
        await untilArchived(adminConsole);
        const startedAt = performance.now();
        await cluster.restoreTo(moment);
        const primaryAfter = secondsSince(startedAt);
        await cluster.untilHealthy();
        adminConsole.say(
          `restored to ${moment}, after the backup and before the damage: primary after ${primaryAfter} s, standbys after ${secondsSince(startedAt)} s`,
        );
        const listed = await adminConsole.run(
          'patronictl -c /etc/crossbook-database/patroni.yml list',
        );
        assert.equal(listed.output.match(/running|streaming/g)?.length, 3);
      },
    });
    const audit = await adminConsole.run('npm run ops -- audit database');
    assert.match(audit.output, /recover_after_restore/);
    adminConsole.say('what happened since is read from chain and exchange, and trading resumes');
  },
};

async function storeMany(adminConsole: AdminConsole): Promise<void> {
  const url = adminConsole.cluster().directUrl;
  const database = openDatabase({ url, applicationName: 'drill', maxConnections: 1 });
  try {
    await storeOrders(database, {
      from: 1,
      to: STORED_ORDERS,
      accounts: 10_000,
      status: 'failed',
      apiKeyId: 'key_stored',
    });
  } finally {
    await closeDatabase(database);
  }
  const text = 'select pg_size_pretty(pg_database_size(current_database())) as value';
  adminConsole.say(`${STORED_ORDERS} ended orders are stored, ${await query(adminConsole, text)}`);
  // A backup waits only a minute for the archive.
  await untilArchived(adminConsole, MANY_ARCHIVED_MS);
}

const secondsSince = (startedAt: number) => ((performance.now() - startedAt) / 1_000).toFixed(1);

/** The one value of a statement, as the owner. */
async function query(adminConsole: AdminConsole, text: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminConsole.cluster().directUrl });
  await client.connect();
  try {
    const results = [await client.query<{ value: string }>(text)].flat();
    return results.at(-1)?.rows[0]?.value ?? '';
  } finally {
    await client.end();
  }
}

/** A backup's end counts in whole seconds, and a restore goes back to a later moment only. */
async function momentAfter(adminConsole: AdminConsole): Promise<string> {
  return await query(adminConsole, 'select pg_sleep(2); select clock_timestamp()::text as value');
}

/**
 * Waits until the archive has everything that the primary has written.
 * @param mostMs more than it takes
 */
async function untilArchived(adminConsole: AdminConsole, mostMs = ARCHIVED_MS): Promise<void> {
  const file = await adminConsole.cluster().switchLog();
  const archived = await pollUntil(
    async () =>
      (await query(adminConsole, 'select last_archived_wal as value from pg_stat_archiver')) >=
        file || undefined,
    { timeoutMs: mostMs, everyMs: 250 },
  );
  assert.ok(archived, `${file} is not archived`);
}
