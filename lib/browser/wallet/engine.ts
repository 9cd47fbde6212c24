import { custom, defineChain, type EIP1193Provider, type Transport } from 'viem';
import { type Config, type Connector, createConfig, createStorage, http } from 'wagmi';
import {
  connect,
  disconnect,
  getConnection,
  getConnectors,
  reconnect,
  signMessage,
  signTypedData,
  switchChain,
  watchConnection,
} from 'wagmi/actions';
import { forgetAccount } from '#lib/browser/account/rememberedAccount.ts';
import { sameAddress } from '#lib/format/address.ts';
import { SANDBOX_RPC_PATH, type SiteConfig } from '#lib/siteConfig.ts';
import { announceDemoWallets } from './demo/demoProvider.ts';
import { toWalletError, WalletError } from './errors.ts';
import { passkeyConnector } from './passkey/connector.ts';
import { PASSKEY_CONNECTOR } from './passkey/connectorName.ts';
import { configuredConnectors } from './remoteConnectors.ts';
import {
  forgetWallet,
  NO_WALLET,
  rememberWallet,
  type WalletState,
  walletStore,
} from './walletStore.ts';
import { withWalletTimeout } from './walletTimeout.ts';

/** The wallet libraries, set up once per page. Import this module dynamically. */
export type WalletEngine = { wagmi: Config; chainId: number };

let engine: WalletEngine | undefined;

export function walletEngine(site: SiteConfig): WalletEngine {
  engine ??= createEngine(site);
  return engine;
}

function createEngine(site: SiteConfig): WalletEngine {
  announceDemoWallets(site);
  const rpcUrl = site.sandbox
    ? new URL(SANDBOX_RPC_PATH, location.origin).href
    : 'https://mainnet.base.org';
  const chain = defineChain({
    id: site.chainId,
    name: site.sandbox ? 'Base (sandbox)' : 'Base',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    ...(site.explorerUrl && {
      blockExplorers: { default: { name: 'Explorer', url: site.explorerUrl } },
    }),
  });
  const wagmi: Config = createConfig({
    chains: [chain],
    transports: {
      [chain.id]: site.sandbox ? http(rpcUrl) : throughWallet(chain.id, () => wagmi),
    },
    multiInjectedProviderDiscovery: true,
    connectors: [passkeyConnector(site), ...configuredConnectors(site)],
    storage: createStorage({ key: 'crossbook', storage: localStorage }),
    pollingInterval: 1_000,
  });
  watchConnection(wagmi, { onChange: () => follow(wagmi) });
  return { wagmi, chainId: chain.id };
}

/**
 * Outside the sandbox the connected wallet's own node responds, so that no third party sees the
 * visitor.
 */
function throughWallet(chainId: number, config: () => Config): Transport {
  return custom({
    async request(asked: Parameters<EIP1193Provider['request']>[0]) {
      const { connector, chainId: current } = getConnection(config());
      if (!connector) throw new WalletError('disconnected', 'No wallet connected.');
      if (current !== chainId)
        throw new WalletError('wrong_network', 'The node is on another network.');
      const provider = (await connector.getProvider()) as EIP1193Provider;
      return provider.request(asked);
    },
  });
}

function follow(wagmi: Config): void {
  const connection = getConnection(wagmi);
  if (connection.status === 'connected') {
    const wallet = { address: connection.address, walletName: connection.connector.name };
    rememberWallet(wallet);
    walletStore.set({ ...wallet, status: 'connected', chainId: connection.chainId });
    return;
  }
  if (connection.status === 'disconnected') leave();
}

function leave(): void {
  forgetWallet();
  forgetAccount();
  walletStore.set(NO_WALLET);
}

/** External wallets by the type of their connector. */
const REMOTE: Record<string, 'phone' | 'passkey'> = {
  walletConnect: 'phone',
  baseAccount: 'passkey',
};

const ORDER: readonly WalletChoice['kind'][] = ['installed', 'passkey', 'phone', 'demo'];

export type WalletChoice = {
  id: string;
  name: string;
  icon: string | undefined;
  kind: 'installed' | 'passkey' | 'phone' | 'demo';
};

