import type { Environment } from '#sandbox/environment.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { silentProgress } from '#sandbox/stack/progress.ts';
import { type ServerName, type Stack, startStack } from '#sandbox/stack/startStack.ts';

/** Variables of the caller's environment that must not reach the processes under test. */
const OUR_VARIABLES =
  /^(DATABASE_|NAMES_|CHAIN_|VENUE_|OPS_|VAPID_|OPERATOR_|ATTESTOR_|RESOLVER_|RELAY_|RELAYER_|JWT_|KEY_SERVICE_|COMPLIANCE|SHUTDOWN_|RATE_LIMIT_|STREAMS_|PUBLIC_BASE_URL$|HOST$|PORT$|SANDBOX$|[A-Z_]*_ADDRESS$|[A-Z_]*_PRIVATE_KEYS?$|JWT_SIGNING_KEYS$|PUBLISHABLE_KEY$|SAVED_ITEMS_KEYS$|VITEST|TEST$|NODE_ENV$)/;

/** Proof of absence takes less time than in production, which shortens the tests. */
const QUICK_ABSENCE = {
  EXCHANGE_SIGNATURE_TOLERANCE_SECONDS: '10',
  EXCHANGE_ABSENCE_SECONDS: '16',
};

/**
 * The processes that `npm start` starts, on free ports and on the caller's data folder.
 * @param options.environment additional variables, for instance to replace a part
 * @param options.servers most tests look at orders, which need no notifications
 */
export async function startTestStack(options: {
  dataDir: string;
  environment?: Environment;
  servers?: readonly ServerName[];
}): Promise<Stack> {
  const inherited = Object.entries(process.env).filter(([name]) => !OUR_VARIABLES.test(name));
  return startStack({
    dataDir: options.dataDir,
    port: await anyFreePort(),
    environment: {
      ...Object.fromEntries(inherited),
      ...QUICK_ABSENCE,
      EXCHANGE_MAINTENANCE: 'none',
      ...options.environment,
    },
    progress: silentProgress,
    innerPorts: 'any',
    servers: options.servers ?? ['processor', 'web'],
  });
}
