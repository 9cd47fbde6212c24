import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { backupCluster, restoreCluster } from './backup.ts';
import { startDatabase } from './startDatabase.ts';

/** A server that follows an embedded database and serves reads. */
export type Standby = {
  url: string;
  pid: number;
  /** Receives the primary's log and leaves it aside: reads get older and older. */
  holdBack(): Promise<void>;
  catchUp(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a standby of an embedded database that runs.
 * @param primary its URL as owner, and the folder that holds its cluster
 */
export async function startStandby(primary: { url: string; home: string }): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-standby-'));
  const [copy, home] = [join(folder, 'copy'), join(folder, 'postgres')];
  await backupCluster({ ...primary, target: copy });
  restoreCluster({ home, from: copy });
  rmSync(copy, { recursive: true });
  const cluster = join(home, 'cluster');
  const { hostname, port, username, password } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`);
  writeFileSync(join(cluster, 'standby.signal'), '');
  // Standby and primary have the same users.
  copyFileSync(join(primary.home, 'password'), join(home, 'password'));
  const server = await startDatabase({ dataDir: home });
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    url: server.url,
    pid: server.pid,
    holdBack: () => run('select pg_wal_replay_pause()'),
    catchUp: () => run('select pg_wal_replay_resume()'),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
