import { z } from 'zod';
import { statusSchema } from '#lib/api/schemas/status.ts';
import { API_VERSION } from '../../platform/config/version.ts';
import { readStatus, type StatusDeps } from '../status/status.ts';
import { describeApi } from './openapi.ts';
import { type Route, route } from './route.ts';

const OPEN = {
  method: 'GET',
  tags: ['Service'],
  auth: { apiKey: 'none', token: 'none' },
  rateClass: 'document',
} as const;

export const statusRoute: Route<StatusDeps> = route({
  ...OPEN,
  path: '/v1/status',
  operationId: 'getStatus',
  summary: 'Get the service status',
  description: 'Current status of the database, exchange, chain and order processing.',
  response: { schema: statusSchema },
  handler: ({ deps }) => readStatus(deps, API_VERSION),
});

/** The description of the whole table, made when it is first asked for. */
export function documentRoute(
  routes: readonly Route<never>[],
): Route<{ config: { publicBaseUrl: string } }> {
  let document: string | undefined;
  return route({
    ...OPEN,
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This description, as OpenAPI 3.1',
    response: { schema: z.looseObject({ openapi: z.string() }) },
    cacheControl: 'public, max-age=60',
    handler({ deps, c }) {
      document ??= JSON.stringify(describeApi(routes, deps.config.publicBaseUrl));
      return c.body(document, 200, { 'content-type': 'application/json; charset=utf-8' });
    },
  });
}
