import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseCluster } from '#sandbox/cluster/databaseCluster.ts';
import type { Machine } from '#sandbox/cluster/machine.ts';
import { isAlive } from '#sandbox/process/liveness.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { startSibling } from '#sandbox/process/siblings.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import { createTrader, type Trader, WIDE_LIMITS } from '#sandbox/testing/trader.ts';
import type { AdminConsole } from './adminConsole.ts';
import type { Drill } from './drill.ts';
import { assertExecutedOnce } from './executedOnce.ts';
import { loseAndRecoverTail } from './lostTail.ts';
import { type Acknowledged, type OrderLoad, startOrderLoad } from './orderLoad.ts';
import { watchStatus } from './statusWatch.ts';

const TRADERS = 20;
const MARKETS = 5;
/** As many as two cores carry beside chain, exchange, three databases and both ends of the load. */
const PER_SECOND = Number(process.env.DRILL_ORDERS_PER_SECOND ?? 50);
/** The service must take orders again within this time of the failover. */
const BACK_MS = 15_000;
/** With a single standby, which must follow first, and the orders of more than a minute at once. */
const BACK_OF_TWO_MS = 30_000;
/** Orders arrive for this time while the lost machine comes back. */
const AFTERWARDS_MS = 5_000;
/** Two of three machines are lost for this time: longer than `ttl`, after which the third could try. */
const TOGETHER_MS = 25_000;

type Loss = {
  name: string;
  strike(primary: Machine): void | Promise<void>;
  /** After the failover. */
  heal(primary: Machine): void;
  backMs?: number;
};

export const databaseFailover: Drill = {
  name: 'database-failover',
  onCluster: true,
  async play(adminConsole) {
    const cluster = adminConsole.cluster();
    const losses: Loss[] = [
      {
        name: 'the power of the primary’s machine fails',
        strike: (machine) => machine.kill(),
        heal: (machine) => cluster.startMachine(machine),
      },
      {
        name: 'the primary’s machine freezes, and runs on later',
        strike: (machine) => machine.freeze(),
        heal: (machine) => machine.thaw(),
      },
      {
        name: 'the primary’s machine loses its network',
        strike: (machine) => machine.cut(),
        heal: (machine) => machine.reconnect(),
      },
      {
        name: 'Patroni dies at the primary, which runs on',
        strike: (machine) => machine.killProgram('patroni'),
        heal(machine) {
          machine.kill();
          cluster.startMachine(machine);
        },
      },
      {
        name: 'the primary and its synchronous standby lose power together',
        strike: (primary) => loseBoth(cluster, primary),
        heal: (machine) => cluster.startMachine(machine),
        backMs: BACK_OF_TWO_MS,
      },
    ];
    const listed = await adminConsole.run('patronictl -c /etc/crossbook-database/patroni.yml list');
    assert.match(listed.output, /Sync Standby/);
    const shown = await adminConsole.run(
      'patronictl -c /etc/crossbook-database/patroni.yml show-config',
    );
    assert.match(shown.output, /synchronous_mode_strict: true/);
    const { webs, others } = await startSecondOnes(adminConsole);
    const sandbox = adminConsole.sandbox();
    const traders: Trader[] = [];
    while (traders.length < TRADERS) traders.push(await createTrader(sandbox, WIDE_LIMITS));
    const tickers = await findMarkets(traders);
    const acknowledged: Acknowledged[] = [];
    for (const loss of losses) {
      const begin = () =>
        startOrderLoad({ sandbox, webs: () => webs, traders, tickers, perSecond: PER_SECOND });
      acknowledged.push(...(await lose(adminConsole, begin, webs, loss)));
    }
    const { dataDir } = adminConsole;
    await assertExecutedOnce({ ...sandbox, databaseUrl: cluster.directUrl, dataDir }, acknowledged);
    for (const other of others) {
      assert.ok(other.pids.every(isAlive), 'a process ended because of a failover');
      await other.stop();
    }
    adminConsole.say(
      `of ${acknowledged.length} acknowledged orders none is lost, and none was executed twice`,
    );
    await loseAndRecoverTail(adminConsole);
  },
};

