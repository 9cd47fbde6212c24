import { getAddress } from 'viem';
import { z } from 'zod';
import { complianceEnvironment } from './compliance.ts';
import { exchangeEnvironment } from './exchange.ts';
import {
  addressField,
  chainKeyField,
  chainKeysField,
  dataKeysField,
  flagField,
  ipRangesField,
  nameServersField,
  pemKeyField,
  portField,
  postgresField,
  postgresListField,
  urlField,
} from './fields.ts';
import { providerEnvironment } from './provider.ts';
import { pushEnvironment } from './push.ts';
import { relayEnvironment } from './relay.ts';
import { tracingEnvironment } from './tracing.ts';

const namedAddresses = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim().split('=')))
  .pipe(z.array(z.tuple([z.string().min(3), addressField])))
  .transform((pairs) => pairs.map(([name, owner]) => ({ name, address: getAddress(owner) })));

/**
 * Every variable, its form and its default. Each may be given as the file `<name>_FILE` instead.
 */
export const environmentSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: portField.default(3000),
  PUBLIC_BASE_URL: urlField.optional(),
  /** False for the interface without the pages; it needs no build. */
  SERVE_PAGES: flagField.default(true),
  /**
   * `next` serves the interface through Next as well, for hosts that run only its route handlers.
   */
  API_MOUNT: z.enum(['node', 'next']).default('node'),
  /** Addresses or CIDR ranges of our own proxies, whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: ipRangesField.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** The address of /healthz, /readyz and /metrics; without a port they are not served. */
  OPS_HOST: z.string().min(1).default('127.0.0.1'),
  OPS_PORT: portField.optional(),
  /**
   * Name servers, `address` or `address:port`, for the hosts of webhooks, push services and name
   * gateways; by default those of the machine.
   */
  DNS_SERVERS: nameServersField.default([]),
  /** How long work may continue after a process is asked to stop. */
  SHUTDOWN_SECONDS: z.coerce.number().min(0.5).max(60).default(8),
  /** How long a web server accepts requests after it reports that it is not ready. */
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().min(0).max(60).default(0),

  /** The quotas of all keys of one wallet, and of one network, in multiples of one key's. */
  RATE_LIMIT_WALLET_FACTOR: z.coerce.number().min(1).max(10_000).default(3),
  RATE_LIMIT_NETWORK_FACTOR: z.coerce.number().min(1).max(10_000).default(10),
  /** Open streams of one web process, and how many of them one wallet or one network may have. */
  STREAMS_MAX: z.coerce.number().int().min(1).max(100_000).default(5_000),
  STREAMS_PER_WALLET: z.coerce.number().int().min(1).max(100_000).default(1_000),
  STREAMS_PER_NETWORK: z.coerce.number().int().min(1).max(100_000).default(2_000),

  DATABASE_URL: postgresField,
  DATABASE_DIRECT_URL: postgresField.optional(),
  /**
   * What takes over when the database's machine is lost: nothing, a standby that has every
   * acknowledged commit, or one that may lack the last of them.
   */
  DATABASE_FAILOVER: z.enum(['none', 'synchronous', 'asynchronous']).default('none'),
  /** Standbys, each of them directly, that may serve what is allowed to be a little old. */
  DATABASE_REPLICA_URLS: postgresListField.default([]),
  DATABASE_REPLICA_STALENESS_SECONDS: z.coerce.number().min(0.5).max(60).default(2),
  /** For the admins' pages, whose role may change more; without it they use DATABASE_URL. */
  OPERATOR_DATABASE_URL: postgresField.optional(),
  /** Opens /operator to the admins that `npm run ops -- operators` lists. */
  OPERATOR_INTERFACE: flagField.default(false),
  DATABASE_MAX_CONNECTIONS: z.coerce.number().int().min(2).max(500).default(10),

  /** Offers WalletConnect in the browser, under this project. */
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits')
    .optional(),
  /** Offers Base Account in the browser. */
  BASE_ACCOUNT: flagField.default(false),

  CHAIN_RPC_URL: urlField,
  CHAIN_ID: z.coerce.number().int().positive().default(8453),
  CHAIN_CONFIRMATIONS: z.coerce.number().int().min(1).max(100).default(1),
  /** The highest gas price; a transaction that needs more waits, with an alert. */
  CHAIN_MAX_FEE_GWEI: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a number of gwei')
    .default('100'),
  /** True where a node of the real chain runs on this machine. */
  CHAIN_OWN_NODE: flagField.default(false),
  /** True only for the embedded chain: opens the faucet and the demo wallets. */
  SANDBOX: flagField.default(false),
  USDC_ADDRESS: addressField,
  OUTCOME_TOKEN_ADDRESS: addressField,
  SWAP_VAULT_ADDRESS: addressField,
  ACCOUNT_FACTORY_ADDRESS: addressField,
  /** Opens accounts owned by a passkey. */
  PASSKEY_FACTORY_ADDRESS: addressField.optional(),
  OPERATOR_PRIVATE_KEYS: chainKeysField.optional(),
  ATTESTOR_PRIVATE_KEY: chainKeyField.optional(),
  RESOLVER_PRIVATE_KEY: chainKeyField.optional(),
  /** Sends what owners have signed; has no role on chain. */
  RELAYER_PRIVATE_KEY: chainKeyField.optional(),
  FAUCET_PRIVATE_KEY: chainKeyField.optional(),
  /** Sandbox only: other machines may reach it, its faucet and its demo wallets. */
  SANDBOX_SHARED: flagField.default(false),
  /** Sandbox only: the folder through which tests kill the processor at a checkpoint. */
  SANDBOX_FAULT_DIR: z.string().min(1).optional(),
  EXPLORER_URL: urlField.default('https://basescan.org'),

  /** A node of Ethereum, for names of ENS and Basenames; without it there is no name lookup. */
  NAMES_RPC_URL: urlField.optional(),
  /** Sandbox only: names of its wallets, `name=address,…`. */
  SANDBOX_NAMES: namedAddresses.default([]),

  VENUE_URL: urlField,
  VENUE_WS_URL: urlField.optional(),
  VENUE_KEY_ID: z.string().min(1).optional(),
  VENUE_PRIVATE_KEY: pemKeyField.optional(),

  /** Holds the keys `kms:<key id>` and signs with them, by the protocol of AWS KMS. */
  KEY_SERVICE_URL: urlField.optional(),
  /** Sent to the key service as a bearer token. */
  KEY_SERVICE_TOKEN: z.string().min(1).optional(),

  /** JSON array of private ES256 JWKs, or "kms:<key id>"; the first signs, all of them verify. */
  JWT_SIGNING_KEYS: z.string().min(2).optional(),
  /** The key of our own pages; not a secret, bound to PUBLIC_BASE_URL's origin. */
  PUBLISHABLE_KEY: z.string().startsWith('cbk_pub_').optional(),

  /**
   * Encrypt what owners save, 32 bytes each in base64; the first encrypts, all of them decrypt.
   * Without them it stays in the browser.
   */
  SAVED_ITEMS_KEYS: dataKeysField.optional(),

  ...complianceEnvironment,
  ...exchangeEnvironment,
  ...providerEnvironment,
  ...pushEnvironment,
  ...relayEnvironment,
  ...tracingEnvironment,
});

