import type { Address } from 'viem';
import { type Config, ConfigError, readConfig } from '#server/platform/config/config.ts';
import type { DatabaseRole } from '#server/platform/database/roles/grants.ts';
import { demoWalletNames } from './chain/demoWallets.ts';
import { StartProblem } from './problem.ts';
import type { Secrets } from './secrets.ts';

export type Environment = Record<string, string | undefined>;

export type ContractAddresses = {
  usdc: Address;
  outcomeToken: Address;
  swapVault: Address;
  settlement: Address;
  accountFactory: Address;
  passkeyFactory?: Address | undefined;
};

/** Which parts run embedded; the environment names the others. */
export type EmbeddedParts = { database: boolean; chain: boolean; exchange: boolean };

export function embeddedParts(environment: Environment): EmbeddedParts {
  return {
    database: !environment.DATABASE_URL,
    chain: !environment.CHAIN_RPC_URL,
    exchange: !environment.VENUE_URL,
  };
}

/** Addresses of the embedded parts. External parts are left out. */
export type PartAddresses = {
  port: number;
  databaseUrl?: string;
  chain?: { rpcUrl: string; contracts: ContractAddresses };
  exchangeUrl?: string;
};

/**
 * The environment of the web server and the processor: the user's values, completed with those of
 * the embedded parts. An external part gets none of our values, so that a missing address or key is
 * reported instead of being replaced by one made for the sandbox.
 */
/** Shares and minima of the sandbox's four shards. */
const SANDBOX_SHARDS = '0:25:20000,1:25:20000,2:25:20000,3:25:20000';

export function serverEnvironment(
  environment: Environment,
  secrets: Secrets,
  parts: PartAddresses,
): Environment {
  return {
    JWT_SIGNING_KEYS: JSON.stringify(secrets.jwtSigningKeys),
    PUBLISHABLE_KEY: secrets.publishableKey,
    SAVED_ITEMS_KEYS: secrets.savedItemsKey,
    ...vapidOf(environment, secrets),
    ...environment,
    NODE_ENV: 'production',
    // Together with chain and database, everything must stop within five seconds.
    SHUTDOWN_SECONDS: environment.SHUTDOWN_SECONDS ?? '1.5',
    PORT: String(parts.port),
    ...(parts.databaseUrl && { DATABASE_URL: parts.databaseUrl, DATABASE_DIRECT_URL: undefined }),
    ...(parts.chain && chainEnvironment(parts.chain, secrets, environment)),
    ...(parts.exchangeUrl && {
      VENUE_URL: parts.exchangeUrl,
      VENUE_WS_URL: parts.exchangeUrl
        .replace(/^http/, 'ws')
        .replace('/trade-api/v2', '/trade-api/ws/v2'),
      EXCHANGE_SHARDS: environment.EXCHANGE_SHARDS ?? SANDBOX_SHARDS,
      VENUE_KEY_ID: secrets.exchange.keyId,
      VENUE_PRIVATE_KEY: secrets.exchange.privateKeyPem,
    }),
  };
}

/**
 * A configured key pair is not mixed with ours; on a real chain no notification is signed by our
 * key.
 */
function vapidOf(environment: Environment, { vapid }: Secrets): Environment {
  const isSet = Object.keys(environment).some((name) => name.startsWith('VAPID_'));
  if (isSet || !embeddedParts(environment).chain) return {};
  return { VAPID_PUBLIC_KEY: vapid.publicKey, VAPID_PRIVATE_KEY: vapid.privateKey };
}

/** The local chain's first blocks cost hundreds of times what Base does. */
const SANDBOX_RELAY_USD = '1000';

function chainEnvironment(
  chain: NonNullable<PartAddresses['chain']>,
  secrets: Secrets,
  environment: Environment,
): Environment {
  return {
    CHAIN_RPC_URL: chain.rpcUrl,
    CHAIN_ID: '8453',
    SANDBOX: 'true',
    OPERATOR_INTERFACE: 'true',
    USDC_ADDRESS: chain.contracts.usdc,
    OUTCOME_TOKEN_ADDRESS: chain.contracts.outcomeToken,
    SWAP_VAULT_ADDRESS: chain.contracts.swapVault,
    ACCOUNT_FACTORY_ADDRESS: chain.contracts.accountFactory,
    PASSKEY_FACTORY_ADDRESS: chain.contracts.passkeyFactory,
    OPERATOR_PRIVATE_KEYS: secrets.chain.operators.join(','),
    ATTESTOR_PRIVATE_KEY: secrets.chain.attestor,
    RESOLVER_PRIVATE_KEY: secrets.chain.resolver,
    RELAYER_PRIVATE_KEY: secrets.relayer,
    RELAY_USD_PER_HOUR: environment.RELAY_USD_PER_HOUR ?? SANDBOX_RELAY_USD,
    RELAY_USD_PER_ACCOUNT: environment.RELAY_USD_PER_ACCOUNT ?? SANDBOX_RELAY_USD,
    FAUCET_PRIVATE_KEY: secrets.chain.faucet,
    SANDBOX_NAMES: demoWalletNames(),
  };
}

