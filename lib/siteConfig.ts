/** The service's configuration for its pages. The server includes it in each page. */
export type SiteConfig = {
  /** The publishable key of our own pages; not a secret. */
  apiKey: string;
  chainId: number;
  contracts: {
    usdc: `0x${string}`;
    outcomeToken: `0x${string}`;
    swapVault: `0x${string}`;
    settlement: `0x${string}`;
    accountFactory: `0x${string}`;
    /** Absent where no passkey owns an account. */
    passkeyFactory?: `0x${string}` | undefined;
  };
  /** The block explorer; null on the sandbox, whose chain has none. */
  explorerUrl: string | null;
  /** Whether the service sends messages that owners sign, and pays the network fee. */
  relays: boolean;
  /** True when the chain is the local one: test money, demo wallets. */
  sandbox: boolean;
  demoWallets: DemoWallet[];
  /** The WalletConnect project id; null when it is not offered. */
  walletConnectProjectId: string | null;
  /** Whether Base Account, a passkey wallet, is offered. */
  offersBaseAccount: boolean;
};

/** `batches`: it takes several calls as one (EIP-5792), as smart wallets do. */
export type DemoWallet = {
  name: string;
  address: `0x${string}`;
  privateKey: `0x${string}`;
  batches: boolean;
};

/** Path of the sandbox chain's JSON-RPC on our own origin. */
export const SANDBOX_RPC_PATH = '/sandbox/rpc';