/** A second web server and a second processor beside the sandbox's own. */
async function startSecondOnes(
  adminConsole: AdminConsole,
): Promise<{ webs: string[]; others: RunningPart[] }> {
  const { pids, baseUrl } = adminConsole.sandbox();
  const port = await anyFreePort();
  const start = (pid: number | undefined, entry: string, name: string, changes = {}) =>
    startSibling(pid ?? 0, {
      entry,
      logFile: join(adminConsole.dataDir, 'logs', `${name}.log`),
      changes,
    });
  const others = await Promise.all([
    start(pids.web[0], 'server/api/main.ts', 'web-2', {
      PORT: String(port),
      PUBLIC_BASE_URL: baseUrl,
    }),
    start(pids.processor[0], 'server/processor/main.ts', 'processor-2'),
  ]);
  return { webs: [baseUrl, `http://localhost:${port}`], others };
}

async function findMarkets([trader]: readonly Trader[]): Promise<string[]> {
  const { markets } = (await trader?.api.listMarkets({ limit: 200, status: 'open' })) ?? {
    markets: [],
  };
  return markets
    .filter((one) => one.yesAsk < 90 && one.yesBid > 10)
    .toSorted((a, b) => b.liquidity - a.liquidity)
    .slice(0, MARKETS)
    .map(({ ticker }) => ticker);
}

/**
 * Loses two of three machines, and brings the standby back. The third may not have the last orders,
 * so it must not become the primary meanwhile.
 */
async function loseBoth(cluster: DatabaseCluster, primary: Machine): Promise<void> {
  const standby = await cluster.untilSynchronous();
  primary.kill();
  standby.kill();
  await assert.rejects(
    cluster.untilPromoted(primary, TOGETHER_MS),
    /has no new primary/,
    'a machine without the last orders is the primary',
  );
  cluster.startMachine(standby);
}

/**
 * Loses the primary while orders arrive, and waits until the service is whole again.
 * @returns the accepted orders
 */
async function lose(
  adminConsole: AdminConsole,
  begin: () => Promise<OrderLoad>,
  webs: readonly string[],
  loss: Loss,
): Promise<readonly Acknowledged[]> {
  const cluster = adminConsole.cluster();
  const primary = await cluster.untilHealthy();
  const load = await begin();
  await untilAccepting(load, Date.now());
  await delay(randomInt(2_000, 6_000));
  const status = watchStatus(webs);
  const before = load.acknowledged.length;
  const underWay = await countUnderWay(cluster.directUrl);
  const struckAt = Date.now();
  let promotedAt = 0;
  let backAt = 0;
  let promoted = primary;
  try {
    await loss.strike(primary);
    promoted = await cluster.untilPromoted(primary);
    promotedAt = Date.now();
    await untilAccepting(load, promotedAt);
    backAt = Date.now();
    loss.heal(primary);
    await status.untilWell();
    await delay(AFTERWARDS_MS);
  } finally {
    await Promise.all([status.stop(), load.stop()]);
  }
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);
  adminConsole.say(
    `${loss.name}: ${primary.name} → ${promoted.name} after ${seconds(promotedAt - struckAt)} s, orders accepted ${seconds(backAt - promotedAt)} s later; under way then ${said(underWay)}; ${load.acknowledged.length} orders accepted, ${load.acknowledged.length - before} of them since the loss; sent again ${said(load.retried)}; refused ${said(load.refused)}`,
  );
  const { backMs = BACK_MS } = loss;
  assert.ok(backAt - promotedAt < backMs, `orders were accepted ${backAt - promotedAt} ms after`);
  status.assertHonest({ struckAt, promotedAt });
  return load.acknowledged;
}

async function untilAccepting(load: OrderLoad, since: number): Promise<void> {
  const accepted = await pollUntil(() => (load.acknowledged.at(-1)?.at ?? 0) > since || undefined, {
    timeoutMs: 60_000,
    everyMs: 20,
  });
  assert.ok(accepted, 'no order is accepted');
}

/** Orders that have not ended, by status: what the loss interrupts. */
async function countUnderWay(databaseUrl: string): Promise<ReadonlyMap<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ status: string; orders: number }>(
      'select status, count(*)::int as orders from orders where not is_complete group by status',
    );
    return new Map(rows.map(({ status, orders }) => [status, orders]));
  } finally {
    await client.end();
  }
}

function said(counts: ReadonlyMap<string, number>): string {
  const all = [...counts].map(([code, times]) => `${times} ${code}`);
  return all.length === 0 ? 'none' : all.join(', ');
}
