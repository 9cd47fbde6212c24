import { z } from 'zod';
import * as shapes from '#lib/api/schemas/push.ts';
import {
  type PushDeps,
  readPushState,
  subscribeBrowser,
  unsubscribeBrowser,
} from '../../domain/notifications/push/subscriptions.ts';
import type { HostResolver } from '../../platform/network/hostResolver.ts';
import { ownerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

type Deps = PushDeps & { config: { chain: { sandbox: boolean } }; resolveHost: HostResolver };

const COMMON = {
  tags: ['Notifications'],
  auth: { apiKey: 'required', token: 'required', scope: 'read' },
  rateClass: 'account',
} as const;

export const pushRoutes: Route<Deps>[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/v1/push',
    operationId: 'getPushState',
    summary: 'List notified browsers',
    description:
      'The key to subscribe a browser with (Web Push, RFC 8030 and 8292), and the browsers of the ' +
      'signed-in wallet.',
    response: { schema: shapes.pushStateSchema },
    handler: ({ deps, caller }) => readPushState(deps, ownerOf(caller)),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/v1/push',
    operationId: 'subscribePush',
    summary: 'Notify a browser',
    description:
      'Sends an encrypted notification (RFC 8291) when an order or a withdrawal of the ' +
      'signed-in wallet ends and when a market in which it holds contracts resolves. Repeating ' +
      'it has no effect. It ends with DELETE, with signing out everywhere, and when the push service ' +
      'reports the browser as gone.',
    status: 201,
    body: shapes.subscribePushRequestSchema,
    response: { schema: shapes.pushSubscribedSchema },
    handler: async ({ deps, caller, body }) => ({
      subscription: await subscribeBrowser(deps, {
        owner: ownerOf(caller),
        request: body,
        policy: { allowLocal: deps.config.chain.sandbox, resolveHost: deps.resolveHost },
      }),
    }),
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/v1/push/{id}',
    operationId: 'unsubscribePush',
    summary: 'Stop notifying a browser',
    params: z.strictObject({ id: shapes.pushSubscriptionIdSchema }),
    response: { schema: shapes.pushUnsubscribedSchema },
    handler: async ({ deps, caller, params: { id } }) => {
      await unsubscribeBrowser(deps, { owner: ownerOf(caller), id });
      return { success: true, id };
    },
  }),
];
