import { type Hex, isHex, numberToHex, type TypedDataDefinition } from 'viem';
import { type DemoWallet, SANDBOX_RPC_PATH, type SiteConfig } from '#lib/siteConfig.ts';
import {
  type DemoAccount,
  type DemoTransaction,
  ProviderRpcError,
  rpc,
  sendTransaction,
} from './transactions.ts';

/**
 * A wallet for the sandbox: an EIP-1193 provider over a public key pair. It lives in the page,
 * speaks the same protocol as any injected wallet, and exists only when the server says that the
 * chain is the local one.
 */

/** Lets tests simulate the failures of real wallets; read at each request. */
export type DemoWalletSwitches = {
  /** Rejects one of the following requests that prompt the user, by position; 1 is the next. */
  rejectIn?: number;
  /** Never responds to the next request that prompts the user, once. */
  ignoreNext?: boolean;
  /** Responds to requests that prompt the user only after this resolves. */
  hold?: Promise<void>;
  /** The network the wallet reports until a switch is requested. */
  chainId?: number;
  /** Used in place of the offered keys. */
  privateKeys?: Hex[];
  /** Emits a change to the page, as when the owner makes one; present once connected. */
  notify?: (event: 'accountsChanged' | 'chainChanged' | 'disconnect', payload: unknown) => void;
  /** How often each method was called. */
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
  /** Absent for a key that a test supplies. */
  address?: Hex;
  privateKey: Hex;
  chainId: number;
  rpcUrl: string;
  storageKey: string;
  /** Whether it takes several calls as one batch. */
  batches: boolean;
};

type Methods = Record<string, (params: unknown[]) => unknown>;

export function createDemoProvider(options: Options): DemoProvider {
  // The code that signs is large, and a page that only reconnects needs none of it.
  let known: DemoAccount | undefined;
  const account = async () => {
    const { privateKeyToAccount } = await import('viem/accounts');
    known ??= privateKeyToAccount(options.privateKey);
    return known;
  };
  const accounts = async () => [options.address ?? (await account()).address];
  const listeners = new Map<string, Set<Listener>>();
  const emit = (event: string, payload: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(payload);
  };
  let chainId = switches().chainId ?? options.chainId;
  const authorised = () => localStorage.getItem(options.storageKey) === 'yes';

  const asked: Methods = {
    eth_requestAccounts: () => {
      localStorage.setItem(options.storageKey, 'yes');
      return accounts();
    },
    personal_sign: async ([message]) =>
      (await account()).signMessage({ message: { raw: toHex(message) } }),
    eth_signTypedData_v4: async ([, json]) => {
      const typedData = JSON.parse(String(json)) as TypedDataDefinition;
      if (Number(typedData.domain?.chainId ?? chainId) !== chainId) {
        throw new ProviderRpcError(-32603, 'The data is for a different network.');
      }
      return (await account()).signTypedData(typedData);
    },
    eth_sendTransaction: async ([request]) =>
      sendTransaction(await account(), request as DemoTransaction, options),
    wallet_sendCalls: async ([batch]) => {
      if (!options.batches) {
        throw new ProviderRpcError(4200, 'This wallet sends one transaction at a time');
      }
      const { sendCallsAtOnce } = await import('./batching.ts');
      return sendCallsAtOnce(await account(), batch as { calls: [] }, options);
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
    eth_accounts: () => (authorised() ? accounts() : []),
    eth_chainId: () => numberToHex(chainId),
    net_version: () => String(chainId),
    wallet_getCapabilities: () => {
      const status = options.batches ? 'supported' : 'unsupported';
      return { [numberToHex(options.chainId)]: { atomic: { status } } };
    },
    wallet_getCallsStatus: async ([id]) => {
      const { callsStatus } = await import('./batching.ts');
      return callsStatus(toHex(id), options);
    },
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
        await misbehaveIfRequested(method);
        return asking(list);
      }
      const response = answered[method];
      return response ? response(list) : rpc(options.rpcUrl, method, params ?? []);
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
      // Pages follow the network of the connected wallet only.
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

/** Exposes the wallet's responses to tests. */
function listenToTests(
  emit: (event: string, payload: unknown) => void,
  setChain: (chainId: number) => void,
): void {
  const received = window.crossbookDemoWallet;
  if (!received) return;
  received.notify = (event, payload) => {
    if (event === 'chainChanged') setChain(Number(payload));
    emit(event, payload);
  };
}

async function misbehaveIfRequested(method: string): Promise<void> {
  const received = window.crossbookDemoWallet;
  if (!received) return;
  received.asked = { ...received.asked, [method]: (received.asked?.[method] ?? 0) + 1 };
  if (received.ignoreNext) {
    received.ignoreNext = false;
    await new Promise(() => undefined);
  }
  await received.hold;
  if (!received.rejectIn) return;
  received.rejectIn -= 1;
  if (received.rejectIn > 0) return;
  throw new ProviderRpcError(4001, 'User rejected the request.');
}

function toHex(message: unknown): Hex {
  if (!isHex(message)) throw new ProviderRpcError(-32602, 'takes hex');
  return message;
}

const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="7" fill="%2314181f"/%3E%3Cpath d="M6 8.5 16 16 6 23.5Z" fill="%235fd0c5"/%3E%3Cpath d="M26 8.5 16 16l10 7.5Z" fill="%23f0a27e"/%3E%3C/svg%3E';

/** Announces the sandbox's demo wallets like any injected wallet (EIP-6963). */
export function announceDemoWallets(config: SiteConfig): void {
  if (!config.sandbox) return;
  const keys = window.crossbookDemoWallet?.privateKeys;
  for (const [index, wallet] of (keys ? walletsOf(keys) : config.demoWallets).entries()) {
    const provider = createDemoProvider({
      ...wallet,
      chainId: config.chainId,
      rpcUrl: new URL(SANDBOX_RPC_PATH, location.origin).href,
      storageKey: `crossbook.demo.${index}`,
    });
    announce(index, wallet.name, provider);
  }
}

/** Test keys: a plain wallet for each, and a smart one for the first. */
function walletsOf(keys: Hex[]): Omit<DemoWallet, 'address'>[] {
  const plain = keys.map((privateKey, index) => ({
    name: `Demo wallet ${index + 1}`,
    privateKey,
    batches: false,
  }));
  const [first] = plain;
  return first ? [...plain, { ...first, name: 'Demo smart wallet', batches: true }] : [];
}

function announce(index: number, name: string, provider: DemoProvider): void {
  const detail = Object.freeze({
    info: Object.freeze({
      uuid: crypto.randomUUID(),
      name,
      icon: ICON,
      rdns: `crossbook.demo.wallet${index + 1}`,
    }),
    provider,
  });
  const say = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', say);
  say();
}