/** The databases, as each process's role connects to them. */
export type RoleUrls = Record<DatabaseRole, string>;

/** The web server's part: neither the chain's keys nor the processor's rights. */
export function webEnvironment(environment: Environment, urls: RoleUrls | undefined): Environment {
  return {
    ...environment,
    ...(urls && { DATABASE_URL: urls.web, OPERATOR_DATABASE_URL: urls.operator }),
    OPERATOR_PRIVATE_KEYS: undefined,
    ATTESTOR_PRIVATE_KEY: undefined,
    RESOLVER_PRIVATE_KEY: undefined,
    RELAYER_PRIVATE_KEY: undefined,
    VAPID_PRIVATE_KEY: undefined,
  };
}

/** The processor's part: no key that authenticates users. */
export function processorEnvironment(
  environment: Environment,
  urls: RoleUrls | undefined,
): Environment {
  return {
    ...environment,
    ...(urls && { DATABASE_URL: urls.processor }),
    OPERATOR_DATABASE_URL: undefined,
    JWT_SIGNING_KEYS: undefined,
    SAVED_ITEMS_KEYS: undefined,
    FAUCET_PRIVATE_KEY: undefined,
    VAPID_PRIVATE_KEY: undefined,
    ...opsPortAfter(environment, 1),
  };
}

/** The notification sender's part: only the key that signs notifications. */
export function notificationsEnvironment(
  environment: Environment,
  urls: RoleUrls | undefined,
): Environment {
  return {
    ...environment,
    ...(urls && { DATABASE_URL: urls.notifications }),
    OPERATOR_DATABASE_URL: undefined,
    JWT_SIGNING_KEYS: undefined,
    SAVED_ITEMS_KEYS: undefined,
    FAUCET_PRIVATE_KEY: undefined,
    OPERATOR_PRIVATE_KEYS: undefined,
    ATTESTOR_PRIVATE_KEY: undefined,
    RESOLVER_PRIVATE_KEY: undefined,
    RELAYER_PRIVATE_KEY: undefined,
    VENUE_KEY_ID: undefined,
    VENUE_PRIVATE_KEY: undefined,
    KEY_SERVICE_URL: undefined,
    KEY_SERVICE_TOKEN: undefined,
    ...opsPortAfter(environment, 2),
  };
}

/** On one machine two processes cannot listen on the same port. */
function opsPortAfter({ OPS_PORT: first }: Environment, steps: number): Environment {
  return first ? { OPS_PORT: String(Number(first) + steps) } : {};
}

const PLACEHOLDER_ADDRESS: Address = '0x0000000000000000000000000000000000000001';

/**
 * Checks all configured values before anything is started: addresses of the right form are
 * placeholders for embedded parts.
 * @throws {StartProblem} naming every wrong value at once
 */
export function checkEnvironment(environment: Environment, secrets: Secrets, port: number): Config {
  const embedded = embeddedParts(environment);
  const contracts = {
    usdc: PLACEHOLDER_ADDRESS,
    outcomeToken: PLACEHOLDER_ADDRESS,
    swapVault: PLACEHOLDER_ADDRESS,
    settlement: PLACEHOLDER_ADDRESS,
    accountFactory: PLACEHOLDER_ADDRESS,
    passkeyFactory: PLACEHOLDER_ADDRESS,
  };
  try {
    return readConfig(
      serverEnvironment(environment, secrets, {
        port,
        ...(embedded.database && { databaseUrl: 'postgres://localhost/checked-later' }),
        ...(embedded.chain && { chain: { rpcUrl: 'http://127.0.0.1:1', contracts } }),
        ...(embedded.exchange && { exchangeUrl: 'http://127.0.0.1:1' }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new StartProblem(
      error.message,
      'Correct or unset these environment variables (also in .env, if you have one) and start again.',
    );
  }
}
