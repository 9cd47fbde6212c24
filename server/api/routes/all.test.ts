import { beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '#lib/api/errorCodes.ts';
import { createDescribedRoutes } from '../testing/describedRoutes.ts';
import { describeApi } from './openapi.ts';
import type { Route } from './route.ts';

/** Every path of the published interface, with its method and the credentials it names. */
const PUBLISHED = [
  ['GET', '/v1/prediction-market/markets', 'key'],
  ['GET', '/v1/prediction-market/markets/{ticker}', 'key'],
  ['GET', '/v1/prediction-market/markets/{ticker}/quote', 'key'],
  ['GET', '/v1/prediction-market/search', 'key'],
  ['GET', '/v1/tokens/portfolio/{address}', 'none'],
  ['GET', '/v1/tokens/market/{marketId}/{side}', 'none'],
  ['GET', '/v1/tokens/{id}', 'none'],
  ['POST', '/v1/order', 'key and token'],
  ['POST', '/v1/order/calldata', 'key'],
  ['POST', '/v1/order/withdraw', 'key and token'],
  ['GET', '/v1/order', 'key'],
  ['GET', '/v1/order/{id}', 'key'],
  ['GET', '/v1/order/by-client-id/{clientId}', 'key'],
  ['GET', '/v1/account', 'key'],
] as const;

let routes: readonly Route<never>[];

beforeAll(async () => {
  routes = await createDescribedRoutes();
});

describe('the table of routes', () => {
  it.each(PUBLISHED)('serves %s %s with %s', (method, path, credentials) => {
    const route = routes.find((one) => one.method === method && one.path === path);
    expect(route?.auth.apiKey).toBe(credentials === 'none' ? 'optional' : 'required');
    expect(route?.auth.token === 'required').toBe(credentials === 'key and token');
  });

  it('names every operation once', () => {
    const names = routes.map((route) => route.operationId);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the OpenAPI document', () => {
  it('describes every route with its credentials, parameters and responses', () => {
    const document = describeApi(routes, 'https://crossbook.test');
    expect(document.openapi).toBe('3.1.1');
    for (const route of routes) {
      const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
      const operation = document.paths?.[route.path]?.[method];
      expect(operation?.operationId).toBe(route.operationId);
      const named = (operation?.parameters ?? []).map((one) => ('name' in one ? one.name : ''));
      for (const [, name = ''] of route.path.matchAll(/\{(\w+)\}/g)) expect(named).toContain(name);
      expect(operation?.responses).toHaveProperty('4XX');
      expect(operation?.security?.length).toBeGreaterThan(0);
    }
  });

  it('names every error code', () => {
    const text = JSON.stringify(describeApi(routes, 'https://crossbook.test'));
    for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`"${code}"`);
  });
});
