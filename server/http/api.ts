import { tokenRealm } from '../auth/accessTokens.ts';
import { createApiKeys } from '../auth/apiKeys.ts';
import { checkSession } from '../auth/sessions.ts';
import { readSigningKeys } from '../auth/signingKeys.ts';
import { getRuntime } from '../runtime.ts';
import { createStreamHub } from '../stream/streamHub.ts';
import { marketAnswer } from './answers/market.ts';
import type { HttpDeps } from './deps.ts';
import { type Api, createApi } from './pipeline.ts';
import { rateLedger } from './rateLedger.ts';
import { createRateLimiter } from './rateLimit.ts';
import { createRoutes } from './routes.ts';

export type OpenApi = Api & { close(): void };

/** The API over these parts of the service; `close` ends what streams. */
export async function openApi(deps: HttpDeps): Promise<OpenApi> {
  const authority = {
    apiKeys: createApiKeys(deps.database),
    signingKeys: await readSigningKeys(deps.config.auth.signingKeysJson),
    realm: tokenRealm(deps.config.publicBaseUrl),
    checkSession: (id: string) => checkSession(deps, id),
  };
  const streams = createStreamHub(deps, (market) =>
    marketAnswer(market, deps.config.publicBaseUrl),
  );
  const api = createApi({
    deps,
    routes: createRoutes({ authority, streams }),
    authority,
    rateLimiter: createRateLimiter({ ledger: rateLedger(deps.database) }),
    checkAnswers: false,
  });
  return { ...api, close: () => streams.closeAll() };
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
