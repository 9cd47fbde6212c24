import { z } from 'zod';
import * as shapes from '#lib/api/schemas/webhook.ts';
import {
  getDelivery,
  listDeliveries,
  replayDelivery,
  sendTestMessage,
} from '../../domain/notifications/webhooks/deliveryLog.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookSecret,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookDeps,
} from '../../domain/notifications/webhooks/manageWebhooks.ts';
import type { TargetPolicy } from '../../domain/notifications/webhooks/target.ts';
import type { HostResolver } from '../../platform/network/hostResolver.ts';
import { webhookSubjectOf } from '../middleware/caller.ts';
import type { Caller } from '../middleware/env.ts';
import { type Route, route } from './route.ts';

type Deps = WebhookDeps & { config: { chain: { sandbox: boolean } }; resolveHost: HostResolver };

const COMMON = { tags: ['Webhooks'], rateClass: 'account' } as const;
const READ = {
  ...COMMON,
  method: 'GET',
  auth: { apiKey: 'required', token: 'optional', scope: 'read' },
} as const;
const CHANGE = {
  ...COMMON,
  auth: { apiKey: 'required', token: 'optional', scope: 'trade' },
} as const;

const path = '/v1/webhooks/{id}';
const params = z.strictObject({ id: shapes.webhookIdSchema });
const deliveryParams = z.strictObject({
  id: shapes.webhookIdSchema,
  deliveryId: shapes.deliveryIdSchema,
});

const policyOf = ({ config, resolveHost }: Deps): TargetPolicy => ({
  allowLocal: config.chain.sandbox,
  resolveHost,
});

/** The webhook or delivery that the path names, for its subject. */
const own = <Params extends object>({
  caller,
  params: named,
}: {
  caller: Caller;
  params: Params;
}) => ({
  subject: webhookSubjectOf(caller),
  ...named,
});

const manageRoutes: Route<Deps>[] = [
  route({
    ...READ,
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description:
      'Newest first: with a bearer token those of the signed-in wallet, without one those of the ' +
      'key.',
    query: shapes.webhookListQuerySchema,
    response: { schema: shapes.webhookListSchema },
    handler: ({ deps, caller, query }) =>
      listWebhooks(deps, { subject: webhookSubjectOf(caller), ...query }),
  }),
  route({
    ...CHANGE,
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'With a bearer token it receives events of every order of the signed-in wallet, without one of every ' +
      'order made with the API key. Messages are signed as in the Standard Webhooks specification and ' +
      'retried for more than a day until the endpoint returns 2xx.',
    status: 201,
    body: shapes.createWebhookRequestSchema,
    response: { schema: shapes.webhookCreatedSchema },
    handler: ({ deps, caller, body }) =>
      createWebhook(deps, {
        subject: webhookSubjectOf(caller),
        request: body,
        policy: policyOf(deps),
      }),
  }),
  route({
    ...READ,
    path,
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    params,
    response: { schema: shapes.webhookResponseSchema },
    handler: async (context) => ({ webhook: await getWebhook(context.deps, own(context)) }),
  }),
  route({
    ...CHANGE,
    method: 'PATCH',
    path,
    operationId: 'updateWebhook',
    summary: 'Change, disable or enable a webhook',
    params,
    body: shapes.updateWebhookRequestSchema,
    response: { schema: shapes.webhookResponseSchema },
    handler: async (context) => ({
      webhook: await updateWebhook(context.deps, {
        ...own(context),
        request: context.body,
        policy: policyOf(context.deps),
      }),
    }),
  }),
  route({
    ...CHANGE,
    method: 'DELETE',
    path,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Its delivery log is deleted too.',
    params,
    response: { schema: shapes.webhookDeletedSchema },
    handler: (context) => deleteWebhook(context.deps, own(context)),
  }),
];

const secretRoutes: Route<Deps>[] = [
  route({
    ...CHANGE,
    method: 'GET',
    path: '/v1/webhooks/{id}/secret',
    operationId: 'getWebhookSecret',
    summary: 'Get the signing secret',
    params,
    response: { schema: shapes.webhookSecretSchema },
    handler: (context) => getWebhookSecret(context.deps, own(context)),
  }),
  route({
    ...CHANGE,
    method: 'POST',
    path: '/v1/webhooks/{id}/rotate',
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the signing secret',
    description: 'During the overlap, messages carry a signature of each secret.',
    params,
    body: shapes.rotateWebhookRequestSchema,
    response: { schema: shapes.webhookSecretSchema },
    handler: (context) => rotateWebhookSecret(context.deps, { ...own(context), ...context.body }),
  }),
];

const deliveryRoutes: Route<Deps>[] = [
  route({
    ...CHANGE,
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description: 'Sends `webhook.test`, whichever event types the webhook receives.',
    params,
    response: { schema: shapes.deliveryResponseSchema },
    handler: (context) => sendTestMessage(context.deps, own(context)),
  }),
  route({
    ...READ,
    path: '/v1/webhooks/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries of a webhook',
    description: 'Newest first; kept for 30 days.',
    params,
    query: shapes.deliveryListQuerySchema,
    response: { schema: shapes.deliveryListSchema },
    handler: (context) => listDeliveries(context.deps, { ...own(context), ...context.query }),
  }),
  route({
    ...READ,
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery with its attempts and its body',
    params: deliveryParams,
    response: { schema: shapes.deliveryResponseSchema },
    handler: (context) => getDelivery(context.deps, own(context)),
  }),
  route({
    ...CHANGE,
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/replay',
    operationId: 'replayWebhookDelivery',
    summary: 'Resend a delivery',
    description: 'With the same ID and body, whether it was delivered or not.',
    params: deliveryParams,
    response: { schema: shapes.deliveryResponseSchema },
    handler: (context) => replayDelivery(context.deps, own(context)),
  }),
];

export const webhookRoutes: Route<Deps>[] = [...manageRoutes, ...secretRoutes, ...deliveryRoutes];
