import { getAddress, type Hex, isAddress, isHex, parseGwei } from 'viem';
import { z } from 'zod';
import { ipRangeSchema } from '#lib/api/schemas/network.ts';
import { isLoopback } from '#lib/loopback.ts';

/**
 * Everything the web server and the processor take from outside, read once at start. A wrong value
 * ends the start with every problem named at once; nothing else in the project reads the
 * environment.
 */

const address = z
  .string()
  .refine(
    (text): text is Hex => isAddress(text, { strict: false }),
    'must be a 0x address of 20 bytes',
  );

const privateKey = z
  .string()
  .refine((text) => isHex(text) && text.length === 66, 'must be a 0x private key of 32 bytes')
  .transform((text) => text as Hex);

const privateKeys = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(privateKey).min(1));

const namedAddresses = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim().split('=')))
  .pipe(z.array(z.tuple([z.string().min(3), address])))
  .transform((pairs) => pairs.map(([name, owner]) => ({ name, address: getAddress(owner) })));

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const url = z.url({ error: 'must be a URL' });
const ipRanges = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(ipRangeSchema));
const port = z.coerce.number().int().min(1).max(65_535);

const environmentSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_BASE_URL: url.optional(),
  /** False where the pages are served elsewhere, or not at all: the interface alone needs no build. */
  SERVE_PAGES: flag.default(true),
  /** Addresses or CIDR ranges of our own proxies: only they are believed in X-Forwarded-For. */
  TRUSTED_PROXIES: ipRanges.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),

  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://'),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DATABASE_MAX_CONNECTIONS: z.coerce.number().int().min(2).max(500).default(10),

  /** Offers WalletConnect in the browser; its SDK is to be installed beside us. */
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits')
    .optional(),
  /** Offers Base Account in the browser; its SDK is to be installed beside us. */
  BASE_ACCOUNT: flag.default(false),

  CHAIN_RPC_URL: url,
  CHAIN_ID: z.coerce.number().int().positive().default(8453),
  CHAIN_CONFIRMATIONS: z.coerce.number().int().min(1).max(100).default(1),
  /** The most ever offered for gas; a transaction that needs more waits, with an alert. */
  CHAIN_MAX_FEE_GWEI: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a number of gwei')
    .default('100'),
  /** True only for the embedded chain: opens the faucet and the demo wallets. */
  SANDBOX: flag.default(false),
  USDC_ADDRESS: address,
  OUTCOME_TOKEN_ADDRESS: address,
  SWAP_VAULT_ADDRESS: address,
  ACCOUNT_FACTORY_ADDRESS: address,
  OPERATOR_PRIVATE_KEYS: privateKeys,
  ATTESTOR_PRIVATE_KEY: privateKey,
  /** Without it this process leaves the settlement of markets to others. */
  RESOLVER_PRIVATE_KEY: privateKey.optional(),
  FAUCET_PRIVATE_KEY: privateKey.optional(),
  /** Sandbox only: the folder through which tests make the processor die at a checkpoint. */
  SANDBOX_FAULT_DIR: z.string().min(1).optional(),
  EXPLORER_URL: url.default('https://basescan.org'),

  /** A node of Ethereum, to look up names of ENS and Basenames; without it none are looked up. */
  NAMES_RPC_URL: url.optional(),
  /** Sandbox only: names of its wallets, `name=address,…`. */
  SANDBOX_NAMES: namedAddresses.default([]),

  VENUE_URL: url,
  VENUE_WS_URL: url.optional(),
  VENUE_KEY_ID: z.string().min(1),
  VENUE_PRIVATE_KEY: z
    .string()
    .transform((text) => text.replaceAll('\\n', '\n'))
    .refine((text) => text.includes('PRIVATE KEY'), 'must be a PEM private key (RSA or Ed25519)'),

  /** JSON array of private ES256 JWKs; the first signs, all of them verify. */
  JWT_SIGNING_KEYS: z.string().min(2),
  /** The key of our own pages; not a secret, bound to PUBLIC_BASE_URL's origin. */
  PUBLISHABLE_KEY: z.string().startsWith('cbk_pub_'),
});

export type Config = ReturnType<typeof readConfig>;

/** Raised when the environment is not usable; `problems` has one line per wrong value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Parses the environment. @throws {ConfigError} */
export function readConfig(environment: Record<string, string | undefined>) {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    );
  }
  const env = parsed.data;
  const problems = unsafeCombinations(env);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    host: env.HOST,
    port: env.PORT,
    publicBaseUrl: (env.PUBLIC_BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ''),
    trustedProxies: env.TRUSTED_PROXIES,
    servePages: env.SERVE_PAGES,
    logLevel: env.LOG_LEVEL,
    database: {
      url: env.DATABASE_URL,
      directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
      maxConnections: env.DATABASE_MAX_CONNECTIONS,
    },
    chain: {
      rpcUrl: env.CHAIN_RPC_URL,
      id: env.CHAIN_ID,
      confirmations: env.CHAIN_CONFIRMATIONS,
      maxFeePerGas: parseGwei(env.CHAIN_MAX_FEE_GWEI),
      sandbox: env.SANDBOX,
      explorerUrl: env.EXPLORER_URL,
      contracts: {
        usdc: env.USDC_ADDRESS,
        outcomeToken: env.OUTCOME_TOKEN_ADDRESS,
        swapVault: env.SWAP_VAULT_ADDRESS,
        accountFactory: env.ACCOUNT_FACTORY_ADDRESS,
      },
      operatorKeys: env.OPERATOR_PRIVATE_KEYS,
      attestorKey: env.ATTESTOR_PRIVATE_KEY,
      resolverKey: env.RESOLVER_PRIVATE_KEY,
      faucetKey: env.FAUCET_PRIVATE_KEY,
    },
    venue: {
      url: env.VENUE_URL.replace(/\/$/, ''),
      wsUrl: env.VENUE_WS_URL,
      keyId: env.VENUE_KEY_ID,
      privateKeyPem: env.VENUE_PRIVATE_KEY,
    },
    names: { rpcUrl: env.NAMES_RPC_URL, sandbox: env.SANDBOX_NAMES },
    wallets: {
      walletConnectProjectId: env.WALLETCONNECT_PROJECT_ID,
      baseAccount: env.BASE_ACCOUNT,
    },
    sandboxFaultDir: env.SANDBOX_FAULT_DIR,
    auth: { signingKeysJson: env.JWT_SIGNING_KEYS, publishableKey: env.PUBLISHABLE_KEY },
  };
}

function unsafeCombinations(env: z.infer<typeof environmentSchema>): string[] {
  const problems: string[] = [];
  if (env.SANDBOX && !isLoopback(env.CHAIN_RPC_URL)) {
    problems.push('SANDBOX: the sandbox runs on a loopback chain only; unset it or CHAIN_RPC_URL');
  }
  if (env.SANDBOX_FAULT_DIR && !env.SANDBOX) {
    problems.push('SANDBOX_FAULT_DIR: is for the sandbox only; unset it');
  }
  if (env.SANDBOX_NAMES.length > 0 && !env.SANDBOX) {
    problems.push('SANDBOX_NAMES: is for the sandbox only; unset it');
  }
  return problems;
}
