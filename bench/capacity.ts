import { simulate } from './capacity/simulate.ts';

/**
 * How many orders a second a deployment sustains within the limits of the exchange's tiers and of
 * Base, and which limit is reached first: `node bench/capacity.ts [our processor time of an order,
 * in ms]`.
 */
const CPU_MS = Number(process.argv[2] ?? 80);

/** Read and write tokens per second of the exchange's tiers, as published in August 2026. */
const TIERS = {
  Basic: [200, 100],
  Advanced: [300, 300],
  Expert: [600, 600],
  Premier: [1_000, 1_000],
  Paragon: [2_000, 2_000],
  Prime: [4_000, 4_000],
  Prestige: [10_000, 8_000],
} as const;

/** Keys of each kind, and cores of all processes together. */
const DEPLOYMENTS = [
  { operatorKeys: 2, attestorKeys: 1, cores: 2 },
  { operatorKeys: 8, attestorKeys: 1, cores: 4 },
  { operatorKeys: 16, attestorKeys: 1, cores: 8 },
] as const;

/** Base mines a block every two seconds. This much of a block's gas is assumed to be available. */
const CHAIN = { blockSeconds: 2, blockGas: 20_000_000 } as const;

const lines = [
  '| Tier | Operator keys | Cores | Orders/s | Binds first |',
  '|---|---:|---:|---:|---|',
];
for (const [tier, [read, write]] of Object.entries(TIERS)) {
  for (const deployment of DEPLOYMENTS) {
    const { ordersPerSecond, binding, used } = simulate({
      ...CHAIN,
      ...deployment,
      exchangeReadTokens: read,
      exchangeWriteTokens: write,
      cpuSecondsOfOrder: CPU_MS / 1_000,
    });
    lines.push(
      `| ${tier} | ${deployment.operatorKeys} | ${deployment.cores} | ${ordersPerSecond.toFixed(1)} | ${binding} (${Math.round(used[binding] * 100)} %) |`,
    );
  }
}
process.stdout.write(`${lines.join('\n')}\n`);
