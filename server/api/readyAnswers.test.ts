import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { ApiKeys, AuthenticatedApiKey } from '../domain/auth/apiKeys.ts';
import { ServiceError } from '../platform/errors.ts';
import type { AccessLine } from './accessLog.ts';
import type { Authority } from './authorize.ts';
import { createCallerBudgets } from './callerBudgets.ts';
import type { HttpDeps } from './deps.ts';
import type { ApiRequest } from './message.ts';
import { type Api, createApi } from './pipeline.ts';
import { RATE_POLICIES } from './rateLimit.ts';
import type { ReadyResponse } from './readyAnswers.ts';
import { route } from './route.ts';
import { createSharedResponses } from './sharedAnswers.ts';
import { FakeFeed } from './testing/feedByHand.ts';

const KEY: AuthenticatedApiKey = {
  id: 'key_s',
  kind: 'test',
  scopes: ['read'],
  origins: ['https://page.test'],
  ipRanges: [],
  ownerAddress: null,
};
const PAGE_KEY: AuthenticatedApiKey = { ...KEY, id: 'key_p', kind: 'pub' };
const ORIGIN_KEY: AuthenticatedApiKey = { ...KEY, id: 'key_b', ipRanges: ['192.0.2.0/24'] };
const KEYS = new Map([
  ['secret', KEY],
  ['page', PAGE_KEY],
  ['bound', ORIGIN_KEY],
]);

let known: Set<string>;
let quoted: { value: number; stands: boolean } | undefined;
let isSuspended: boolean;
let lines: AccessLine[];
let counted: { id: string; isRefused: boolean }[];
let api: Api;

const apiKeys: ApiKeys = {
  async authenticate(key) {
    const found = KEYS.get(key);
    if (!found) throw new ServiceError('api_key_invalid', 'unknown');
    known.add(key);
    return found;
  },
  recall: (key) => (known.has(key) ? KEYS.get(key) : undefined),
  forget: () => undefined,
};

const READ = {
  method: 'GET',
  summary: 'x',
  tags: [],
  auth: { apiKey: 'required', token: 'none', scope: 'read' },
} as const;

const routes = [
  route({
    ...READ,
    path: '/v1/shared/{id}',
    operationId: 'getShared',
    rateClass: 'document',
    shared: ({ id = '' }) => ({ ticker: id }),
    params: z.strictObject({ id: z.string() }),
    response: { schema: z.object({ id: z.string(), text: z.string() }) },
    handler: ({ params }) => ({ id: params.id, text: `${'long '.repeat(300)}ä` }),
  }),
  route({
    ...READ,
    path: '/v1/recalled/{id}',
    operationId: 'getRecalled',
    rateClass: 'quote',
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ times: z.coerce.number().int().default(1) }),
    response: { schema: z.object({ value: z.number() }) },
    available: () => !isSuspended,
    recall({ query }) {
      const now = quoted;
      return now && { value: { value: now.value * query.times }, stands: () => now.stands };
    },
    handler: ({ query }) => ({ value: (quoted?.value ?? 0) * query.times }),
  }),
  route({
    ...READ,
    path: '/v1/plain',
    operationId: 'getPlain',
    rateClass: 'read',
    response: { schema: z.object({}) },
    handler: () => ({}),
  }),
];

beforeEach(() => {
  known = new Set();
  quoted = { value: 7, stands: true };
  isSuspended = false;
  lines = [];
  counted = [];
  const config = { publicBaseUrl: 'https://crossbook.test' };
  api = createApi({
    deps: { config, log: pino({ level: 'info' }, { write: () => true }) } as unknown as HttpDeps,
    routes,
    authority: { apiKeys } as unknown as Authority,
    budgets: createCallerBudgets({ now: () => 0, factors: { network: 10, wallet: 3 } }),
    sharedResponses: createSharedResponses(new FakeFeed()),
    accessLog: (line) => void lines.push(line),
    keyUsage: { note: (id, isRefused) => void counted.push({ id, isRefused }) },
    checkResponses: true,
  });
});

type Asked = { method?: string; key?: string; headers?: Record<string, string> };

function asking(target: string, { method = 'GET', key = 'secret', headers }: Asked = {}) {
  const [path = '', search = ''] = target.split('?', 2);
  const all: Record<string, string> = { 'x-api-key': key, ...headers };
  return {
    method,
    path,
    search,
    header: (name) => all[name],
    ip: '192.0.2.7',
    readBody: () => Promise.resolve(new Uint8Array()),
    signal: new AbortController().signal,
  } satisfies ApiRequest;
}

const handle = (target: string, asked?: Asked) => api.handle(asking(target, asked));
const now = (target: string, asked?: Asked) => api.responseNow?.(asking(target, asked));

