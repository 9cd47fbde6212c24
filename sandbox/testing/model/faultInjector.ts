import { setTimeout as delay } from 'node:timers/promises';
import { parseEther, parseGwei } from 'viem';
import { CHAIN_FAULTS } from '#sandbox/chain/chainFaults.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { controlChainFaults } from '../chainFaults.ts';
import { controlExchange, readExchangeState } from '../exchangeControl.ts';
import type { Random } from './random.ts';

/** Confirmations of a transaction in the sandbox that the model breaks. */
export const MODEL_CONFIRMATIONS = 3;

type Part = keyof SandboxDescription['pids'];

type InjectorContext = {
  describe: () => SandboxDescription;
  random: Random;
  markets: readonly string[];
};

/** A fault; `inject` resolves when it has ended, or is armed. */
type Fault = { name: string; weight: number; inject(context: InjectorContext): Promise<void> };

const BETWEEN_FAULTS_MS = [300, 1_500] as const;
const PEACE_AFTER_KILL_MS = 2_000;
const MISBEHAVIOUR_RATE = 0.04;

/** Counts by kind, for the report. */
export type FaultCounts = Record<string, number>;

/**
 * Injects random faults until stopped, then repairs everything. The exchange misbehaves throughout,
 * by its own seed.
 */
export async function injectFaults(
  context: InjectorContext,
  signal: AbortSignal,
): Promise<FaultCounts> {
  const counts: FaultCounts = {};
  for (let turn = 0; !signal.aborted; turn += 1) {
    // Renewed at intervals: a killed exchange has lost its fault settings.
    if (turn % 4 === 0) await renewMisbehaviour(context, counts);
    const [least, most] = BETWEEN_FAULTS_MS;
    await delay(context.random.int(least, most), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const fault = context.random.weighted(FAULTS);
    // A part that is down cannot receive a fault: that is fault enough.
    const injected = await fault.inject(context).then(
      () => true,
      () => false,
    );
    if (injected) counts[fault.name] = (counts[fault.name] ?? 0) + 1;
  }
  await renewMisbehaviour(context, counts);
  await putRight(context);
  return counts;
}

export function addCounts(into: FaultCounts, from: FaultCounts): void {
  for (const [name, count] of Object.entries(from)) into[name] = (into[name] ?? 0) + count;
}

/** Counts the exchange's faults so far and gives it another seed. */
async function renewMisbehaviour(
  { describe, random, markets }: InjectorContext,
  counts: FaultCounts,
): Promise<void> {
  const seed = random.int(1, 2 ** 30);
  await retryUntil(async () => {
    const { misbehaviour } = await readExchangeState(describe());
    const { happened = {} } = (misbehaviour ?? {}) as { happened?: FaultCounts };
    const order = { seed, rate: MISBEHAVIOUR_RATE, spellMs: 1_500, tickers: markets };
    await controlExchange(describe(), 'misbehave', order);
    for (const [name, count] of Object.entries(happened)) {
      addCounts(counts, { [`exchange: ${name}`]: count });
    }
  });
}

/** Ends every fault, however long its part takes to recover. */
async function putRight({ describe, markets }: InjectorContext): Promise<void> {
  await retryUntil(async () => {
    const chain = controlChainFaults(describe());
    await chain.clear();
    await chain.setVaultPaused(false);
    for (const operator of await chain.listAdmins()) {
      await chain.setGasMoney(operator, parseEther('1000'));
    }
  });
  await retryUntil(async () => {
    const { exchangeUrl } = describe();
    await controlExchange({ exchangeUrl }, 'misbehave', { rate: 0 });
    await controlExchange({ exchangeUrl }, 'faults', { clear: true });
    await controlExchange({ exchangeUrl }, 'exchange', {
      exchangeActive: true,
      tradingActive: true,
    });
    for (const ticker of markets) {
      await controlExchange({ exchangeUrl }, 'market', {
        ticker,
        paused: false,
        makers: true,
        priceDollars: null,
      }).catch(() => undefined);
    }
  });
}

async function retryUntil<Reply>(act: () => Promise<Reply>): Promise<Reply> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}

