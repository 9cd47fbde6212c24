import { type Hex, isHex, numberToHex, type TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { batchingCapabilities, callsStatus, sendCallsAtOnce } from './batching.ts';
import { ProviderRpcError, rpc } from './rpc.ts';
import { type DemoAccount, type DemoTransaction, sendTransaction } from './transactions.ts';

/**
 * A wallet for the sandbox: an EIP-1193 provider over a key that is no secret. It lives in the
 * page, speaks the same protocol as any injected wallet, and exists only where the server says
 * that the chain is the local one.
 */

/** Lets tests make the wallet misbehave as real ones do; read at each request. */
export type DemoWalletSwitches = {
  /** Declines, once, the request that is so many away of those that ask the user; 1 is the next. */
  rejectIn?: number;
  /** Never answers the next request that would ask the user, once. */
  ignoreNext?: boolean;
  /** Answers what would ask the user only once this is over. */
  hold?: Promise<void>;
  /** The network the wallet claims to be on until asked to switch. */
  chainId?: number;
  /** Used in place of the offered keys. */
  privateKeys?: Hex[];
  /** Makes the wallet tell its page of a change, as when its owner makes one; there once connected. */
  tell?: (event: 'accountsChanged' | 'chainChanged' | 'disconnect', payload: unknown) => void;
  /** How often each method was asked for. */
  asked?: Record<string, number>;
};

declare global {
  interface Window {
    crossbookDemoWallet?: DemoWalletSwitches;
  }
}

type RequestArguments = { method: string; params?: unknown };
type Listener = (payload: unknown) => void;

export type DemoProvider = {
  request(args: RequestArguments): Promise<unknown>;
  on(event: string, listener: Listener): void;
  removeListener(event: string, listener: Listener): void;
};

type Options = {
  privateKey: Hex;
  chainId: number;
  rpcUrl: string;
  storageKey: string;
  /** Whether it takes several calls as one. */
  batches: boolean;
};

type Methods = Record<string, (params: unknown[]) => unknown>;

export function createDemoProvider(options: Options): DemoProvider {
  // Finding the address of a key takes long, and of several wallets at most one is used.
  let known: DemoAccount | undefined;
  const account = () => {
    known ??= privateKeyToAccount(options.privateKey);
    return known;
  };
  const listeners = new Map<string, Set<Listener>>();
  const emit = (event: string, payload: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(payload);
  };
  let chainId = switches().chainId ?? options.chainId;
  const authorised = () => localStorage.getItem(options.storageKey) === 'yes';

  const asked: Methods = {
    eth_requestAccounts: () => {
      localStorage.setItem(options.storageKey, 'yes');
      return [account().address];
    },
    personal_sign: ([message]) => account().signMessage({ message: { raw: toHex(message) } }),
    eth_signTypedData_v4: ([, json]) => {
      const typedData = JSON.parse(String(json)) as TypedDataDefinition;
      // As usual wallets do.
      if (Number(typedData.domain?.chainId ?? chainId) !== chainId) {
        throw new ProviderRpcError(-32603, 'The data is for a different network.');
      }
      return account().signTypedData(typedData);
    },
    eth_sendTransaction: ([request]) =>
      sendTransaction(account(), request as DemoTransaction, options),
    wallet_sendCalls: ([batch]) => {
      if (!options.batches) {
        throw new ProviderRpcError(4200, 'This wallet sends one transaction at a time');
      }
      return sendCallsAtOnce(account(), batch as { calls: [] }, options);
    },
    wallet_switchEthereumChain: ([target]) => {
      const wanted = Number((target as { chainId: Hex }).chainId);
      if (wanted !== options.chainId) throw new ProviderRpcError(4902, 'Unknown network');
      chainId = wanted;
      emit('chainChanged', numberToHex(chainId));
      return null;
    },
  };
  const answered: Methods = {
    eth_accounts: () => (authorised() ? [account().address] : []),
    eth_chainId: () => numberToHex(chainId),
    net_version: () => String(chainId),
    wallet_getCapabilities: () =>
      options.batches
        ? batchingCapabilities(options.chainId)
        : { [numberToHex(options.chainId)]: { atomic: { status: 'unsupported' } } },
    wallet_getCallsStatus: ([id]) => callsStatus(toHex(id), options),
    wallet_revokePermissions: () => {
      localStorage.removeItem(options.storageKey);
      return null;
    },
  };

  return {
    async request({ method, params }) {
      const list = Array.isArray(params) ? params : [];
      const asking = asked[method];
      if (asking) {
        await misbehaveIfTold(method);
        return asking(list);
      }
      const response = answered[method];
      return response ? response(list) : rpc(options.rpcUrl, method, params ?? []);
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
      // Pages follow the network of the wallet they are connected to, and of no other.
      if (event !== 'chainChanged') return;
      listenToTests(emit, (next) => {
        chainId = next;
      });
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener);
    },
  };
}

function switches(): DemoWalletSwitches {
  return window.crossbookDemoWallet ?? {};
}

/** Hands tests the means to change what the wallet tells. */
function listenToTests(
  emit: (event: string, payload: unknown) => void,
  setChain: (chainId: number) => void,
): void {
  const told = window.crossbookDemoWallet;
  if (!told) return;
  told.tell = (event, payload) => {
    if (event === 'chainChanged') setChain(Number(payload));
    emit(event, payload);
  };
}

async function misbehaveIfTold(method: string): Promise<void> {
  const told = window.crossbookDemoWallet;
  if (!told) return;
  told.asked = { ...told.asked, [method]: (told.asked?.[method] ?? 0) + 1 };
  if (told.ignoreNext) {
    told.ignoreNext = false;
    await new Promise(() => undefined);
  }
  await told.hold;
  if (!told.rejectIn) return;
  told.rejectIn -= 1;
  if (told.rejectIn > 0) return;
  throw new ProviderRpcError(4001, 'User rejected the request.');
}

function toHex(message: unknown): Hex {
  if (!isHex(message)) throw new ProviderRpcError(-32602, 'takes hex');
  return message;
}
