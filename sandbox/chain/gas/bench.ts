import type { Hex } from 'viem';
import { BenchAccounts } from './benchAccounts.ts';
import { openBenchChain } from './benchChain.ts';
import { BenchOrders } from './benchOrders.ts';
import { BenchSettlement } from './benchSettlement.ts';

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** A prepared chain, and what is measured on it: each transaction returns the gas in its receipt. */
export async function openBench(rpcUrl: string) {
  const chain = await openBenchChain(rpcUrl);
  const { contracts, operator } = chain;
  return {
    chain,
    accounts: new BenchAccounts(chain),
    orders: new BenchOrders(chain),
    settlement: new BenchSettlement(chain),
    /** Sends what owners sign. */
    relayer: { contracts, send: (to: Hex, data: Hex) => chain.send(operator, to, data) },
  };
}
