import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { problemSchema } from '#lib/api/schemas/problem.ts';
import { issueAccessToken, tokenRealm } from '../domain/auth/accessTokens.ts';
import { type ApiKeys, type AuthenticatedApiKey, generateApiKey } from '../domain/auth/apiKeys.ts';
import {
  generateSigningKeyJson,
  readSigningKeys,
  type SigningKeys,
} from '../domain/auth/signingKeys.ts';
import { ServiceError } from '../platform/errors.ts';
import { type App, createApp } from './app.ts';
import { createCallerBudgets } from './middleware/callerBudgets.ts';
import { RATE_POLICIES } from './middleware/rateLimit.ts';
import { createResponseCache } from './middleware/responseCache.ts';
import { route } from './routes/route.ts';
import { FakeFeed } from './testing/fakeFeed.ts';

const BASE_URL = 'https://crossbook.test';
const PAGE = 'https://page.test';
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SECRET = generateApiKey('test');
const READ_ONLY = generateApiKey('live');
const PUBLIC = generateApiKey('pub');
const realm = tokenRealm(BASE_URL);

const KEYS = new Map<string, AuthenticatedApiKey>([
  [
    SECRET,
    {
      id: 'key_s',
      kind: 'test',
      scopes: ['read', 'trade', 'withdraw'],
      origins: [],
      ipRanges: [],
      ownerAddress: null,
    },
  ],
  [
    READ_ONLY,
    { id: 'key_r', kind: 'live', scopes: ['read'], origins: [], ipRanges: [], ownerAddress: null },
  ],
  [
    PUBLIC,
    {
      id: 'key_p',
      kind: 'pub',
      scopes: ['read', 'trade'],
      origins: [PAGE],
      ipRanges: [],
      ownerAddress: null,
    },
  ],
]);

const endedSessions = new Set<string>();
let momentsMade = 0;

const apiKeys: ApiKeys = {
  async authenticate(key) {
    const found = KEYS.get(key);
    if (!found) throw new ServiceError('api_key_invalid', 'unknown');
    return found;
  },
  forget: () => undefined,
};

