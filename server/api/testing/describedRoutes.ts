import { generateSigningKeyJson, readSigningKeys } from '../../domain/auth/signingKeys.ts';
import { createRoutes } from '../routes/all.ts';
import type { Route } from '../routes/route.ts';

/** All routes, for tests of their declarations: none is called. */
export async function createDescribedRoutes(): Promise<readonly Route<never>[]> {
  return createRoutes({
    authority: {
      apiKeys: {
        authenticate: () => Promise.reject(new Error('not asked')),
        forget: () => undefined,
      },
      signingKeys: await readSigningKeys(await generateSigningKeyJson()),
      ownOrigin: 'https://crossbook.test',
      realm: { issuer: 'i', audience: 'a' },
      checkSession: () => Promise.resolve(),
    },
    streams: {
      open: () => Promise.resolve(new ReadableStream()),
      requireRoom: () => undefined,
      openOn: () => {
        throw new Error('not asked');
      },
      closeAll: () => undefined,
    },
  });
}
