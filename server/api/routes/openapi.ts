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

Amounts are exact decimal strings. Orders and withdrawals are accepted first and carried out
afterwards; follow them by their id. A \`clientId\` makes a request safe to repeat. Errors are
problem documents (RFC 9457) with a stable \`code\`.`;

const PROBLEM_RESPONSE = {
  description: 'The request was not carried out; the problem says why.',
  content: { 'application/problem+json': { schema: problemSchema } },
  headers: {
    'x-request-id': {
      schema: { type: 'string' as const },
      description: 'Name it when you ask us.',
    },
  },
};

/** In the order in which they are read. */
const TAGS = [
  { name: 'Markets', description: 'Markets, events, search, quotes, order books and prices.' },
  { name: 'Orders', description: 'Orders and withdrawals: made, followed and cancelled.' },
  { name: 'Accounts', description: 'Smart accounts, their grants and settings.' },
  { name: 'Tokens', description: 'Outcome tokens: who holds which, and what they are.' },
  { name: 'Authentication', description: 'Signing in with a wallet.' },
  { name: 'API keys', description: 'Keys of the signed-in wallet.' },
  { name: 'Webhooks', description: 'Being told of what happens, and what was told.' },
  { name: 'Notifications', description: 'Browsers that are told of what happens.' },
  { name: 'Stream', description: 'Updates as they happen, as server-sent events.' },
  { name: 'Exports', description: 'Tables to take home, as CSV.' },
  { name: 'Service', description: 'How the service is, and this description.' },
  { name: 'Sandbox', description: 'Only while the chain is the local one.' },
] as const;

const WEBHOOK_OPERATION: ZodOpenApiOperationObject = {
  operationId: 'receiveMessage',
  summary: 'What a webhook receives',
  description:
    'Signed as in the Standard Webhooks specification, in the headers `webhook-id`, ' +
    '`webhook-timestamp` and `webhook-signature`. Answer with 2xx within ten seconds.',
  tags: ['Webhooks'],
  security: [{}],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: webhookPayloadSchema } },
  },
  responses: { '2XX': { description: 'Taken.' }, '4XX': { description: 'Sent again later.' } },
};

/** Every combination of credentials that a route takes, as OpenAPI lists alternatives. */
function securityOf(route: Route): Record<string, string[]>[] {
  const choices = (need: CredentialNeed, name: string): Record<string, string[]>[] =>
    need === 'none' ? [{}] : need === 'required' ? [{ [name]: [] }] : [{ [name]: [] }, {}];
  return choices(route.auth.apiKey, 'apiKey').flatMap((key) =>
    choices(route.auth.token, 'bearerToken').map((token) => ({ ...key, ...token })),
  );
}

function operationOf(route: Route): ZodOpenApiOperationObject {
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
      [String(route.status ?? 200)]: {
        description: route.responseDescription ?? 'Success.',
        content: success,
      },
      ...(route.cached
        ? { '304': { description: 'What the validator in If-None-Match names still stands.' } }
        : {}),
      '4XX': PROBLEM_RESPONSE,
      '5XX': PROBLEM_RESPONSE,
    },
  };
}

/** The OpenAPI 3.1 document of a table of routes. */
export function describeApi(routes: readonly Route[], publicBaseUrl: string) {
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
  // Answers may gain fields, so a client must not refuse those it does not know.
  return createDocument(document, {
    override({ jsonSchema, io }) {
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
}
