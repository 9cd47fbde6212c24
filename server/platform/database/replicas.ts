import type { Log } from '../log.ts';
import { gauge } from '../metrics/registry.ts';
import { closeDatabase, type Database, openDatabase } from './client.ts';
import { createStaleness } from './staleness.ts';

/** Standbys from which reads may be served that bear data of a moment ago. */
export type Replicas = {
  /** One whose data is at most as old as allowed; undefined when there is none. */
  choose(): Database | undefined;
  close(): Promise<void>;
};

type Replica = {
  database: Database;
  number: string;
  /** How far it has replayed the log, and when it said so. */
  replayed: { position: bigint; at: number } | undefined;
  isAsked: boolean;
};

const SAMPLE_MS = 200;
/** A standby that is frozen or cut off; the read is repeated on the primary. */
const QUERY_TIMEOUT_MS = 5_000;
/** A reading that the primary answers later than this proves little. */
const PRIMARY_TIMEOUT_MS = 2_000;

const PRIMARY_POSITION = `select (pg_current_wal_lsn() - '0/0')::text as position`;
/** Null on a server that is no standby: it may be a primary that was replaced. */
const REPLAYED_POSITION = `select case when pg_is_in_recovery()
  then (pg_last_wal_replay_lsn() - '0/0')::text end as position`;

/**
 * Follows how far each standby lags behind the primary.
 * @param options.stalenessMs the age that reads bear
 */
export function openReplicas(options: {
  urls: readonly string[];
  primary: Database;
  stalenessMs: number;
  applicationName: string;
  maxConnections: number;
  log: Log;
}): Replicas {
  const { primary, stalenessMs, applicationName, maxConnections, log } = options;
  const staleness = createStaleness();
  const replicas = options.urls.map((url, index): Replica => {
    const queryTimeoutMs = QUERY_TIMEOUT_MS;
    const database = openDatabase({ url, applicationName, maxConnections, queryTimeoutMs });
    return { database, number: String(index + 1), replayed: undefined, isAsked: false };
  });
  const ages = gauge(
    'crossbook_database_replica_age_seconds',
    'How old the data of a replica is at most, by its place in DATABASE_REPLICA_URLS.',
    ['replica'],
  );
  let isPrimaryAsked = false;
  let next = 0;

  const ageOf = ({ replayed }: Replica, now: number): number => {
    if (!replayed || now - replayed.at > stalenessMs) return Number.POSITIVE_INFINITY;
    return staleness.of(replayed.position, now);
  };

  async function samplePrimary(): Promise<void> {
    if (isPrimaryAsked) return;
    isPrimaryAsked = true;
    const at = performance.now();
    const position = await readPosition(primary, PRIMARY_POSITION).finally(() => {
      isPrimaryAsked = false;
    });
    if (position !== undefined && performance.now() - at < PRIMARY_TIMEOUT_MS) {
      staleness.primaryAt(position, at);
    }
  }

  async function sampleReplica(replica: Replica): Promise<void> {
    if (replica.isAsked) return;
    replica.isAsked = true;
    const at = performance.now();
    const position = await readPosition(replica.database, REPLAYED_POSITION).finally(() => {
      replica.isAsked = false;
    });
    replica.replayed = position === undefined ? undefined : { position, at };
  }

  const timer = setInterval(() => {
    const failed = (err: unknown) => log.debug({ err }, 'a database did not tell its position');
    samplePrimary().catch(failed);
    for (const replica of replicas) {
      sampleReplica(replica).catch(failed);
      const age = ageOf(replica, performance.now());
      if (age === Number.POSITIVE_INFINITY) ages.remove({ replica: replica.number });
      else ages.set({ replica: replica.number }, age / 1_000);
    }
  }, SAMPLE_MS).unref();

  return {
    choose() {
      const now = performance.now();
      const fresh = replicas.filter((replica) => ageOf(replica, now) <= stalenessMs);
      next += 1;
      return fresh[next % Math.max(1, fresh.length)]?.database;
    },
    async close() {
      clearInterval(timer);
      await Promise.all(replicas.map(({ database }) => closeDatabase(database)));
    },
  };
}

async function readPosition({ pool }: Database, text: string): Promise<bigint | undefined> {
  const { rows } = await pool.query<{ position: string | null }>(text);
  const position = rows[0]?.position;
  return position ? BigInt(position) : undefined;
}
