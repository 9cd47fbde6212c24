import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertExecutedOnce } from '#sandbox/drills/executedOnce.ts';
import { type OrderLoad, startOrderLoad } from '#sandbox/drills/orderLoad.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import {
  createTrader,
  findLiquidMarket,
  type Trader,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import {
  type Deployment,
  describeDeployment,
  type Program,
  runScript,
  startProgram,
  startSurroundings,
  type Variables,
} from './testing/deployment.ts';

/** “Upgrading without a pause” of docs/DEPLOYMENT.md, step by step, while programs trade. */

/** `ROLLING_PROCESSORS` changes it: two busy cores need up to forty seconds for each. */
const PROCESSORS = Number(process.env.ROLLING_PROCESSORS ?? 10);
const WEBS = 4;
const SENDERS = 2;
const TRADERS = 10;
/** Two cores that carry seventeen programs, chain, exchange and database bear no more beside starts. */
const PER_SECOND = 5;
/** `ROLLING_FROM` names another checkout, whose release is replaced; by default this one is. */
const PRESENT = resolve(process.env.ROLLING_FROM ?? '.');
const NEXT = resolve('.');
/** Starts of programs at a time. */
const AT_ONCE = 3;
/** How often a load balancer asks whether a web server is ready. */
const CHECK_MS = 500;
const CHECK_TIMEOUT_MS = 2_000;
/** Two checks, as docs/DEPLOYMENT.md asks, on a machine where one may take its whole time. */
const SHUTDOWN_DELAY_SECONDS = 5;
const TAKEOVER_MS = 5_000;
/** What processors share, by the metric that counts it. */
const SHARED = {
  steps: 'crossbook_order_step_seconds',
  transactions: 'crossbook_chain_transaction_seconds',
};
/** The most that one of ten processors does, in equal parts: half. Three keys are busy. */
const MOST_PARTS = 5;

type Kind = 'processor' | 'notifications' | 'web';
/** One place of a program, where the old release is replaced by the new one. */
type Place = { kind: Kind; name: string; port: number; program: Program };

let deployment: Deployment;
let apiKey = '';
let places: Place[] = [];
let ready: string[] = [];
const stopping = new AbortController();

const of = (kind: Kind) => places.filter((place) => place.kind === kind);
const addressOf = ({ port }: Pick<Place, 'port'>) => `http://127.0.0.1:${port}`;
const sandbox = () => describeDeployment(deployment, { baseUrl: ready[0] ?? '', apiKey });

function environmentOf(kind: Kind, port: number): Variables {
  const { common, web, processor, attestor, resolver, notifications } = deployment.files;
  const { urls } = deployment;
  // More processes than the usual number of connections would bear.
  const shared = { ...common, LOG_LEVEL: 'warn', DATABASE_MAX_CONNECTIONS: '4' };
  switch (kind) {
    case 'processor':
      return { ...shared, ...processor, ...attestor, ...resolver, DATABASE_URL: urls.processor };
    case 'notifications':
      return { ...shared, ...notifications, DATABASE_URL: urls.notifications };
    case 'web':
      return {
        ...shared,
        ...web,
        DATABASE_URL: urls.web,
        SERVE_PAGES: 'false',
        PUBLIC_BASE_URL: 'http://localhost:1',
        RATE_LIMIT_NETWORK_FACTOR: '1000',
        SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_SECONDS),
        PORT: String(port),
      };
  }
}

const ENTRIES = {
  processor: 'server/processor/main.ts',
  notifications: 'server/notifier/main.ts',
  web: 'server/api/main.ts',
} as const;

async function start(
  { kind, name, port }: Omit<Place, 'program'>,
  release: string,
): Promise<Program> {
  const options = { entry: join(release, ENTRIES[kind]), environment: environmentOf(kind, port) };
  return await startProgram(deployment, name, options);
}

/** Keeps the list of web servers to which a load balancer would send requests. */
async function balance(): Promise<void> {
  while (!stopping.signal.aborted) {
    const addresses = of('web').map(addressOf);
    const checked = await Promise.all(
      addresses.map(async (address) => {
        const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
        const response = await fetch(`${address}/readyz`, { signal }).catch(() => undefined);
        return response?.ok ? address : undefined;
      }),
    );
    ready = checked.filter((address) => address !== undefined);
    await delay(CHECK_MS);
  }
}

beforeAll(async () => {
  deployment = await startSurroundings();
  await migrate(PRESENT);
  const { passwords } = deployment;
  await run(join(PRESENT, 'scripts/db-roles.ts'), [], {
    DATABASE_URL: deployment.ownerUrl,
    DATABASE_WEB_PASSWORD: passwords.web,
    DATABASE_PROCESSOR_PASSWORD: passwords.processor,
    DATABASE_NOTIFICATIONS_PASSWORD: passwords.notifications,
    DATABASE_OPERATOR_PASSWORD: passwords.operator,
  });
  const key = ['--name', 'Test', '--scopes', 'read,trade,withdraw'];
  apiKey = (
    await run('scripts/api-key.ts', key, { DATABASE_URL: deployment.urls.operator })
  ).trim();
  const kinds: Kind[] = [
    ...Array<Kind>(PROCESSORS).fill('processor'),
    ...Array<Kind>(SENDERS).fill('notifications'),
    ...Array<Kind>(WEBS).fill('web'),
  ];
  while (places.length < kinds.length) {
    const next = kinds.slice(places.length, places.length + AT_ONCE);
    const started = next.map(async (kind, index) => {
      const place = { kind, name: `${kind}-${places.length + index}`, port: await anyFreePort() };
      return { ...place, program: await start(place, PRESENT) };
    });
    places = [...places, ...(await Promise.all(started))];
  }
  void balance();
}, 300_000);

