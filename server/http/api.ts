import { tokenRealm } from '../auth/accessTokens.ts';
import { createApiKeys } from '../auth/apiKeys.ts';
import { readSigningKeys } from '../auth/signingKeys.ts';
import { getRuntime } from '../runtime.ts';
import type { HttpDeps } from './deps.ts';
import { type Api, createApi } from './pipeline.ts';
import { createMemoryRateLimiter } from './rateLimit.ts';
import { createRoutes } from './routes.ts';

/** The API over these parts of the service. */
export async function openApi(deps: HttpDeps): Promise<Api> {
  const authority = {
    apiKeys: createApiKeys(deps.database),
    signingKeys: await readSigningKeys(deps.config.auth.signingKeysJson),
    realm: tokenRealm(deps.config.publicBaseUrl),
  };
  return createApi({
    deps,
    routes: createRoutes(authority),
    authority,
    rateLimiter: createMemoryRateLimiter(),
    checkAnswers: false,
  });
}

// The development server may load this module more than once; limits and caches exist once.
const shared: typeof globalThis & { crossbookApi?: Promise<Api> | undefined } = globalThis;

/** The API of this process. */
export function getApi(): Promise<Api> {
  const api = shared.crossbookApi ?? getRuntime().then(openApi);
  shared.crossbookApi = api;
  api.catch(() => {
    shared.crossbookApi = undefined;
  });
  return api;
}