/** Headers as an object, without what tells two requests apart. */
function headersOf(answer: ReadyResponse | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < (answer?.headers.length ?? 0); index += 2) {
    headers[answer?.headers[index] ?? ''] = answer?.headers[index + 1] ?? '';
  }
  return headers;
}

const CASES: [string, Asked][] = [
  ['/v1/shared/a', {}],
  ['/v1/shared/a', { headers: { 'accept-encoding': 'gzip' } }],
  ['/v1/shared/a', { headers: { 'if-none-match': '*' } }],
  ['/v1/shared/a', { key: 'page', headers: { 'sec-fetch-site': 'same-origin' } }],
  ['/v1/shared/a', { key: 'bound' }],
  ['/v1/recalled/a?times=3', {}],
];

it.each(CASES)('%s %j is answered at once as it is answered otherwise', async (target, asked) => {
  const slow = await handle(target, asked);
  const fast = now(target, asked);
  const headers = headersOf(fast);
  expect(fast).toMatchObject({ status: slow.status, body: slow.body });
  const { 'x-request-id': _id, ratelimit: _left, 'content-length': length, ...rest } = headers;
  const { 'x-request-id': _slowId, ratelimit: _slowLeft, ...slowRest } = slow.headers;
  expect(rest).toEqual(slowRest);
  expect(length).toBe(slow.body === null ? undefined : String(Buffer.byteLength(fast?.body ?? '')));
  expect(headers['x-request-id']).toMatch(/^req_[0-9a-f]{16}$/);
  const [first, second] = lines;
  expect({ ...second, requestId: '', durationMs: 0 }).toEqual({
    ...first,
    requestId: '',
    durationMs: 0,
  });
  expect(second?.requestId).toBe(headers['x-request-id']);
});

it('both ways count for the key, also what is refused', async () => {
  await handle('/v1/shared/a');
  now('/v1/shared/a');
  await handle('/v1/nothing');
  await handle('/v1/shared/a?unknown=1');
  const id = counted[0]?.id;
  expect(id).toBeTypeOf('string');
  expect(counted).toEqual([
    { id, isRefused: false },
    { id, isRefused: false },
    { id, isRefused: true },
  ]);
});

it('a text that is not ASCII is not sent as if it were', async () => {
  await handle('/v1/shared/a');
  expect(now('/v1/shared/a')).toMatchObject({ encoding: 'utf8' });
  await handle('/v1/recalled/a');
  expect(now('/v1/recalled/a')).toMatchObject({ encoding: 'latin1', body: '{"value":7}' });
});

it.each([
  ['a path without kept answers', '/v1/plain', {}],
  ['a path that does not exist', '/v1/nothing', {}],
  ['another method', '/v1/shared/a', { method: 'HEAD' }],
  ['a page of another origin', '/v1/shared/a', { headers: { origin: 'https://page.test' } }],
  ['an answer that is not known', '/v1/shared/b', {}],
  ['a key that must be looked up', '/v1/shared/a', { key: 'other' }],
  ['a key that may not be used so', '/v1/shared/a', { key: 'page' }],
  ['a question that is not valid', '/v1/recalled/a?times=x', {}],
  ['a parameter given twice', '/v1/recalled/a?times=1&times=2', {}],
] as [string, string, Asked][])('leaves %s to the pipeline', async (_, target, asked) => {
  await handle('/v1/shared/a');
  await handle('/v1/shared/a', { key: 'page', headers: { 'sec-fetch-site': 'same-origin' } });
  const counted = lines.length;
  expect(now(target, asked)).toBeUndefined();
  expect(lines).toHaveLength(counted);
});

it('leaves a path that does not exist with this configuration to the pipeline', async () => {
  await handle('/v1/recalled/a');
  isSuspended = true;
  expect(now('/v1/recalled/a')).toBeUndefined();
});

it('sends the same bytes while what they rest on stands, and others after it', async () => {
  await handle('/v1/recalled/a');
  const before = quoted;
  expect(now('/v1/recalled/a')?.body).toBe('{"value":7}');
  quoted = { value: 8, stands: true };
  expect(now('/v1/recalled/a')?.body).toBe('{"value":7}');
  if (before) before.stands = false;
  expect(now('/v1/recalled/a')?.body).toBe('{"value":8}');
  quoted = { value: 9, stands: false };
  expect(now('/v1/recalled/b')?.body).toBe('{"value":9}');
  quoted = undefined;
  expect(now('/v1/recalled/b')).toBeUndefined();
});

it('counts against the same limit, and leaves the refusal to the pipeline', async () => {
  const { quota } = RATE_POLICIES.document;
  await handle('/v1/shared/a');
  for (let sent = 1; sent < quota; sent += 1) {
    expect(headersOf(now('/v1/shared/a')).ratelimit).toMatch(`"document";r=${quota - sent - 1};`);
  }
  expect(now('/v1/shared/a')).toBeUndefined();
  expect(await handle('/v1/shared/a')).toMatchObject({ status: 429 });
});
