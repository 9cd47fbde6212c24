import { readFileSync } from 'node:fs';
import { parseGwei } from 'viem';
import type { z } from 'zod';
import { vaultCreations } from '#lib/vaultCreations.ts';
import { readCompliance } from './compliance.ts';
import {
  type ConfigRole,
  type Environment,
  environmentSchema,
  requiredSecrets,
} from './environment.ts';
import { readExchangeTiming, readUnwinding } from './exchange.ts';
import { readProvider } from './provider.ts';
import { readPush } from './push.ts';
import { readRelay } from './relay.ts';
import { readTracing } from './tracing.ts';
import {
  isProduction,
  type ReadableEnvironment,
  validateEnvironment,
} from './validateEnvironment.ts';

/**
 * The configuration of the web server and the processor, read once at start. Wrong values and
 * unsafe combinations prevent the start, with a list of all problems. No other code reads the
 * environment.
 */

type Variables = Record<string, string | undefined>;

export type Config = ReturnType<typeof readConfig>;

/** The environment is invalid; `problems` has one line per wrong value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Parses the environment.
 * @param role determines the required secrets
 * @throws {ConfigError}
 */
export function readConfig(environment: Variables, role: ConfigRole = 'all') {
  return configOf(
    parseEnvironment(environmentSchema, environment, (variables) =>
      requiredSecrets(role, variables),
    ),
  );
}

/**
 * Parses the variables of the schema, or of the part of it that a program needs.
 * @param required optional ones of the schema that this program requires
 * @throws {ConfigError}
 */
export function parseEnvironment<Fields extends Partial<typeof environmentSchema.shape>>(
  schema: z.ZodObject<Fields>,
  environment: Variables,
  required: (variables: Variables) => readonly string[],
): z.infer<z.ZodObject<Fields>> {
  const { variables, problems } = withSecretFiles(environment, Object.keys(schema.shape));
  const parsed = schema.safeParse(variables);
  for (const issue of parsed.error?.issues ?? []) {
    problems.push(`${issue.path.join('.')}: ${issue.message}`);
  }
  for (const name of required(variables)) {
    if (variables[name] === undefined) problems.push(`${name}: is missing`);
  }
  const refused = validateEnvironment(readableOf(schema.shape, variables), variables);
  problems.push(...withoutMissing(refused, variables));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return parsed.data;
}

/** A wrong value has already been reported; do not report it as missing too. */
function withoutMissing(problems: string[], variables: Variables) {
  return problems.filter((line) => {
    const [, name = ''] = /^(\w+): is missing/.exec(line) ?? [];
    return variables[name] === undefined;
  });
}

/** The valid values, whose combinations are checked even if others are wrong. */
function readableOf(
  fields: Partial<typeof environmentSchema.shape>,
  variables: Variables,
): ReadableEnvironment {
  const values = Object.entries(fields).flatMap(([name, field]) => {
    const value = field.safeParse(variables[name]);
    return value.success ? [[name, value.data]] : [];
  });
  return Object.fromEntries(values) as ReadableEnvironment;
}

/** The URL under which users reach the service. */
export function publicBaseUrlOf(env: Pick<Environment, 'PUBLIC_BASE_URL' | 'PORT'>): string {
  return (env.PUBLIC_BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, '');
}