/** The wallets the browser offers, demo wallets last. */
export function walletChoices(engine: WalletEngine): WalletChoice[] {
  return getConnectors(engine.wagmi)
    .filter(({ id, type }) => (type === 'injected' && id !== PASSKEY_CONNECTOR) || type in REMOTE)
    .map((connector) => ({
      id: connector.id,
      name: connector.name,
      icon: connector.icon,
      kind: connector.id.startsWith('crossbook.demo.')
        ? ('demo' as const)
        : (REMOTE[connector.type] ?? ('installed' as const)),
    }))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

/**
 * Connects the chosen wallet.
 * @param onLink receives the link that a wallet on a phone opens, if there is one
 * @throws {WalletError}
 */
export async function connectWallet(
  engine: WalletEngine,
  id: string,
  onLink: (uri: string) => void,
): Promise<void> {
  const connector = connectorById(engine, id);
  const listen = ({ type, data }: { type: string; data?: unknown }) => {
    if (type === 'display_uri' && typeof data === 'string') onLink(data);
  };
  const asked: WalletState = { ...NO_WALLET, status: 'connecting', walletName: connector.name };
  walletStore.set(asked);
  connector.emitter.on('message', listen);
  try {
    if (getConnection(engine.wagmi).status === 'connected') await disconnect(engine.wagmi);
    await withWalletTimeout(connect(engine.wagmi, { connector }));
    follow(engine.wagmi);
  } catch (error) {
    // The user may have cancelled and connected another wallet meanwhile.
    if (walletStore.get() === asked) walletStore.set(NO_WALLET);
    throw toWalletError(error);
  } finally {
    connector.emitter.off('message', listen);
  }
}

/** The address of a wallet in this browser, without connecting it. @throws {WalletError} */
export async function addressOfWallet(engine: WalletEngine, id: string): Promise<string> {
  try {
    const provider = await connectorById(engine, id).getProvider();
    const { request } = provider as EIP1193Provider;
    const [address] = await withWalletTimeout(request({ method: 'eth_requestAccounts' }));
    if (!address) throw new WalletError('disconnected', 'This wallet shared no address.');
    return address;
  } catch (error) {
    throw toWalletError(error);
  }
}

/** Connects the passkey that this browser has just made or found. @throws {WalletError} */
export async function connectPasskey(engine: WalletEngine): Promise<void> {
  await connectWallet(engine, PASSKEY_CONNECTOR, () => undefined);
}

/** Stops waiting for a connection request; if the wallet still accepts, it is connected. */
export function stopConnecting(): void {
  if (walletStore.get().status === 'connecting') walletStore.set(NO_WALLET);
}

function connectorById(engine: WalletEngine, id: string): Connector {
  const connector = getConnectors(engine.wagmi).find((candidate) => candidate.id === id);
  if (!connector) throw new WalletError('not_found', 'This wallet is no longer available.');
  return connector;
}

export async function disconnectWallet(engine: WalletEngine): Promise<void> {
  await disconnect(engine.wagmi).catch(() => undefined);
  leave();
}

/** Reconnects the wallet of the last visit without a prompt; ends as "none" when it is gone. */
export async function restoreWallet(engine: WalletEngine): Promise<void> {
  const recent = await engine.wagmi.storage?.getItem('recentConnectorId');
  // Reconnects only this one: the others would load their SDKs or open their windows.
  const connectors = getConnectors(engine.wagmi).filter(({ id }) => id === recent);
  if (connectors.length > 0) await reconnect(engine.wagmi, { connectors }).catch(() => []);
  if (getConnection(engine.wagmi).status === 'connected') follow(engine.wagmi);
  else walletStore.set(NO_WALLET);
}

/** @throws {WalletError} */
export async function switchToOurChain(engine: WalletEngine): Promise<void> {
  await withWalletTimeout(switchChain(engine.wagmi, { chainId: engine.chainId }));
  follow(engine.wagmi);
}

/**
 * Switches the network if the wallet is on another one. Queries the wallet itself: right after
 * loading, the page may not know its network yet.
 *
 * @throws {WalletError}
 */
export async function ensureOurChain(engine: WalletEngine): Promise<void> {
  const { status, chainId } = getConnection(engine.wagmi);
  if (status === 'connected' && chainId !== engine.chainId) await switchToOurChain(engine);
}

/**
 * A message to sign names its owner and is built before the request; the wallet may have switched
 * accounts since.
 */
function requireAccount(engine: WalletEngine, owner: string): void {
  if (sameAddress(getConnection(engine.wagmi).address, owner)) return;
  throw new WalletError(
    'other_account',
    'Your wallet switched to another account. Nothing was signed.',
  );
}

/** @throws {WalletError} also when the wallet has another account than the signer */
export async function signText(
  engine: WalletEngine,
  owner: `0x${string}`,
  message: string,
): Promise<`0x${string}`> {
  requireAccount(engine, owner);
  return withWalletTimeout(signMessage(engine.wagmi, { account: owner, message }));
}

export type TypedDataToSign = {
  domain: Record<string, unknown>;
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

/** @throws {WalletError} also when the wallet has another account than the signer */
export async function signTyped(
  engine: WalletEngine,
  owner: `0x${string}`,
  typedData: TypedDataToSign,
): Promise<`0x${string}`> {
  requireAccount(engine, owner);
  return withWalletTimeout(signTypedData(engine.wagmi, { ...typedData, account: owner }));
}
