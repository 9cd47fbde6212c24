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
import { openAccessLog } from './accessLog.ts';
import { adminRoutes } from './admin/routes.ts';
import { createCallerBudgets } from './callerBudgets.ts';
import type { HttpDeps } from './deps.ts';
import { type Api, createApi } from './pipeline.ts';
import { rateLedger } from './rateLedger.ts';
import { createRoutes } from './routes.ts';
import { createSharedResponses } from './sharedAnswers.ts';
import { tracedApi } from './tracedApi.ts';
import { getRuntime } from './webRuntime.ts';

export type OpenApi = Api & {
  /** Ends what streams. */
  close(): void;
  /** Writes what was counted, once the last request is answered. */
  settle(): Promise<void>;
  /** Signs and verifies with other keys from now on. @throws {KeyServiceError} */
  changeKeys(config: SigningConfig): Promise<void>;
};

type SigningConfig = Pick<Config, 'auth' | 'keyService'>;

async function openSigningKeys({ auth, keyService }: SigningConfig): Promise<SigningKeys> {
  const service = keyService && createKeyService(keyService);
  return await readSigningKeys(auth.signingKeysJson, service);
}

/** The API over these parts of the service; `close` ends what streams. */
export async function openApi(deps: HttpDeps): Promise<OpenApi> {
  const authority = {
    apiKeys: createApiKeys(deps.database),
    signingKeys: await openSigningKeys(deps.config),
    realm: tokenRealm(deps.config.publicBaseUrl),
    ownOrigin: new URL(deps.config.publicBaseUrl).origin,
    checkSession: (id: string) => checkSession(deps, id),
  };
  const keyUsage = openKeyUsage(deps);
  const feed = createMarketFeed({ reader: changeReader(deps.database), log: deps.log });
  const streams = createStreamHub({ ...deps, feed, limits: deps.config.streams }, (market) =>
    serializeMarket(market, deps.config.publicBaseUrl),
  );
  const api = createApi({
    deps,
    routes: [...createRoutes({ authority, streams }), ...adminRoutes],
    authority,
    sharedResponses: createSharedResponses(feed),
    accessLog: openAccessLog('web'),
    keyUsage,
    budgets: createCallerBudgets({
      ledger: rateLedger(deps.database),
      factors: deps.config.rateLimits,
    }),
    checkResponses: false,
  });
  return {
    ...tracedApi(api),
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
const shared: typeof globalThis & { crossbookApi?: Promise<OpenApi> | undefined } = globalThis;

/** The API of this process. */
export function getApi(): Promise<OpenApi> {
  const api = shared.crossbookApi ?? getRuntime().then(openApi);
  shared.crossbookApi = api;
  api.catch(() => {
    shared.crossbookApi = undefined;
  });
  return api;
}
