import { parseEnvironment, publicBaseUrlOf } from '../platform/config/config.ts';
import { environmentSchema } from '../platform/config/environment.ts';
import { readPush } from '../platform/config/push.ts';

/** What the sender of notifications takes from outside: no key of chain, exchange or tokens. */
const notificationsSchema = environmentSchema.pick({
  PORT: true,
  PUBLIC_BASE_URL: true,
  LOG_LEVEL: true,
  OPS_HOST: true,
  OPS_PORT: true,
  DNS_SERVERS: true,
  DATABASE_URL: true,
  DATABASE_DIRECT_URL: true,
  DATABASE_MAX_CONNECTIONS: true,
  SANDBOX: true,
  VAPID_PUBLIC_KEY: true,
  VAPID_PRIVATE_KEY: true,
  VAPID_SUBJECT: true,
});

/** @throws {ConfigError} */
export function readNotificationsConfig(environment: Record<string, string | undefined>) {
  const env = parseEnvironment(notificationsSchema, environment, () => []);
  return {
    logLevel: env.LOG_LEVEL,
    ops: { host: env.OPS_HOST, port: env.OPS_PORT },
    dnsServers: env.DNS_SERVERS,
    database: {
      url: env.DATABASE_URL,
      maxConnections: env.DATABASE_MAX_CONNECTIONS,
      isPooled: (env.DATABASE_DIRECT_URL ?? env.DATABASE_URL) !== env.DATABASE_URL,
    },
    isSandbox: env.SANDBOX,
    push: readPush({ ...env, publicBaseUrl: publicBaseUrlOf(env) }),
  };
}