function configOf(env: Environment) {
  const publicBaseUrl = publicBaseUrlOf(env);
  return {
    /** Whether real money is at stake. */
    isProduction: isProduction(env),
    host: env.HOST,
    port: env.PORT,
    publicBaseUrl,
    trustedProxies: env.TRUSTED_PROXIES,
    rateLimits: { wallet: env.RATE_LIMIT_WALLET_FACTOR, network: env.RATE_LIMIT_NETWORK_FACTOR },
    streams: {
      most: env.STREAMS_MAX,
      perWallet: env.STREAMS_PER_WALLET,
      perNetwork: env.STREAMS_PER_NETWORK,
    },
    servePages: env.SERVE_PAGES,
    apiMount: env.API_MOUNT,
    logLevel: env.LOG_LEVEL,
    ops: { host: env.OPS_HOST, port: env.OPS_PORT },
    shutdown: {
      drainMs: env.SHUTDOWN_SECONDS * 1_000,
      delayMs: env.SHUTDOWN_DELAY_SECONDS * 1_000,
    },
    database: {
      url: env.DATABASE_URL,
      directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
      isPooled: (env.DATABASE_DIRECT_URL ?? env.DATABASE_URL) !== env.DATABASE_URL,
      failover: env.DATABASE_FAILOVER,
      replicaUrls: env.DATABASE_REPLICA_URLS,
      replicaStalenessMs: env.DATABASE_REPLICA_STALENESS_SECONDS * 1_000,
      operatorUrl: env.OPERATOR_DATABASE_URL,
      maxConnections: env.DATABASE_MAX_CONNECTIONS,
    },
    chain: chainOf(env),
    exchange: {
      url: env.VENUE_URL.replace(/\/$/, ''),
      wsUrl: env.VENUE_WS_URL,
      key:
        env.VENUE_KEY_ID && env.VENUE_PRIVATE_KEY
          ? { id: env.VENUE_KEY_ID, source: env.VENUE_PRIVATE_KEY }
          : undefined,
    },
    exchangeTiming: readExchangeTiming(env),
    unwinding: readUnwinding(env),
    shardTargets: env.EXCHANGE_SHARDS,
    keyService: env.KEY_SERVICE_URL
      ? { url: env.KEY_SERVICE_URL, token: env.KEY_SERVICE_TOKEN }
      : undefined,
    /** Resolve hosts that callers choose; empty for the machine's own name servers. */
    dnsServers: env.DNS_SERVERS,
    names: { rpcUrl: env.NAMES_RPC_URL, sandbox: env.SANDBOX_NAMES },
    wallets: {
      walletConnectProjectId: env.WALLETCONNECT_PROJECT_ID,
      baseAccount: env.BASE_ACCOUNT,
    },
    sandboxFaultDir: env.SANDBOX_FAULT_DIR,
    tracing: readTracing(env),
    operator: { isOpen: env.OPERATOR_INTERFACE },
    compliance: readCompliance(env),
    provider: readProvider(env),
    /** Messages of owners that the service sends at its own cost. */
    relay: readRelay(env),
    savedItemsKeys: env.SAVED_ITEMS_KEYS ?? [],
    /** Push notifications, which need a public key. */
    push: readPush({ ...env, publicBaseUrl }),
    auth: {
      signingKeysJson: env.JWT_SIGNING_KEYS ?? '[]',
      publishableKey: env.PUBLISHABLE_KEY ?? '',
    },
  };
}

function chainOf(env: Environment) {
  return {
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
      settlement: vaultCreations(env.SWAP_VAULT_ADDRESS).settlement,
      accountFactory: env.ACCOUNT_FACTORY_ADDRESS,
      /** Absent where no passkey owns an account. */
      ...(env.PASSKEY_FACTORY_ADDRESS && { passkeyFactory: env.PASSKEY_FACTORY_ADDRESS }),
    },
    keys: {
      operators: env.OPERATOR_PRIVATE_KEYS ?? [],
      attestor: env.ATTESTOR_PRIVATE_KEY,
      resolver: env.RESOLVER_PRIVATE_KEY,
      relayer: env.RELAYER_PRIVATE_KEY,
    },
    faucetKey: env.FAUCET_PRIVATE_KEY?.kind === 'local' ? env.FAUCET_PRIVATE_KEY.value : undefined,
  };
}

const SUFFIX = '_FILE';

/**
 * Reads `name` from the file `<name>_FILE`, without the trailing line end. An empty variable counts
 * as not set.
 */
function withSecretFiles(
  environment: Variables,
  names: readonly string[],
): { variables: Variables; problems: string[] } {
  const present = Object.entries(environment).filter(([, value]) => value);
  const variables: Variables = Object.fromEntries(present);
  const problems: string[] = [];
  for (const name of names) {
    const path = variables[name + SUFFIX];
    if (path === undefined) continue;
    if (variables[name] !== undefined) {
      problems.push(`${name}: is set together with ${name}${SUFFIX}; set one of them`);
      continue;
    }
    try {
      variables[name] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      problems.push(
        `${name}${SUFFIX}: ${path} cannot be read (${code}); correct the path, or let the user of this process read it`,
      );
    }
  }
  return { variables, problems };
}
