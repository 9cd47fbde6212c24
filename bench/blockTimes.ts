import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { loadSecrets } from '#sandbox/secrets.ts';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { simulate } from './capacity/simulate.ts';
import { isQuick } from './harness/options.ts';
import { createSenders, findMarket, type OrderRun, runOrders } from './harness/orders.ts';
import { withService } from './harness/service.ts';
import { report } from './report.ts';

/**
 * Orders at Base's block times with ten operator keys: one point at which the simulation of
 * `bench/capacity.ts` is compared with the service.
 */
const OPERATOR_KEYS = 10;
const BLOCK_SECONDS = 2;
const ORDERS = isQuick ? 500 : 2_000;
const TRADERS = 20;
/** Tokens a second of the sandbox's exchange. */
const EXCHANGE_TOKENS = 4_000;

await withService(
  async (service) => {
    const senders = await createSenders(service, TRADERS);
    const ticker = await findMarket(senders);
    // Accounts and permissions are on the chain before blocks become slow.
    await runOrders(service, { senders, ticker, orders: 2 * TRADERS });
    const chain = controlChainFaults(service.description());
    await chain.holdMining();
    const blocks = setInterval(() => void chain.mine(1), BLOCK_SECONDS * 1_000);
    const run = await runOrders(service, { senders, ticker, orders: ORDERS }).finally(() =>
      clearInterval(blocks),
    );
    await chain.releaseMining();
    const simulated = simulate({
      exchangeWriteTokens: EXCHANGE_TOKENS,
      exchangeReadTokens: EXCHANGE_TOKENS,
      blockSeconds: BLOCK_SECONDS,
      blockGas: 20_000_000,
      operatorKeys: OPERATOR_KEYS,
      attestorKeys: 1,
      cpuSecondsOfOrder: 0.01,
      cores: 2,
    });
    report(
      `${OPERATOR_KEYS} operator keys, a block every ${BLOCK_SECONDS} s (baseline: simulated)`,
      [
        {
          name: 'orders a second',
          ours: steadyRate(run),
          baseline: simulated.ordersPerSecond,
          unit: '/s',
          atLeast: 0.8,
        },
        { name: 'completed', ours: run.completed / ORDERS, unit: '', atLeast: 0.95 },
        { name: 'half were over after', ours: run.p50Ms / 1_000, unit: 's' },
      ],
    );
  },
  { prepare: tenOperators },
);

async function tenOperators(dataDir: string): Promise<void> {
  const path = join(dataDir, 'secrets.json');
  const secrets = await loadSecrets(path);
  const operators = Array.from({ length: OPERATOR_KEYS }, () => generatePrivateKey());
  const changed = { ...secrets, chain: { ...secrets.chain, operators } };
  writeFileSync(path, JSON.stringify(changed), { mode: 0o600 });
}

/** Without the first and the last fifth, in which the stages fill and empty. */
function steadyRate({ endedAfter }: OrderRun): number {
  const from = Math.floor(endedAfter.length / 5);
  const to = Math.ceil((endedAfter.length * 4) / 5);
  return (to - from) / ((endedAfter[to] ?? 0) - (endedAfter[from] ?? 0));
}