const routes = [
  route({
    method: 'GET',
    path: '/v1/things/{id}',
    operationId: 'getThing',
    summary: 'x',
    tags: [],
    auth: { apiKey: 'required', token: 'optional', scope: 'read' },
    rateClass: 'read',
    params: z.strictObject({ id: z.string().regex(/^[a-z]+$/) }),
    query: z.strictObject({ limit: z.coerce.number().int().max(10).default(3) }),
    response: { schema: z.object({ id: z.string(), limit: z.number(), owner: z.string() }) },
    handler: ({ params, query, caller }) => ({
      id: params.id,
      limit: query.limit,
      owner: caller.owner ?? '',
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/moments/{id}',
    operationId: 'getMoment',
    summary: 'x',
    tags: [],
    auth: { apiKey: 'required', token: 'none', scope: 'read' },
    rateClass: 'read',
    reusable: true,
    params: z.strictObject({ id: z.string() }),
    response: { schema: z.object({ made: z.number() }) },
    handler({ params, c }) {
      momentsMade += 1;
      c.set('reusableUntil', params.id === 'past' ? 0 : Date.now() + 60_000);
      return { made: momentsMade };
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/things/fixed',
    operationId: 'putFixed',
    summary: 'x',
    tags: [],
    auth: { apiKey: 'none', token: 'none' },
    rateClass: 'read',
    response: { schema: z.object({}) },
    handler: () => ({}),
  }),
  route({
    method: 'POST',
    path: '/v1/things',
    operationId: 'createThing',
    summary: 'x',
    tags: [],
    auth: { apiKey: 'required', token: 'required', scope: 'trade' },
    rateClass: 'faucet',
    body: z.strictObject({ deep: z.strictObject({ amount: z.string().max(4) }) }),
    response: { schema: z.object({ amount: z.string() }) },
    handler: ({ body }) => ({ amount: body.deep.amount }),
  }),
  route({
    method: 'GET',
    path: '/v1/broken',
    operationId: 'break',
    summary: 'x',
    tags: [],
    auth: { apiKey: 'none', token: 'none' },
    rateClass: 'read',
    response: { schema: z.object({}) },
    handler: () => {
      throw new Error('connection to secret-host refused');
    },
  }),
  route({
    method: 'GET',
    path: '/v1/untrue',
    operationId: 'lie',
    summary: 'x',
    tags: [],
    auth: { apiKey: 'none', token: 'none' },
    rateClass: 'read',
    response: { schema: z.object({ at: z.iso.datetime() }) },
    handler: () => ({ at: 'yesterday' }),
  }),
];

let signingKeys: SigningKeys;
let api: App;
const logged: string[] = [];

beforeAll(async () => {
  signingKeys = await readSigningKeys(await generateSigningKeyJson());
  api = newApi();
});

function newApi(table = routes): App {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const scope = { publicBaseUrl: BASE_URL, wallets: { baseAccount: false } };
  const authority = {
    apiKeys,
    signingKeys,
    realm,
    ownOrigin: BASE_URL,
    async checkSession(id: string) {
      if (endedSessions.has(id)) throw new ServiceError('token_invalid', 'ended');
    },
  };
  const cache = createResponseCache(new FakeFeed());
  // A stopped clock: no quota returns while a test is slow.
  const budgets = createCallerBudgets({ now: () => 0, factors: { network: 2, wallet: 2 } });
  return createApp({
    scope,
    log,
    routes: table,
    authority,
    findAdmin: () => Promise.reject(new Error('not asked')),
    budgets,
    cache,
    checkResponses: true,
  });
}

type Call = { method?: string; headers?: Record<string, string>; body?: string; api?: App };
type Received = { status: number; headers: Record<string, string>; body: string | null };

async function call(target: string, options: Call = {}): Promise<Received> {
  const [path = '', search = ''] = target.split('?', 2);
  const { method = 'GET', headers = {}, body } = options;
  const request = new Request(`${BASE_URL}${target}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const connection = { path, search, ip: '127.0.0.1', peer: '127.0.0.1' };
  const response = await (options.api ?? api).fetch(request, connection);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.body === null ? null : await response.text(),
  };
}

const keyed = (key = SECRET) => ({ 'x-api-key': key });

async function post(body: string, headers: Record<string, string> = {}) {
  const { token } = await issueAccessToken(signingKeys, realm, OWNER);
  return call('/v1/things', {
    method: 'POST',
    api: newApi(),
    headers: {
      ...keyed(),
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
}

function textOf({ body }: Received): string {
  if (body === null) throw new Error('the response has no body');
  return body;
}

/** Checks the form of an error response and returns its document. */
function problemOf(response: Received) {
  expect(response.headers['content-type']).toBe('application/problem+json');
  const problem = problemSchema.parse(JSON.parse(textOf(response)));
  expect(problem.status).toBe(response.status);
  expect(problem.requestId).toBe(response.headers['x-request-id']);
  expect(problem.type).toBe(`${BASE_URL}/docs/errors/${problem.code}`);
  return problem;
}

describe('a request that is fine', () => {
  it('returns JSON with the headers of every response', async () => {
    const response = await call('/v1/things/abc?limit=4', { headers: keyed() });
    expect(response.status).toBe(200);
    expect(JSON.parse(textOf(response))).toEqual({ id: 'abc', limit: 4, owner: '' });
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'ratelimit-policy': `"read";q=${RATE_POLICIES.read.quota};w=60`,
    });
    expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-f]{16}$/);
  });

  it('returns no body to HEAD', async () => {
    const response = await call('/v1/things/abc', { method: 'HEAD', headers: keyed() });
    expect(response).toMatchObject({ status: 200, body: null });
  });

  it('carries the wallet of the bearer token', async () => {
    const { token } = await issueAccessToken(signingKeys, realm, OWNER);
    const headers = { ...keyed(), authorization: `Bearer ${token}` };
    const response = await call('/v1/things/abc', { headers });
    expect(JSON.parse(textOf(response))).toMatchObject({ owner: OWNER });
  });

  it('is refused from the moment its session has ended', async () => {
    const { token, sessionId } = await issueAccessToken(signingKeys, realm, OWNER);
    const headers = { ...keyed(), authorization: `Bearer ${token}` };
    expect((await call('/v1/things/abc', { headers })).status).toBe(200);
    endedSessions.add(sessionId);
    const refused = problemOf(await call('/v1/things/abc', { headers }));
    expect(refused).toMatchObject({ status: 401, code: 'token_invalid' });
  });
});

describe('a response that may be reused for a moment', () => {
  const made = async (target: string, headers = keyed()) => {
    const response = await call(target, { headers });
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'origin' });
    expect(response.headers.etag).toBeUndefined();
    return JSON.parse(textOf(response)).made as number;
  };

  it('given the same question in time, is the same for every caller', async () => {
    const first = await made('/v1/moments/a');
    expect(await made('/v1/moments/a', keyed(READ_ONLY))).toBe(first);
    expect(await made('/v1/moments/b')).not.toBe(first);
  });

  it('given the same question later, is made anew', async () => {
    const first = await made('/v1/moments/past');
    expect(await made('/v1/moments/past')).not.toBe(first);
  });

  it('given no key or an unknown parameter, is refused', async () => {
    await made('/v1/moments/a');
    expect(problemOf(await call('/v1/moments/a')).code).toBe('api_key_missing');
    const unknown = await call('/v1/moments/a?x=1', { headers: keyed() });
    expect(problemOf(unknown).code).toBe('invalid_request');
  });
});

describe('400', () => {
  it.each([
    ['an unknown parameter', '/v1/things/abc?limti=4', '/query/limti'],
    ['a parameter given twice', '/v1/things/abc?limit=4&limit=5', '/query/limit'],
    ['a value out of bounds', '/v1/things/abc?limit=11', '/query/limit'],
    ['a value of another type', '/v1/things/abc?limit=1e999', '/query/limit'],
    ['a broken escape', '/v1/things/abc?limit=%zz', '/query'],
    ['a prototype as parameter', '/v1/things/abc?__proto__=1', '/query/__proto__'],
    ['a path parameter that does not fit', '/v1/things/ABC', '/path/id'],
  ])('for %s', async (_, target, pointer) => {
    const problem = problemOf(await call(target, { headers: keyed() }));
    expect(problem.code).toBe('invalid_request');
    expect(problem.errors.map((error) => error.pointer)).toContain(pointer);
  });

  it.each([
    ['a missing field', '{}', '/deep'],
    ['a field of another type', '{"deep":{"amount":5}}', '/deep/amount'],
    ['an unknown field', '{"deep":{"amount":"5"},"x/y":1}', '/x~1y'],
    ['a prototype as field', '{"deep":{"amount":"5"},"__proto__":{"a":1}}', '/__proto__'],
    ['no object', '[]', ''],
    ['a text that is too long', '{"deep":{"amount":"55555"}}', '/deep/amount'],
    ['deep nesting', `{"deep":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, '/deep'],
  ])('for a body with %s', async (_, body, pointer) => {
    const problem = problemOf(await post(body));
    expect(problem.code).toBe('invalid_request');
    expect(problem.errors.map((error) => error.pointer)).toContain(pointer);
  });

  it.each([
    ['{"deep":{}}', 'is required'],
    ['{"deep":{"amount":5}}', 'must be of type string'],
  ])('for the body %s with the detail that the field %s', async (body, detail) => {
    const { errors } = problemOf(await post(body));
    expect(errors).toContainEqual({ pointer: '/deep/amount', detail });
  });

  it.each(['', '{', 'nul', '{"a":1e}', '\u0000'])('for the malformed body %j', async (body) => {
    expect(problemOf(await post(body)).code).toBe('malformed_json');
  });
});

describe('401', () => {
  it('without a key', async () => {
    const response = await call('/v1/things/abc');
    expect(problemOf(response).code).toBe('api_key_missing');
    expect(response.headers['www-authenticate']).toBe('ApiKey header="x-api-key"');
  });

  it('for an unknown key', async () => {
    const response = await call('/v1/things/abc', { headers: keyed(generateApiKey('test')) });
    expect(problemOf(response).code).toBe('api_key_invalid');
  });

  it('without a token where one is required', async () => {
    const response = await call('/v1/things', { method: 'POST', headers: keyed() });
    expect(problemOf(response).code).toBe('token_missing');
  });

  it('for a token that is no longer valid, for others, unsigned or not a token', async () => {
    const past = new Date(Date.now() - 3_600_000);
    const foreign = await readSigningKeys(await generateSigningKeyJson());
    const { token: good } = await issueAccessToken(signingKeys, realm, OWNER);
    const [, payload = ''] = good.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const tokens = [
      (await issueAccessToken(signingKeys, realm, OWNER, past)).token,
      (await issueAccessToken(foreign, realm, OWNER)).token,
      (await issueAccessToken(signingKeys, tokenRealm('https://other.test'), OWNER)).token,
      (await issueAccessToken(signingKeys, { ...realm, audience: 'x' }, OWNER)).token,
      `${none}.${payload}.`,
      `${good.slice(0, -4)}AAAA`,
      'abc',
    ];
    for (const token of tokens) {
      const headers = { ...keyed(), authorization: `Bearer ${token}` };
      expect(problemOf(await call('/v1/things/abc', { headers })).code, token).toBe(
        'token_invalid',
      );
    }
  });
});

describe('403', () => {
  it('for a key without the scope', async () => {
    const response = await call('/v1/things', { method: 'POST', headers: keyed(READ_ONLY) });
    expect(problemOf(response).code).toBe('forbidden');
  });

  it('for the public key of a page outside that page', async () => {
    const outside = await call('/v1/things/abc', { headers: keyed(PUBLIC) });
    expect(problemOf(outside).code).toBe('forbidden');
    const headers = { ...keyed(PUBLIC), origin: 'https://evil.test' };
    const elsewhere = await call('/v1/things/abc', { headers });
    expect(problemOf(elsewhere).code).toBe('origin_not_allowed');
  });

  it('not for the page itself', async () => {
    const cases: Record<string, string>[] = [{ origin: PAGE }, { 'sec-fetch-site': 'same-origin' }];
    for (const extra of cases) {
      const response = await call('/v1/things/abc', { headers: { ...keyed(PUBLIC), ...extra } });
      expect(response.status).toBe(200);
    }
  });

  it('for a secret key in a page of an origin that it does not name', async () => {
    const response = await call('/v1/things/abc', { headers: { ...keyed(), origin: PAGE } });
    expect(problemOf(response).code).toBe('origin_not_allowed');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('not for any key in our own pages', async () => {
    const response = await call('/v1/things/abc', { headers: { ...keyed(), origin: BASE_URL } });
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe(BASE_URL);
  });
});

describe('404, 405, 413, 415, 429 and 500', () => {
  it.each(['/v1', '/v1/', '/v1/nothing', '/v1/things/', '/v1/things/abc/', '/v1/things/%ff'])(
    'nothing at %s',
    async (path) => {
      expect(problemOf(await call(path, { headers: keyed() })).code).toBe('not_found');
    },
  );

  it('names the methods that a path takes', async () => {
    const response = await call('/v1/things/abc', { method: 'DELETE', headers: keyed() });
    expect(problemOf(response).code).toBe('method_not_allowed');
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it('prefers a fixed path to a parameter', async () => {
    const response = await call('/v1/things/fixed', { headers: keyed() });
    expect(problemOf(response).code).toBe('method_not_allowed');
    expect(response.headers.allow).toBe('PUT, OPTIONS');
    const options = await call('/v1/things/abc', { method: 'OPTIONS' });
    expect(options).toMatchObject({ status: 204, body: null });
    expect(options.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it('matches a path as it was sent', async () => {
    const response = await call('/v1/%74hings/abc', { headers: keyed() });
    expect(problemOf(response).code).toBe('not_found');
  });

  it('refuses two routes of one method and path', () => {
    const [first] = routes;
    if (!first) throw new Error('there are routes');
    expect(() => newApi([...routes, first])).toThrow('GET /v1/things/{id} is declared twice');
  });

  it('refuses a body that is too large', async () => {
    const response = await post(JSON.stringify({ deep: { amount: 'x'.repeat(70_000) } }));
    expect(problemOf(response).code).toBe('body_too_large');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    'refuses a body of type %s',
    async (contentType) => {
      const response = await post('{}', { 'content-type': contentType });
      expect(problemOf(response).code).toBe('unsupported_media_type');
    },
  );

  it('given too many requests, says when to retry', async () => {
    const limited = newApi();
    let response = await call('/v1/things', { method: 'POST', headers: keyed(), api: limited });
    for (let sent = 0; sent < RATE_POLICIES.faucet.quota; sent++) {
      response = await call('/v1/things', { method: 'POST', headers: keyed(), api: limited });
    }
    expect(problemOf(response).code).toBe('rate_limited');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(response.headers.ratelimit).toMatch(/^"faucet";r=0;t=\d+$/);
    const other = await call('/v1/things/abc', { headers: keyed(READ_ONLY), api: limited });
    expect(other.status).toBe(200);
  });

  it('limits guesses of keys by address', async () => {
    const limited = newApi();
    const codes = new Set<string>();
    for (let sent = 0; sent <= RATE_POLICIES.faucet.quota; sent++) {
      const headers = keyed(generateApiKey('test'));
      const response = await call('/v1/things', { method: 'POST', headers, api: limited });
      codes.add(problemOf(response).code);
    }
    expect(codes).toEqual(new Set(['api_key_invalid', 'rate_limited']));
  });

  it('keeps what went wrong inside to itself and to the log', async () => {
    const response = await call('/v1/broken');
    expect(problemOf(response).code).toBe('internal_error');
    expect(textOf(response)).not.toContain('secret-host');
    expect(logged.join('')).toContain('secret-host');
  });

  it('does not return what the declared shape forbids', async () => {
    expect(problemOf(await call('/v1/untrue')).code).toBe('internal_error');
  });
});

describe('pages of other origins', () => {
  const preflight = (origin: string) =>
    call('/v1/things', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  it('may ask what they may send, since a preflight names no key', async () => {
    for (const origin of [PAGE, 'https://evil.test']) {
      const response = await preflight(origin);
      expect(response.status).toBe(204);
      expect(response.body).toBeNull();
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers':
          'authorization, content-type, x-api-key, last-event-id, if-none-match',
        vary: 'origin',
      });
    }
  });

  it('may read a response only where the key of the request names them', async () => {
    const originOf = async (path: string, headers: Record<string, string>) =>
      (await call(path, { headers })).headers['access-control-allow-origin'];
    const inPage = { origin: PAGE };
    expect(await originOf('/v1/things/abc', { ...keyed(PUBLIC), ...inPage })).toBe(PAGE);
    // Another key names this origin; that is none of this key's affair.
    expect(await originOf('/v1/things/abc', { ...keyed(), ...inPage })).toBeUndefined();
    expect(await originOf('/v1/broken', inPage)).toBeUndefined();
    expect(await originOf('/v1/broken', { ...keyed(PUBLIC), ...inPage })).toBe(PAGE);
    // An error of an allowed page can be read by it.
    expect(await originOf('/v1/things/ABC', { ...keyed(PUBLIC), ...inPage })).toBe(PAGE);
  });
});

describe('budgets above the key', () => {
  const post = (limited: App, headers: Record<string, string>) =>
    call('/v1/things', { method: 'POST', headers, api: limited });
  const { quota } = RATE_POLICIES.faucet;

  async function countTaken(limited: App, keys: readonly string[]): Promise<number> {
    let taken = 0;
    for (const key of keys) {
      for (let sent = 0; sent < quota; sent++) {
        const response = await post(limited, keyed(key));
        if (problemOf(response).code !== 'rate_limited') taken += 1;
      }
    }
    return taken;
  }

  function manyKeys(ownerAddress: string | null): string[] {
    return Array.from({ length: 4 }, (_, index) => {
      const key = generateApiKey('test');
      KEYS.set(key, {
        id: `key_${ownerAddress}_${index}`,
        kind: 'test',
        scopes: ['trade'],
        origins: [],
        ipRanges: [],
        ownerAddress,
      });
      return key;
    });
  }

  it('all keys of a wallet have one together', async () => {
    const limited = newApi();
    expect(await countTaken(limited, manyKeys(OWNER))).toBe(2 * quota);
  });

  it('all that comes from one network has one together, and says so', async () => {
    const limited = newApi();
    const keys = manyKeys(null);
    expect(await countTaken(limited, keys.slice(0, 3))).toBe(2 * quota);
    const refused = await post(limited, keyed(keys[3]));
    expect(refused.headers['ratelimit-policy']).toBe(`"faucet-network";q=${2 * quota};w=60`);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

it('writes no secret to the log', async () => {
  const { token } = await issueAccessToken(signingKeys, realm, OWNER);
  logged.length = 0;
  await call('/v1/things/abc', { headers: { ...keyed(), authorization: `Bearer ${token}` } });
  const text = logged.join('');
  expect(text).toContain('key_s');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(token);
});
