import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceStatus } from '#lib/api/schemas/status.ts';
import { pollUntil } from '#sandbox/process/poll.ts';

type Sample = { at: number; tookMs: number; database: string; status: string };

/** Proxies and their health checks notice a lost server after this time. */
const NOTICED_MS = 5_000;
/** A status that takes longer helps no one. */
const MOST_MS = 4_000;
const EVERY_MS = 250;
/** A web server that does not respond. */
const SILENT = 'silent';
/** The cluster reports its new primary a little later than its proxy serves it. */
const REPORTED_MS = 1_000;

export type StatusWatch = {
  /** Waits until every web server says that the database is back. */
  untilWell(): Promise<void>;
  stop(): Promise<void>;
  /** Asserts that the status said so while there was no primary, and responded in time. */
  assertHonest(outage: { struckAt: number; promotedAt: number }): void;
};

/** Reads the public status of web servers again and again. */
export function watchStatus(webs: readonly string[]): StatusWatch {
  const samples: Sample[] = [];
  const newest = new Map<string, string>();
  const stopping = new AbortController();
  const watching = webs.map(async (web) => {
    while (!stopping.signal.aborted) {
      const at = Date.now();
      const seen = await readStatus(web);
      samples.push({ at, tookMs: Date.now() - at, ...seen });
      newest.set(web, seen.database);
      await delay(EVERY_MS);
    }
  });
  return {
    async untilWell() {
      const isWell = () => webs.every((web) => newest.get(web) === 'ok') || undefined;
      assert.ok(
        await pollUntil(isWell, { timeoutMs: 30_000 }),
        `the status is ${[...newest.values()].join(' and ')}`,
      );
    },
    async stop() {
      stopping.abort();
      await Promise.all(watching);
    },
    assertHonest: (outage) => assertHonest(samples, outage),
  };
}

async function readStatus(web: string): Promise<Pick<Sample, 'database' | 'status'>> {
  try {
    const response = await fetch(`${web}/v1/status`, { signal: AbortSignal.timeout(20_000) });
    const { database, status } = (await response.json()) as ServiceStatus;
    return { database: database.status, status };
  } catch (error) {
    return { database: String(error), status: SILENT };
  }
}

function assertHonest(
  samples: readonly Sample[],
  { struckAt, promotedAt }: { struckAt: number; promotedAt: number },
): void {
  const within = samples.filter(
    ({ at, tookMs }) => at > struckAt + NOTICED_MS && at + tookMs < promotedAt - REPORTED_MS,
  );
  assert.ok(within.length > 0, 'no status was read while there was no primary');
  const wrong = within.filter(
    ({ database, status }) => database === 'ok' || status === 'ok' || status === SILENT,
  );
  assert.deepEqual(wrong, [], 'the status was well, or silent, while there was no primary');
  // Afterwards the orders of the whole outage come at once.
  const slowest = Math.max(0, ...within.map(({ tookMs }) => tookMs));
  assert.ok(slowest < MOST_MS, `a status took ${slowest} ms`);
}
