import type { PublicClient } from 'viem';
import { StartError } from '../platform/process/runMain.ts';

const TIMEOUT_MS = 4_000;
const DEVELOPMENT_NODE = /anvil|hardhat|ganache/i;

/**
 * Checks that a node belongs to the real chain. A node that does not respond now does not prevent
 * the start: its callers wait.
 * @throws {StartError} for a node of another chain, or a simulated one
 */
export async function checkRealNode(
  client: Pick<PublicClient, 'getChainId' | 'request'>,
  chainId: number,
): Promise<void> {
  const [id, version] = await Promise.all([
    withTimeout(client.getChainId()),
    withTimeout(client.request({ method: 'web3_clientVersion' })),
  ]);
  if (id !== undefined && id !== chainId) {
    throw new StartError(
      'refused',
      `the node in CHAIN_RPC_URL is on chain ${id}, but CHAIN_ID is ${chainId}; correct one of them`,
    );
  }
  if (version !== undefined && DEVELOPMENT_NODE.test(version)) {
    throw new StartError(
      'refused',
      `the node in CHAIN_RPC_URL is a development node (${version}), which has test dollars only; set a node of the real chain`,
    );
  }
}

async function withTimeout<Value>(response: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
  });
  try {
    return await Promise.race([response.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
