import { SpanKind } from '@opentelemetry/api';
import {
  type Address,
  createPublicClient,
  getContract,
  type Hex,
  HttpRequestError,
  http,
  LimitExceededRpcError,
  type PublicClient,
  RpcRequestError,
  TimeoutError,
  type Transport,
} from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { base } from '#lib/chains.ts';
import type { Config } from '../platform/config/config.ts';
import { observeChainRequest } from '../platform/metrics/calls.ts';
import { StartError } from '../platform/process/runMain.ts';
import { inChildSpan } from '../platform/tracing/spans.ts';
import { withTimeout } from '../platform/withTimeout.ts';

export type Contracts = Config['chain']['contracts'];

/** The service's access to the chain. */
export type Chain = {
  id: number;
  client: PublicClient;
  contracts: Contracts;
  confirmations: number;
  sandbox: boolean;
  explorerUrl: string;
};

/**
 * With two retries this ends before an API caller's timeout, so that the caller gets the reason.
 */
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
  const { id, contracts, confirmations, sandbox, explorerUrl } = config;
  return { id, client: client as PublicClient, contracts, confirmations, sandbox, explorerUrl };
}

/** The contracts, for single reads. */
export const vaultOf = ({ client, contracts }: Chain) =>
  getContract({ address: contracts.swapVault, abi: swapVaultAbi, client });

export const settlementOf = ({ client, contracts }: Chain) =>
  getContract({ address: contracts.settlement, abi: settlementAbi, client });

export const factoryOf = ({ client, contracts }: Chain) =>
  getContract({ address: contracts.accountFactory, abi: tradingAccountFactoryAbi, client });

export const accountOf = ({ client }: Chain, address: Address) =>
  getContract({ address, abi: tradingAccountAbi, client });

export const outcomeTokenOf = ({ client, contracts }: Chain) =>
  getContract({ address: contracts.outcomeToken, abi: outcomeTokenAbi, client });

/** Whether an address has code. */
export async function isDeployed(chain: Chain, address: Address): Promise<boolean> {
  const code: Hex | undefined = await chain.client.getCode({ address });
  return code !== undefined && code !== '0x';
}

/** Wraps a transport so that each request is measured and traced. */
export function observedTransport<Inner extends Transport>(transport: Inner): Inner {
  const observed = (parameters: Parameters<Transport>[0]) => {
    const opened = transport(parameters);
    const request = (async (body: { method: string }, options: unknown) => {
      const { method } = body;
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1000;
      const spanOptions = { kind: SpanKind.CLIENT, attributes: { 'rpc.method': method } };
      return await inChildSpan(`chain.${method}`, spanOptions, async () => {
        try {
          const response: unknown = await opened.request(body as never, options as never);
          observeChainRequest(method, 'ok', seconds());
          return response;
        } catch (error) {
          observeChainRequest(method, failureOf(error), seconds());
          throw error;
        }
      });
    }) as typeof opened.request;
    return { ...opened, request };
  };
  return observed as Inner;
}

/** A revert is a valid response, not a failure of the node. */
function failureOf(error: unknown): string {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof LimitExceededRpcError) return 'rate_limited';
  if (error instanceof HttpRequestError) return error.status === 429 ? 'rate_limited' : 'network';
  const isResponse =
    error instanceof RpcRequestError || (error instanceof Error && 'code' in error);
  return isResponse ? 'answered_error' : 'error';
}

const CHECK_TIMEOUT_MS = 4_000;
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
    withTimeout(client.getChainId(), CHECK_TIMEOUT_MS).catch(() => undefined),
    withTimeout(client.request({ method: 'web3_clientVersion' }), CHECK_TIMEOUT_MS).catch(
      () => undefined,
    ),
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