export type Environment = z.infer<typeof environmentSchema>;

/** The kinds of process; each gets the secrets it needs and no others. */
export type ConfigRole = 'web' | 'processor' | 'tool' | 'all';

const OF_WEB = ['JWT_SIGNING_KEYS', 'PUBLISHABLE_KEY'] as const;
/**
 * A processor with the operators' keys also trades at the exchange; attestor and resolver do not.
 */
const OF_ORDERS = ['OPERATOR_PRIVATE_KEYS', 'VENUE_KEY_ID', 'VENUE_PRIVATE_KEY'] as const;
export const CHAIN_KEYS = [
  'OPERATOR_PRIVATE_KEYS',
  'ATTESTOR_PRIVATE_KEY',
  'RESOLVER_PRIVATE_KEY',
  'RELAYER_PRIVATE_KEY',
] as const;

/**
 * The secrets that a process requires. The configured keys decide what a processor does: it may
 * have those of the operators, the attestor, the resolver, the relayer, or several of them.
 */
export function requiredSecrets(
  role: ConfigRole,
  variables: Record<string, string | undefined>,
): readonly (keyof Environment)[] {
  switch (role) {
    case 'web':
      return OF_WEB;
    case 'tool':
      return [];
    case 'all':
      return [...OF_ORDERS, 'ATTESTOR_PRIVATE_KEY', ...OF_WEB];
    case 'processor': {
      const keys = CHAIN_KEYS.filter((name) => variables[name] !== undefined);
      return keys.length === 0 || keys.includes('OPERATOR_PRIVATE_KEYS') ? OF_ORDERS : [];
    }
  }
}
