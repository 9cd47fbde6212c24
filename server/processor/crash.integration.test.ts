import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { startTestStack } from '#sandbox/testing/testStack.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { CRASH_FILE, TRACE_FILE } from './checkpoints.ts';

/** Of about forty gaps; more would mean that the kills no longer happen. */
const MOST_UNREACHED = 3;

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-crash-'));
const faultDir = join(dataDir, 'faults');
const crashFile = join(faultDir, CRASH_FILE);
const traceFile = join(faultDir, TRACE_FILE);

let stack: Stack;
let database: pg.Client;
let ticker = '';

beforeAll(async () => {
  mkdirSync(faultDir);
  stack = await startTestStack({ dataDir, environment: { SANDBOX_FAULT_DIR: faultDir } });
  database = new pg.Client({ connectionString: stack.description().databaseUrl });
  await database.connect();
  ticker = await findLiquidMarket(await signIn(stack.description()));
});

afterAll(async () => {
  await database?.end();
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function buyOne(trader: Trader): Promise<string> {
  const { intent } = await trader.api.createOrder(
    orderBody(stack.description(), trader, {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts: '5',
      bound: '4.9',
    }),
  );
  return intent.id;
}

/** Everything that one happy order must have left behind, whatever happened on the way. */
async function expectSettledOnce(trader: Trader, id: string): Promise<void> {
  const order = await untilComplete(trader, id, 45_000);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
  const holdings = await readHoldings(stack.description(), trader.account, {
    ticker,
    side: 'yes',
  });
  expect(holdings.contractMicros).toBe(5_000_000n);
  expect(holdings.usdcMicros).toBe(10_000_000_000n - parseMicros(order.quoteAmount ?? ''));
  const fills = await database.query(
    `select count(distinct client_order_id)::int as attempts, sum(contract_micros)::text as filled
     from venue_fills where order_id = $1`,
    [id],
  );
  expect(fills.rows[0]).toEqual({ attempts: 1, filled: '5000000' });
  const events = await database.query(
    `select e.kind, count(*)::int as times from vault_events e join orders o
     on o.chain_order_id = e.chain_order_id where o.id = $1 group by e.kind order by e.kind`,
    [id],
  );
  expect(events.rows).toEqual([
    { kind: 'filled', times: 1 },
    { kind: 'requested', times: 1 },
  ]);
  const ledger = await database.query(
    `select asset, sum(amount_micros)::text as total,
       sum(amount_micros) filter (where account = 'escrow')::text as escrow
     from ledger_entries where order_id = $1 group by asset`,
    [id],
  );
  for (const row of ledger.rows) expect(row).toMatchObject({ total: '0' });
  expect(ledger.rows.find((row) => row.asset === 'usdc')?.escrow).toBe('0');
}

async function traceHappyPath(): Promise<string[]> {
  writeFileSync(traceFile, '');
  const trader = await createTrader(stack.description());
  await expectSettledOnce(trader, await buyOne(trader));
  const passed = readFileSync(traceFile, 'utf8').trim().split('\n');
  rmSync(traceFile);
  const seen = new Map<string, number>();
  return passed.map((name) => {
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return `${name}#${occurrence}`;
  });
}

test('killed in any gap between two side effects, it ends with the balances of an undisturbed run', {
  timeout: 600_000,
}, async () => {
  const gaps = await traceHappyPath();
  expect(gaps.length).toBeGreaterThan(15);
  const unreached: string[] = [];
  for (const gap of gaps) {
    const trader = await createTrader(stack.description());
    writeFileSync(crashFile, gap);
    const id = await buyOne(trader);
    const died = await pollUntil(() => readCrashFile() === undefined || undefined, {
      timeoutMs: 20_000,
    });
    // How often an order must wait varies by one or two; a gap that was not there is no gap.
    if (!died) {
      unreached.push(gap);
      rmSync(crashFile, { force: true });
    }
    await expectSettledOnce(trader, id);
  }
  expect(unreached.length, unreached.join(' ')).toBeLessThanOrEqual(MOST_UNREACHED);
  const lostFills = await database.query(
    `select count(*)::int as wrong from venue_attempts a
       left join venue_fills f on f.client_order_id = a.client_order_id
       where a.state = 'done' and f.fill_id is null`,
  );
  expect(lostFills.rows[0]).toEqual({ wrong: 0 });
});

function readCrashFile(): string | undefined {
  try {
    return readFileSync(crashFile, 'utf8');
  } catch {
    return undefined;
  }
}
