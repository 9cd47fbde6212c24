import type { ZodObject } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { problemSchema } from '#lib/api/schemas/problem.ts';
import { webhookPayloadSchema } from '#lib/api/schemas/webhook.ts';
import { API_VERSION } from '../../platform/config/version.ts';
import type { CredentialNeed } from '../middleware/authenticate.ts';
import type { Route } from './route.ts';

const DESCRIPTION = `Trade outcome tokens of prediction markets against USDC from a smart account.

Amounts are exact decimal strings. Orders and withdrawals are accepted first and executed asynchronously; track them by ID. A \`clientId\` makes a request safe to retry. Errors are
problem documents (RFC 9457) with a stable \`code\`.`;

const PROBLEM_RESPONSE = {
  description: 'The request failed; the problem document says why.',
  content: { 'application/problem+json': { schema: problemSchema } },
  headers: {
    'x-request-id': {
      schema: { type: 'string' as const },
      description: 'Include it in support requests.',
    },
  },
};

const TAGS = [
  { name: 'Markets', description: 'Markets, events, search, quotes, order books and prices.' },
  { name: 'Orders', description: 'Place, track and cancel orders and withdrawals.' },
  { name: 'Accounts', description: 'Smart accounts, their grants and settings.' },
  { name: 'Tokens', description: 'Outcome tokens: holders and metadata.' },
  { name: 'Authentication', description: 'Sign in with a wallet.' },
  { name: 'API keys', description: 'API keys of the signed-in wallet.' },
  { name: 'Webhooks', description: 'Receive events at your endpoint.' },
  { name: 'Notifications', description: 'Push notifications in browsers.' },
  { name: 'Stream', description: 'Live updates as server-sent events or over a WebSocket.' },
  { name: 'Exports', description: 'Download tables as CSV.' },
  { name: 'Service', description: 'Service status and this API description.' },
  { name: 'Sandbox', description: 'Sandbox only.' },
] as const;

const WEBHOOK_OPERATION: ZodOpenApiOperationObject = {
  operationId: 'receiveMessage',
  summary: 'What a webhook receives',
  description:
    'Signed as in the Standard Webhooks specification, in the headers `webhook-id`, ' +
    '`webhook-timestamp` and `webhook-signature`. Respond with 2xx within ten seconds.',
  tags: ['Webhooks'],
  security: [{}],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: webhookPayloadSchema } },
  },
  responses: { '2XX': { description: 'Accepted.' }, '4XX': { description: 'Retried later.' } },
};

/** Every combination of credentials that a route takes, as OpenAPI lists alternatives. */
function securityOf(route: Route<never>): Record<string, string[]>[] {
  const choices = (need: CredentialNeed, name: string): Record<string, string[]>[] =>
    need === 'none' ? [{}] : need === 'required' ? [{ [name]: [] }] : [{ [name]: [] }, {}];
  return choices(route.auth.apiKey, 'apiKey').flatMap((key) =>
    choices(route.auth.token, 'bearerToken').map((token) => ({ ...key, ...token })),
  );
}

function operationOf(route: Route<never>): ZodOpenApiOperationObject {
  const { params, query, body } = route.schemas;
  const { response } = route;
  const success = response.schema
    ? { 'application/json': { schema: response.schema } }
    : { [response.contentType]: { schema: { type: 'string' as const } } };
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [...route.tags],
    security: securityOf(route),
    requestParams: {
      ...(params ? { path: params as ZodObject } : {}),
      ...(query ? { query: query as ZodObject } : {}),
    },
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } }
      : {}),
    responses: {
      ...(route.isHandshake
        ? { '101': { description: 'The connection is a WebSocket from here on.' } }
        : {
            [String(route.status ?? 200)]: {
              description: route.responseDescription ?? 'Success.',
              content: success,
            },
          }),
      ...(route.cached
        ? { '304': { description: 'Not modified: the ETag in If-None-Match is current.' } }
        : {}),
      '4XX': PROBLEM_RESPONSE,
      '5XX': PROBLEM_RESPONSE,
    },
  };
}

/** The OpenAPI 3.1 document of a table of routes. */
export function describeApi(routes: readonly Route<never>[], publicBaseUrl: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(route),
    };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Crossbook',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicBaseUrl }],
    tags: [...TAGS],
    paths,
    webhooks: { message: { post: WEBHOOK_OPERATION } },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearerToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  };
  // Responses may gain fields, so clients must accept unknown ones.
  return createDocument(document, {
    override({ jsonSchema, io }) {
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
}
