import { authenticateAdmin } from '../domain/admin/admins.ts';
import { tokenRealm } from '../domain/auth/accessTokens.ts';
import { createApiKeys } from '../domain/auth/apiKeys.ts';
import { openKeyUsage } from '../domain/auth/keyUsage.ts';
import { checkSession } from '../domain/auth/sessions.ts';
import { readSigningKeys, type SigningKeys } from '../domain/auth/signingKeys.ts';
import { changeReader, createMarketFeed } from '../domain/markets/catalogue/changes/marketFeed.ts';
import { serializeMarket } from '../domain/markets/serializeMarket.ts';
import { createStreamHub } from '../domain/notifications/stream/streamHub.ts';
import type { Config } from '../platform/config/config.ts';
import { createKeyService } from '../platform/keys/keyService.ts';
import type { Runtime } from '../runtime.ts';
import { adminRoutes } from './admin/routes.ts';
import { type App, createApp } from './app.ts';
import { openAccessLog } from './middleware/accessLog.ts';
import { createCallerBudgets, rateLedger } from './middleware/callerBudgets.ts';
import { createResponseCache } from './middleware/responseCache.ts';
import { createRoutes } from './routes/all.ts';
import { withDeps } from './routes/route.ts';
import { getRuntime } from './webRuntime.ts';

export type Api = App & {
  /** Ends all streams. */
  close(): void;
  /** Stores the counted key usage; call it after the last request. */
  settle(): Promise<void>;
  /** Replaces the signing keys. @throws {KeyServiceError} */
  changeKeys(config: SigningConfig): Promise<void>;
};

type SigningConfig = Pick<Config, 'auth' | 'keyService'>;

async function openSigningKeys({ auth, keyService }: SigningConfig): Promise<SigningKeys> {
  const service = keyService && createKeyService(keyService);
  return await readSigningKeys(auth.signingKeysJson, service);
}

/** The API over these parts of the service. */
export async function createApi(runtime: Runtime): Promise<Api> {
  const { config, database, adminDatabase, log } = runtime;
  const authority = {
    apiKeys: createApiKeys(database),
    signingKeys: await openSigningKeys(config),
    realm: tokenRealm(config.publicBaseUrl),
    ownOrigin: new URL(config.publicBaseUrl).origin,
    checkSession: (id: string) => checkSession({ database }, id),
  };
  const keyUsage = openKeyUsage({ database, log });
  const feed = createMarketFeed({ reader: changeReader(database), log });
  const streams = createStreamHub(
    { database, log, feed, liveMarkets: runtime.liveMarkets, limits: config.streams },
    (market) => serializeMarket(market, config.publicBaseUrl),
  );
  const { fetch } = createApp({
    scope: config,
    log,
    findAdmin: (token) => authenticateAdmin({ database }, token),
    routes: [
      ...withDeps(runtime, createRoutes({ authority, streams })),
      // The role of the web server may not do what admins may.
      ...withDeps({ ...runtime, database: adminDatabase }, adminRoutes),
    ],
    authority,
    cache: createResponseCache(feed),
    accessLog: openAccessLog('web'),
    keyUsage,
    budgets: createCallerBudgets({
      ledger: rateLedger(database),
      factors: config.rateLimits,
    }),
    checkResponses: false,
  });
  return {
    fetch,
    close: () => {
      streams.closeAll();
      feed.stop();
    },
    settle: () => keyUsage.close(),
    changeKeys: async (config) => {
      authority.signingKeys = await openSigningKeys(config);
    },
  };
}

// The development server may load this module more than once; limits and caches exist once.
const shared: typeof globalThis & { crossbookApi?: Promise<Api> | undefined } = globalThis;

/** The API of this process. */
export function getApi(): Promise<Api> {
  const api = shared.crossbookApi ?? getRuntime().then(createApi);
  shared.crossbookApi = api;
  api.catch(() => {
    shared.crossbookApi = undefined;
  });
  return api;
}
