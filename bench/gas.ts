import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureGas } from '#sandbox/chain/gas/measureGas.ts';
import { type Measure, report } from './report.ts';

/**
 * What an order costs on chain, beside other settlement contracts: `node bench/gas.ts`. Ours is
 * measured here, on a fresh local chain; theirs was measured once from their published contracts on
 * the same kind of chain with the issuer's USDC, or is from their own committed snapshots.
 */
const PEERS = [
  ['Polymarket CTFExchange fillOrder', 129_248],
  ['Polymarket CTFExchange matchOrders, one to one', 197_280],
  ['CoW Protocol settlement of one order', 128_840],
  ['UniswapX, direct filler', 126_559],
  ['UniswapX, limit order', 136_118],
] as const;

/** By which the issuer's dollar is dearer than the local one; a request moves it once. */
const CIRCLE_TRANSFER = 45_143;

const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-bench-'));
try {
  const gas = await measureGas(dataDir);
  const of = (name: string): number => {
    const figure = gas[name];
    if (figure === undefined) throw new Error(`${name} was not measured`);
    return figure;
  };
  const fill = of('fill, buy, exact');
  const sizes = [
    [1, of('request, buy, through the grant'), fill],
    [5, of('request, buy, each in a batch of five'), of('fill, buy, each in a batch of five')],
    [
      25,
      of('request, buy, each in a batch of twenty-five'),
      of('fill, buy, each in a batch of twenty-five'),
    ],
  ] as const;
  const legs = sizes.flatMap(([size, , each]) =>
    PEERS.map(
      ([name, baseline]): Measure => ({
        name: `settle leg, batches of ${size}: ${name}`,
        ours: each,
        baseline,
        unit: 'gas',
        atMost: 1,
      }),
    ),
  );
  const dearer = CIRCLE_TRANSFER - of('transfer of USDC');
  const orders = sizes.flatMap(([size, request, each]): Measure[] => [
    { name: `whole order, batches of ${size}: request`, ours: request, unit: 'gas' },
    { name: `whole order, batches of ${size}: fill`, ours: each, unit: 'gas' },
    ...PEERS.slice(0, 1).map(([name, baseline]) => ({
      name: `whole order, batches of ${size}: ${name}`,
      ours: request + each,
      baseline,
      unit: 'gas',
    })),
    {
      name: `whole order, batches of ${size}, with the issuer’s USDC (about)`,
      ours: request + each + dearer,
      unit: 'gas',
    },
  ]);
  report('Gas of an order: a buy, filled exactly, of an account that trades again', [
    ...legs,
    ...orders,
  ]);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
