import { randomInt } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { pollUntil } from '#sandbox/process/poll.ts';
import { CRASH_SCENARIOS, type CrashScenario } from '#sandbox/testing/crashScenarios.ts';
import { IS_LONG_RUN } from '#sandbox/testing/longRun.ts';
import { checkTrader } from '#sandbox/testing/model/invariants.ts';
import { createModelTrader, type ModelTrader } from '#sandbox/testing/model/modelTrader.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { findLiquidMarket, signIn, untilComplete } from '#sandbox/testing/trader.ts';
import { takeMarket } from '#sandbox/testing/trades.ts';
import { CRASH_FILE, TRACE_FILE } from './runner/checkpoints.ts';

/**
 * Runs each path once to record its checkpoints, then kills the processor at each of them. A kill
 * takes seven seconds: the life of an order, and the lease that outlives its processor. The long
 * run covers all gaps of all paths; the short run a few of the first path, at equal distances from
 * a random start.
 */

const scenarios = IS_LONG_RUN ? CRASH_SCENARIOS : CRASH_SCENARIOS.slice(0, 1);
/** Kills of one path in a run; no path has more gaps than the long run takes. */
const MOST_KILLS = IS_LONG_RUN ? 100 : 2;
/** Of the gaps; a larger share means that the kills no longer happen. */
const UNREACHED_SHARE = 0.1;

const stack = ownTestStack('crash');
const crashFile = join(stack.faultDir, CRASH_FILE);
const traceFile = join(stack.faultDir, TRACE_FILE);
let busy = '';

beforeAll(async () => {
  busy = await findLiquidMarket(await signIn(stack.description()));
});

async function prepare(scenario: CrashScenario): Promise<ModelTrader> {
  const sandbox = stack.description();
  const market = scenario.needsOwnMarket ? await takeMarket(await signIn(sandbox)) : busy;
  const trader = await createModelTrader(sandbox, [market]);
  await scenario.prepare(sandbox, trader);
  return trader;
}

/** Exactly what an undisturbed run leaves behind, to the micro-unit. */
async function expectUndisturbedEnd(
  scenario: CrashScenario,
  trader: ModelTrader,
  id: string,
): Promise<void> {
  trader.intents.push({ id });
  expect(await untilComplete(trader, id)).toMatchObject(scenario.ends);
  expect(await checkTrader(stack.description(), trader)).toEqual([]);
  const events = await stack.query(
    `select e.kind, count(*)::int as times from vault_events e join orders o
     on o.chain_order_id = e.chain_order_id where o.id = $1 group by e.kind having count(*) > 1`,
    [id],
  );
  expect(events).toEqual([]);
  const books = await stack.query(
    `select asset, sum(amount_micros)::text as total,
       coalesce(sum(amount_micros) filter (where account = 'escrow'), 0)::text as escrow
     from ledger_entries where order_id = $1 group by asset`,
    [id],
  );
  expect(books).toEqual(books.map(({ asset }) => ({ asset, total: '0', escrow: '0' })));
}

async function traceOnce(scenario: CrashScenario): Promise<string[]> {
  const trader = await prepare(scenario);
  writeFileSync(traceFile, '');
  await expectUndisturbedEnd(scenario, trader, await scenario.act(stack.description(), trader));
  const passed = readFileSync(traceFile, 'utf8').trim().split('\n');
  rmSync(traceFile);
  const seen = new Map<string, number>();
  return passed.map((name) => {
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return `${name}#${occurrence}`;
  });
}

/**
 * Returns whether the processor was killed in the gap: the number of waits varies by one or two.
 */
async function disturb(scenario: CrashScenario, gap: string): Promise<boolean> {
  const trader = await prepare(scenario);
  writeFileSync(crashFile, gap);
  const id = await scenario.act(stack.description(), trader);
  const hasDied = () => readCrashFile() === undefined || undefined;
  await pollUntil(
    async () => hasDied() ?? ((await trader.api.getOrder(id)).isComplete || undefined),
    { everyMs: 100 },
  );
  // Some gaps come after the order has ended.
  const died = await pollUntil(hasDied, { timeoutMs: 8_000 });
  if (!died) rmSync(crashFile, { force: true });
  await expectUndisturbedEnd(scenario, trader, id);
  return died === true;
}

test.each(scenarios)(
  'given a kill in any gap of $name, ends as if undisturbed',
  {
    // All gaps of the longest path on a machine that is three times as slow.
    timeout: 2_400_000,
  },
  async (scenario) => {
    const all = await traceOnce(scenario);
    expect(all.length).toBeGreaterThan(8);
    const stride = Math.ceil(all.length / MOST_KILLS);
    const first = randomInt(stride);
    const gaps = all.filter((_, n) => n % stride === first);
    const unreached: string[] = [];
    const begunAt = performance.now();
    for (const gap of gaps) if (!(await disturb(scenario, gap))) unreached.push(gap);
    if (IS_LONG_RUN) {
      const kills = gaps.length - unreached.length;
      const tookS = Math.round((performance.now() - begunAt) / 1_000);
      process.stdout.write(`${scenario.name}: ${kills} kills, ${all.length} gaps, ${tookS} s\n`);
    }
    expect(unreached.length, unreached.join(' ')).toBeLessThanOrEqual(
      Math.ceil(gaps.length * UNREACHED_SHARE),
    );
    const lostFills = await stack.query(
      `select count(*)::int as wrong from exchange_attempts a
       left join exchange_fills f on f.client_order_id = a.client_order_id
       where a.state = 'done' and a.filled_contract_micros > 0 and f.fill_id is null`,
    );
    expect(lostFills).toEqual([{ wrong: 0 }]);
  },
);

function readCrashFile(): string | undefined {
  try {
    return readFileSync(crashFile, 'utf8');
  } catch {
    return undefined;
  }
}
