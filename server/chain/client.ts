import { type Address, createPublicClient, type Hex, http, type PublicClient } from 'viem';
import { base } from '#lib/chains.ts';
import type { Config } from '../platform/config/config.ts';
import { observedTransport } from './observedTransport.ts';

export type Contracts = {
  usdc: Address;
  outcomeToken: Address;
  swapVault: Address;
  accountFactory: Address;
};

/** The service's access to the chain. */
export type Chain = {
  id: number;
  client: PublicClient;
  contracts: Contracts;
  confirmations: number;
  sandbox: boolean;
  explorerUrl: string;
};

/** Three timeouts end before a caller of the interface gives up, so that it receives the reason. */
const NODE_TIMEOUT_MS = 5_000;

/** Opens a client; sends no request before the first call. */
export function openChain(config: Config['chain']): Chain {
  const client = createPublicClient({
    chain: { ...base, id: config.id },
    transport: observedTransport(
      http(config.rpcUrl, { timeout: NODE_TIMEOUT_MS, retryCount: 2, retryDelay: 150 }),
    ),
    // Multicall3 is not deployed on a bare local chain; single calls are batched over HTTP instead.
    batch: {},
  });
  return {
    id: config.id,
    client: client as PublicClient,
    contracts: config.contracts,
    confirmations: config.confirmations,
    sandbox: config.sandbox,
    explorerUrl: config.explorerUrl,
  };
}

/** Whether an address has code. */
export async function isDeployed(chain: Chain, address: Address): Promise<boolean> {
  const code: Hex | undefined = await chain.client.getCode({ address });
  return code !== undefined && code !== '0x';
}
