import { setTimeout as delay } from 'node:timers/promises';
import type { Hex } from 'viem';
import { createPublicClient, http } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { base } from '#lib/chains.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { signIn } from '../trader.ts';
import { insist } from './careful.ts';
import { checkBooks } from './checkBooks.ts';
import { addCounts, type FaultCounts, injectFaults } from './faultInjector.ts';
import { checkTrader, checkVault } from './invariants.ts';
import { createModelTrader, type ModelTrader } from './modelTrader.ts';
import { createRandom, type Random } from './random.ts';
import { USER_ACTIONS } from './userActions.ts';

export type ModelReport = {
  seed: number;
  sequences: number;
  actions: FaultCounts;
  faults: FaultCounts;
  /** How orders ended: `completed`, or the reason of the failure. */
  outcomes: FaultCounts;
  violations: string[];
};

const UNTIL_OVER_MS = 120_000;
const UNTIL_EXACT_MS = 60_000;
const CHECK_EVERY_MS = 500;

/**
 * Runs random sequences of user actions against a sandbox with random faults, and checks after each
 * round that nothing was lost. The seed determines actions and faults.
 */
export async function runSequences(options: {
  describe: () => SandboxDescription;
  /** Of the sandbox, for the admin tools. */
  dataDir: string;
  seed: number;
  sequences: number;
  /** How many run concurrently and are checked together; 25 by default. */
  atOnce?: number | undefined;
  onRound?: (report: ModelReport) => void;
}): Promise<ModelReport> {
  const { describe, dataDir, seed, sequences, atOnce = 25 } = options;
  const random = createRandom(seed);
  const report: ModelReport = {
    seed,
    sequences: 0,
    actions: {},
    faults: {},
    outcomes: {},
    violations: [],
  };
  for (let round = 0; report.sequences < sequences; round += 1) {
    const count = Math.min(atOnce, sequences - report.sequences);
    await runRound({ describe, dataDir }, random.fork(round), count, report);
    options.onRound?.(report);
  }
  return report;
}

async function runRound(
  { describe, dataDir }: { describe: () => SandboxDescription; dataDir: string },
  random: Random,
  count: number,
  report: ModelReport,
): Promise<void> {
  const markets = await findMarkets(describe(), random);
  const choices = Array.from({ length: count }, () => [random.pick(markets), random.pick(markets)]);
  const traders = await Promise.all(
    choices.map((own) => createModelTrader(describe(), [...new Set(own)])),
  );
  const over = new AbortController();
  const faults = injectFaults({ describe, random: random.fork('faults'), markets }, over.signal);
  await Promise.all(
    traders.map((trader, n) => runSequence(describe, trader, random.fork(n), report.actions)),
  );
  over.abort();
  addCounts(report.faults, await faults);
  // What still rests ends now.
  await Promise.all(traders.map((trader) => insist(() => trader.api.cancelOrders())));
  const deadline = Date.now() + UNTIL_OVER_MS;
  await Promise.all(traders.map((trader) => untilFinished(describe(), trader, deadline)));
  report.violations.push(...(await checkUntilExact({ describe, dataDir }, traders)));
  for (const trader of traders) await countOutcomes(trader, report.outcomes);
  report.sequences += count;
}

/**
 * The violations that remain. After the loss of many blocks the service reopens orders that had
 * ended, so the records of a round are compared until they agree with the chain.
 */
async function checkUntilExact(
  { describe, dataDir }: { describe: () => SandboxDescription; dataDir: string },
  traders: readonly ModelTrader[],
): Promise<string[]> {
  const deadline = Date.now() + UNTIL_EXACT_MS;
  for (;;) {
    const own = await Promise.all(traders.map((trader) => checkTrader(describe(), trader)));
    const vault = await checkVault(describe());
    const violations = [...own.flat(), ...vault, ...(await checkBooks(dataDir))];
    if (violations.length === 0 || Date.now() > deadline) return violations;
    await delay(CHECK_EVERY_MS);
  }
}

async function runSequence(
  describe: () => SandboxDescription,
  trader: ModelTrader,
  random: Random,
  counts: FaultCounts,
): Promise<void> {
  const steps = random.int(4, 9);
  for (let n = 0; n < steps; n += 1) {
    const action = random.weighted(USER_ACTIONS);
    addCounts(counts, { [action.name]: 1 });
    try {
      await action.perform({ sandbox: describe(), trader, random });
    } catch (error) {
      trader.complaints.push(`${action.name}: ${String(error)}`);
    }
    await delay(random.int(0, 400));
  }
}

/** Markets with offers on both sides that stay open for a while, in an order set by the seed. */
async function findMarkets(sandbox: SandboxDescription, random: Random): Promise<string[]> {
  const { api } = await insist(() => signIn(sandbox));
  const { markets } = await insist(() => api.listMarkets({ limit: 1000, status: 'open' }));
  const later = Date.now() + 1_800_000;
  const usable = markets.filter(
    (one) => one.yesBid >= 10 && one.yesAsk <= 90 && Date.parse(one.expectedEndTime) > later,
  );
  const picked = new Set<string>();
  while (picked.size < Math.min(12, usable.length)) picked.add(random.pick(usable).ticker);
  return [...picked];
}

/** Waits until every order that can end has ended, and every orphaned request has been returned. */
async function untilFinished(
  sandbox: SandboxDescription,
  trader: ModelTrader,
  deadline: number,
): Promise<void> {
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const statusOf = (orderId: Hex) =>
    client.readContract({
      address: sandbox.contracts.swapVault,
      abi: swapVaultAbi,
      functionName: 'statusOf',
      args: [orderId],
    });
  // Grows while it is walked: an amended order may be replaced by another one.
  for (const intent of trader.intents) {
    if (intent.neverSent) continue;
    while (Date.now() < deadline) {
      const order = await insist(() => trader.api.getOrder(intent.id));
      if (order.isComplete && !awaitsReplacement(order)) {
        followReplacement(trader, order);
        break;
      }
      await delay(CHECK_EVERY_MS);
    }
  }
  for (const orderId of trader.orphanedOrderIds) {
    while ((await statusOf(orderId)) === OPEN) {
      if (Date.now() > deadline) {
        trader.complaints.push(`the stray request ${orderId} did not come back`);
        break;
      }
      await delay(CHECK_EVERY_MS);
    }
  }
}

function awaitsReplacement({ events }: OrderRecordWithEvents): boolean {
  const times = (type: string) => events.filter((event) => event.type === type).length;
  return times('replace_requested') > times('replaced') + times('replace_refused');
}

function followReplacement(trader: ModelTrader, { replacedBy: id }: OrderRecordWithEvents): void {
  if (id !== null && trader.intents.every((one) => one.id !== id)) trader.intents.push({ id });
}

/** The vault's status of an order that is neither filled nor refunded. */
const OPEN = 1;

async function countOutcomes(trader: ModelTrader, outcomes: FaultCounts): Promise<void> {
  for (const { id } of trader.intents) {
    const { status, terminationReason } = await insist(() => trader.api.getOrder(id));
    addCounts(outcomes, { [terminationReason ?? status]: 1 });
  }
}