const kill = (part: Part, weight: number): Fault => ({
  name: `kill -9: ${part}`,
  weight,
  async inject({ describe }) {
    const [pid] = describe().pids[part];
    if (pid === undefined) throw new Error(`${part} is down`);
    process.kill(pid, 'SIGKILL');
    // On a busy machine it would otherwise be killed again before it has done anything.
    const isBack = () => describe().pids[part].some((now) => now !== pid) || undefined;
    await pollUntil(isBack, { everyMs: 100 });
    await delay(PEACE_AFTER_KILL_MS);
  },
});

const FAULTS: readonly Fault[] = [
  kill('processor', 4),
  kill('notifications', 1),
  kill('web', 2),
  kill('exchange', 2),
  kill('chain', 2),
  kill('database', 1),
  ...CHAIN_FAULTS.map(
    (kind): Fault => ({
      name: `node: ${kind}`,
      weight: 2,
      inject: ({ describe, random }) =>
        controlChainFaults(describe()).arm(kind, random.int(1, kind === 'read_error' ? 6 : 2)),
    }),
  ),
  spell('node: behind', 3, async (chain, random) => {
    await chain.lag(random.int(1, 4), random.int(1, 3));
    return () => chain.lag(0);
  }),
  spell('node: slow', 2, async (chain, random) => {
    await chain.latency(random.int(50, 400));
    return () => chain.latency(0);
  }),
  spell('chain: no blocks', 3, async (chain) => {
    await chain.holdMining();
    return () => chain.releaseMining();
  }),
  spell('chain: dear', 2, async (chain, random) => {
    await chain.setBaseFee(parseGwei(String(random.int(5, 80))));
    return async () => undefined;
  }),
  spell('chain: vault paused', 2, async (chain) => {
    await chain.setVaultPaused(true);
    return () => chain.setVaultPaused(false);
  }),
  spell('chain: operator without gas', 2, async (chain, random) => {
    const operator = random.pick(await chain.listAdmins());
    await chain.setGasMoney(operator, 0n);
    return () => chain.setGasMoney(operator, parseEther('1000'));
  }),
  {
    name: 'chain: reorganised',
    weight: 4,
    async inject({ describe, random }) {
      const chain = controlChainFaults(describe());
      const drop = random.chance(0.5) ? await chain.listAdmins() : [];
      // As deep as possible: a confirmed block is never reverted.
      await chain.reorganise(random.int(1, MODEL_CONFIRMATIONS - 1), { drop });
    },
  },
  {
    name: 'market: price moved',
    weight: 5,
    async inject({ describe, random, markets }) {
      const priceDollars = (random.int(8, 92) / 100).toFixed(2);
      await controlExchange(describe(), 'market', { ticker: random.pick(markets), priceDollars });
    },
  },
  {
    name: 'market: paused',
    weight: 3,
    async inject({ describe, random, markets }) {
      const ticker = random.pick(markets);
      await controlExchange(describe(), 'market', { ticker, paused: true });
      await delay(random.int(200, 1_500));
      await controlExchange(describe(), 'market', { ticker, paused: false });
    },
  },
  {
    name: 'market: empty book',
    weight: 3,
    async inject({ describe, random, markets }) {
      const ticker = random.pick(markets);
      await controlExchange(describe(), 'market', { ticker, makers: false });
      await delay(random.int(200, 1_000));
      await controlExchange(describe(), 'market', { ticker, makers: true });
    },
  },
];

type Chain = ReturnType<typeof controlChainFaults>;

/** A fault that lasts for a while and is then undone. */
function spell(
  name: string,
  weight: number,
  begin: (chain: Chain, random: Random) => Promise<() => Promise<void>>,
): Fault {
  return {
    name,
    weight,
    async inject({ describe, random }) {
      const end = await begin(controlChainFaults(describe()), random);
      await delay(random.int(200, 1_800));
      await end();
    },
  };
}
