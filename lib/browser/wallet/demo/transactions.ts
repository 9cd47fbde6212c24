import type { Hex } from 'viem';
import type { privateKeyToAccount } from 'viem/accounts';

export type DemoAccount = ReturnType<typeof privateKeyToAccount>;

export type DemoTransaction = {
  to?: Hex | null | undefined;
  data?: Hex | undefined;
  value?: Hex | bigint | undefined;
  gas?: Hex | undefined;
  /** EIP-7702: the code that the address takes on with this transaction. */
  delegateTo?: Hex | undefined;
};

type Chain = { chainId: number; rpcUrl: string };

/** A generous upper limit of the extra gas of a delegation. */
const DELEGATION_GAS = 60_000n;

/** Signs with the key and sends; returns the hash. */
export async function sendTransaction(
  account: DemoAccount,
  request: DemoTransaction,
  chain: Chain,
): Promise<Hex> {
  const value = BigInt(request.value ?? 0);
  const call = {
    from: account.address,
    to: request.to ?? undefined,
    data: request.data,
    value: `0x${value.toString(16)}`,
  };
  const [nonceHex, gas, block, tip] = await Promise.all([
    rpc(chain.rpcUrl, 'eth_getTransactionCount', [account.address, 'pending']),
    request.gas ?? rpc(chain.rpcUrl, 'eth_estimateGas', [call]),
    rpc(chain.rpcUrl, 'eth_getBlockByNumber', ['latest', false]),
    rpc(chain.rpcUrl, 'eth_maxPriorityFeePerGas', []),
  ]);
  const nonce = Number(nonceHex);
  const baseFee = BigInt((block as { baseFeePerGas?: Hex }).baseFeePerGas ?? '0x0');
  const priority = BigInt(tip as Hex);
  const common = {
    chainId: chain.chainId,
    nonce,
    to: request.to ?? undefined,
    data: request.data,
    value,
    gas: (BigInt(gas as Hex) * 12n) / 10n + (request.delegateTo ? DELEGATION_GAS : 0n),
    maxPriorityFeePerGas: priority,
    maxFeePerGas: baseFee * 2n + priority,
  };
  const signed: Hex = request.delegateTo
    ? await account.signTransaction({
        ...common,
        type: 'eip7702',
        authorizationList: [
          await account.signAuthorization({
            address: request.delegateTo,
            chainId: chain.chainId,
            // The transaction itself uses the nonce before.
            nonce: nonce + 1,
          }),
        ],
      })
    : await account.signTransaction({ ...common, type: 'eip1559' });
  return (await rpc(chain.rpcUrl, 'eth_sendRawTransaction', [signed])) as Hex;
}

/** An error as a wallet reports it (EIP-1193). */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Calls the sandbox's chain. @throws {ProviderRpcError} */
export async function rpc(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const reply = (await response.json()) as {
    result?: unknown;
    error?: { code: number; message: string };
  };
  if (reply.error) throw new ProviderRpcError(reply.error.code, reply.error.message);
  return reply.result;
}
