/** What the pages know about the service they belong to. Given by the server with each page. */
export type SiteConfig = {
  /** The publishable key of our own pages; not a secret. */
  apiKey: string;
  chainId: number;
  contracts: {
    usdc: `0x${string}`;
    outcomeToken: `0x${string}`;
    swapVault: `0x${string}`;
    accountFactory: `0x${string}`;
  };
  /** Where transactions can be looked up; null on the sandbox, whose chain no explorer knows. */
  explorerUrl: string | null;
  /** True when the chain is the local one: test money, demo wallets. */
  sandbox: boolean;
  demoWallets: DemoWallet[];
};

export type DemoWallet = { name: string; privateKey: `0x${string}` };

/** Path of the sandbox chain's JSON-RPC on our own origin. */
export const SANDBOX_RPC_PATH = '/sandbox/rpc';