afterAll(async () => {
  stopping.abort();
  await Promise.all(places.map(({ program }) => program.stop()));
  await deployment?.stop();
});

async function run(script: string, args: string[], environment: Variables): Promise<string> {
  const { code, output } = await runScript(script, args, environment);
  expect(code, output).toBe(0);
  return output;
}

const migrate = (release: string) =>
  run(join(release, 'scripts/migrate.ts'), [], { DATABASE_URL: deployment.ownerUrl });

/** Stops a program and starts the next release in its place, as a supervisor does. */
async function replace(place: Place): Promise<void> {
  await place.program.stop();
  expect(await place.program.exited, place.name).toBe('code 0');
  place.program = await start(place, NEXT);
}

/** By the database's clock, as orders' events. */
async function now(): Promise<Date> {
  const { rows } = await deployment.owner.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]?.now ?? new Date(0);
}

/** How long each order that was open at a moment waited for its next event, in milliseconds. */
async function waitsFrom(moment: Date): Promise<number[]> {
  const { rows } = await deployment.owner.query<{ waited: number }>(
    `select extract(epoch from min(e.at) - $1::timestamptz)::float8 * 1000 as waited
     from orders o join order_events e on e.order_id = o.id and e.at > $1
     where o.created_at <= $1 and o.completed_at > $1 group by o.id`,
    [moment],
  );
  return rows.map(({ waited }) => waited);
}

async function sortedWaits(moments: readonly Date[]): Promise<number[]> {
  const waits: number[] = [];
  for (const moment of moments) waits.push(...(await waitsFrom(moment)));
  return waits.toSorted((a, b) => a - b);
}

const p99 = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.99)] ?? 0;
const inWords = (sorted: readonly number[]) =>
  `p50 ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, p99 ${Math.round(p99(sorted))} ms of ${sorted.length}`;

/** How often each processor has done each kind of work since its start. */
async function countWork(): Promise<Map<string, number[]>> {
  const texts = await Promise.all(
    of('processor').map(async ({ program }) => (await fetch(`${program.opsUrl}/metrics`)).text()),
  );
  return new Map(
    Object.entries(SHARED).map(([name, metric]) => {
      const line = new RegExp(`^${metric}_count(?:{.*})? (\\d+)$`, 'gm');
      const countIn = (text: string) =>
        [...text.matchAll(line)].reduce((sum, [, times]) => sum + Number(times), 0);
      return [name, texts.map(countIn)];
    }),
  );
}

/** None has done far more than an equal part in between. */
function assertShared(before: Map<string, number[]>, after: Map<string, number[]>): void {
  for (const [name, counts] of after) {
    const done = counts.map((times, index) => times - (before.get(name)?.[index] ?? 0));
    const equal = done.reduce((sum, times) => sum + times, 0) / done.length;
    const [least, most] = [Math.min(...done) / equal, Math.max(...done) / equal];
    process.stdout.write(`${name}: ${least.toFixed(2)} to ${most.toFixed(2)} equal parts\n`);
    expect(most, name).toBeLessThan(MOST_PARTS);
  }
}

async function untilAcknowledged(load: OrderLoad, more: number): Promise<void> {
  const wanted = load.acknowledged.length + more;
  await expect.poll(() => load.acknowledged.length).toBeGreaterThanOrEqual(wanted);
}

test('given a rolling update under load, no caller sees an error and orders are taken over', {
  tags: ['long'],
  timeout: 900_000,
}, async () => {
  await expect.poll(() => ready.length).toBe(WEBS);
  const traders: Trader[] = [];
  while (traders.length < TRADERS) traders.push(await createTrader(sandbox(), WIDE_LIMITS));
  const [first] = traders;
  const tickers = first ? [await findLiquidMarket(first)] : [];
  const load = await startOrderLoad({
    sandbox: sandbox(),
    webs: () => ready,
    traders,
    tickers,
    perSecond: PER_SECOND,
  });
  const undisturbed: Date[] = [];
  const stops: Date[] = [];
  let killedAt = new Date(0);
  try {
    for (let moments = 0; moments < PROCESSORS; moments += 1) {
      await untilAcknowledged(load, PER_SECOND);
      undisturbed.push(await now());
    }
    await migrate(NEXT);
    for (const place of of('processor')) {
      stops.push(await now());
      await replace(place);
    }
    const before = await countWork();
    for (const place of of('notifications')) await replace(place);
    for (const place of of('web')) await replace(place);
    assertShared(before, await countWork());
    const [lost] = of('processor');
    killedAt = await now();
    process.kill(lost?.program.pids[0] ?? 0, 'SIGKILL');
    if (lost) lost.program = await start(lost, NEXT);
    await untilAcknowledged(load, PER_SECOND);
  } finally {
    await load.stop();
  }
  expect([...load.refused], 'refused').toEqual([]);
  expect([...load.retried], 'sent again').toEqual([]);
  const { ownerUrl: databaseUrl, dataDir } = deployment;
  await assertExecutedOnce({ ...sandbox(), databaseUrl, dataDir }, load.acknowledged);
  const usual = await sortedWaits(undisturbed);
  const stopped = await sortedWaits(stops);
  const killed = await sortedWaits([killedAt]);
  process.stdout.write(
    `${load.acknowledged.length} orders; an open order's next event: usually ${inWords(usual)}; from a stop ${inWords(stopped)}; from a kill ${inWords(killed)}\n`,
  );
  expect(p99(stopped)).toBeLessThan(TAKEOVER_MS);
  const compared = await run('scripts/reconcile.ts', [], {
    ...environmentOf('processor', 0),
    DATABASE_URL: deployment.urls.operator,
  });
  expect(compared).toContain('Nothing differs');
});
