import {
  type Hex,
  isHex,
  numberToHex,
  type TransactionRequest,
  type TypedDataDefinition,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/**
 * A wallet for the sandbox: an EIP-1193 provider over a key that is no secret. It lives in the
 * page, speaks the same protocol as any injected wallet, and exists only where the server says
 * that the chain is the local one.
 */

/** Lets tests make the wallet misbehave as real ones do; read at each request. */
export type DemoWalletSwitches = {
  /** Declines the next request that would ask the user, once. */
  rejectNext?: boolean;
  /** The network the wallet claims to be on until asked to switch. */
  chainId?: number;
  /** Used in place of the offered keys. */
  privateKeys?: Hex[];
};

declare global {
  interface Window {
    crossbookDemoWallet?: DemoWalletSwitches;
  }
}

type RequestArguments = { method: string; params?: unknown };
type Listener = (payload: unknown) => void;

export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type DemoProvider = {
  request(args: RequestArguments): Promise<unknown>;
  on(event: string, listener: Listener): void;
  removeListener(event: string, listener: Listener): void;
};

type Options = { privateKey: Hex; chainId: number; rpcUrl: string; storageKey: string };

export function createDemoProvider(options: Options): DemoProvider {
  const account = privateKeyToAccount(options.privateKey);
  const listeners = new Map<string, Set<Listener>>();
  const emit = (event: string, payload: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(payload);
  };
  let chainId = switches().chainId ?? options.chainId;
  const authorised = () => localStorage.getItem(options.storageKey) === 'yes';

  const asked: Record<string, (params: unknown[]) => Promise<unknown>> = {
    eth_requestAccounts: async () => {
      localStorage.setItem(options.storageKey, 'yes');
      return [account.address];
    },
    personal_sign: ([message]) => account.signMessage({ message: { raw: toHex(message) } }),
    eth_signTypedData_v4: ([, json]) =>
      account.signTypedData(JSON.parse(String(json)) as TypedDataDefinition),
    eth_sendTransaction: ([request]) =>
      sendTransaction(account, request as TransactionRequest & { gas?: Hex }, options),
    wallet_switchEthereumChain: async ([target]) => {
      const wanted = Number((target as { chainId: Hex }).chainId);
      if (wanted !== options.chainId) throw new ProviderRpcError(4902, 'Unknown network');
      chainId = wanted;
      emit('chainChanged', numberToHex(chainId));
      return null;
    },
  };
  const answered: Record<string, () => unknown> = {
    eth_accounts: () => (authorised() ? [account.address] : []),
    eth_chainId: () => numberToHex(chainId),
    net_version: () => String(chainId),
    wallet_getCapabilities: () => ({
      [numberToHex(options.chainId)]: { atomic: { status: 'unsupported' } },
    }),
    wallet_revokePermissions: () => {
      localStorage.removeItem(options.storageKey);
      return null;
    },
    wallet_sendCalls: () => {
      throw new ProviderRpcError(4200, 'This wallet sends one transaction at a time');
    },
  };

  return {
    async request({ method, params }) {
      const asking = asked[method];
      if (asking) {
        refuseIfTold();
        return asking(Array.isArray(params) ? params : []);
      }
      const answer = answered[method];
      if (answer) return answer();
      return rpc(options.rpcUrl, method, params ?? []);
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener);
    },
  };
}

function switches(): DemoWalletSwitches {
  return window.crossbookDemoWallet ?? {};
}

function refuseIfTold(): void {
  const told = window.crossbookDemoWallet;
  if (!told?.rejectNext) return;
  told.rejectNext = false;
  throw new ProviderRpcError(4001, 'User rejected the request.');
}

function toHex(message: unknown): Hex {
  if (!isHex(message)) throw new ProviderRpcError(-32602, 'personal_sign takes hex');
  return message;
}

async function sendTransaction(
  account: ReturnType<typeof privateKeyToAccount>,
  request: TransactionRequest & { gas?: Hex },
  options: Options,
): Promise<unknown> {
  const call = { from: account.address, to: request.to, data: request.data, value: request.value };
  const [nonce, gas, block, tip] = await Promise.all([
    rpc(options.rpcUrl, 'eth_getTransactionCount', [account.address, 'pending']),
    request.gas ?? rpc(options.rpcUrl, 'eth_estimateGas', [call]),
    rpc(options.rpcUrl, 'eth_getBlockByNumber', ['latest', false]),
    rpc(options.rpcUrl, 'eth_maxPriorityFeePerGas', []),
  ]);
  const baseFee = BigInt((block as { baseFeePerGas?: Hex }).baseFeePerGas ?? '0x0');
  const priority = BigInt(tip as Hex);
  const signed = await account.signTransaction({
    type: 'eip1559',
    chainId: options.chainId,
    nonce: Number(nonce),
    to: request.to ?? undefined,
    data: request.data,
    value: BigInt(request.value ?? 0),
    gas: (BigInt(gas as Hex) * 12n) / 10n,
    maxPriorityFeePerGas: priority,
    maxFeePerGas: baseFee * 2n + priority,
  });
  return rpc(options.rpcUrl, 'eth_sendRawTransaction', [signed]);
}

async function rpc(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as {
    result?: unknown;
    error?: { code: number; message: string };
  };
  if (answer.error) throw new ProviderRpcError(answer.error.code, answer.error.message);
  return answer.result;
}
