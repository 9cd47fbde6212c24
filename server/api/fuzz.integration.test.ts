import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { IS_LONG_RUN } from '#sandbox/testing/longRun.ts';
import {
  newTrader,
  openMarket,
  openSession,
  orderBody,
  type Session,
  type Trader,
} from './testing/apiSession.ts';

/** How many requests; the long run sends many more. */
const RUNS_PER_ROUTE = IS_LONG_RUN ? 600 : 5;

type Schema = {
  $ref?: string;
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  example?: unknown;
};
type Parameter = { in: string; name: string; required?: boolean; schema: Schema };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: unknown;
  security: Record<string, unknown>[];
};
type Target = { method: string; path: string; operation: Operation };

/** What needs no key counts against the address, which all tests share; exports are few. */
const runsFor = ({ path, operation }: Target): number => {
  const needsKey = operation.security.every((one) => 'apiKey' in one || 'bearerToken' in one);
  if (path.startsWith('/v1/auth/')) return Math.min(RUNS_PER_ROUTE, 25);
  return needsKey && !path.startsWith('/v1/exports/')
    ? RUNS_PER_ROUTE
    : Math.min(RUNS_PER_ROUTE, 50);
};

let session: Session;
let trader: Trader;
let targets: Target[];
let known: string[];
/** Values that exist, by the name of the parameter that takes them. */
let existing: Record<string, string>;
let schemas: Record<string, Schema>;
let keys: string[];

/** Left out: they move funds or wait, and every kind of their input is tried elsewhere. */
const LEFT_OUT = new Set(['requestTestFunds', 'openStream', 'getOpenApi']);

/** Each path is tried with a key of its own, as far as there are some, for the sake of the limits. */
const KEYS = 40;

beforeAll(async () => {
  session = await openSession();
  trader = await newTrader(session);
  const market = await openMarket(session);
  const { body } = await session.send('GET', '/v1/openapi.json', { key: false });
  const { paths, components } = body as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  schemas = components.schemas;
  targets = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !LEFT_OUT.has(operation.operationId))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  keys = await Promise.all(Array.from({ length: KEYS }, newKey));
  known = [market.ticker, market.eventTicker, trader.account, trader.wallet.address, 'yes', '10'];
  existing = {
    ticker: market.ticker,
    marketId: market.ticker,
    tickers: market.ticker,
    eventTicker: market.eventTicker,
    eventTickers: market.eventTicker,
    address: trader.wallet.address,
    userAddress: trader.wallet.address,
    side: 'yes',
    chainId: '8453',
    exchange: 'kalshi',
    cursor: '',
    from: '2026-01-01T00:00:00.000Z',
    to: '2030-01-01T00:00:00.000Z',
  };
});

/** What a parameter may well be: a value that exists, or one that its description allows. */
function plausible(parameter: Parameter): fc.Arbitrary<string> {
  const exists = existing[parameter.name];
  if (exists !== undefined) return fc.constant(exists);
  const { $ref, ...own } = parameter.schema;
  const schema = { ...schemas[$ref?.split('/').at(-1) ?? ''], ...own };
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'integer' || schema.type === 'number') {
    const min = schema.minimum ?? 0;
    return fc.integer({ min, max: Math.min(schema.maximum ?? min + 50, min + 50) }).map(String);
  }
  return fc.constantFrom(...known, ...(typeof schema.example === 'string' ? [schema.example] : []));
}

/** Mostly what could be meant, so that what comes after the first check is tried as well. */
const likelyValue = (parameter: Parameter) =>
  fc.oneof({ weight: 5, arbitrary: plausible(parameter) }, { weight: 1, arbitrary: text() });

async function newKey(): Promise<string> {
  const { body } = await session.send('POST', '/v1/keys', {
    body: { name: 'fuzz', scopes: ['read', 'trade', 'withdraw'] },
    token: trader.token,
  });
  return (body as { secret: string }).secret;
}

const HOSTILE = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '1e999',
  'NaN',
  '0x',
  `0x${'f'.repeat(64)}`,
  '9'.repeat(400),
  '0.000000000000000000000001',
  'true',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '%00',
  '\u0000',
  '\ud800',
  '𝟘',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{"$ne":null}',
  'a'.repeat(3_000),
];

const text = () =>
  fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.constantFrom(...known),
    fc.string({ maxLength: 40, unit: 'binary' }),
    fc.integer().map(String),
  );

/** Values of every type, among them texts that look like what belongs there. */
const anything = () =>
  fc.oneof(
    text(),
    fc.anything({ maxDepth: 3, withNullPrototype: false }),
    fc.constant('x'.repeat(60_000)),
  );

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

/** A request to a target in which any part may be wrong. */
function request(target: Target) {
  const inPath = (target.operation.parameters ?? []).filter((one) => one.in === 'path');
  const inQuery = (target.operation.parameters ?? []).filter((one) => one.in === 'query');
  return fc.record({
    path: fc.tuple(...inPath.map(likelyValue)),
    query: fc.tuple(
      ...inQuery.map((one) =>
        fc.option(likelyValue(one), { nil: undefined, freq: one.required ? 20 : 2 }),
      ),
    ),
    // Rare: an unknown parameter ends a request at once.
    orphan: fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.tuple(text(), text()) },
    ),
    body: target.operation.requestBody === undefined ? fc.constant(undefined) : body(target),
    signedIn: fc.boolean(),
  });
}

/** A good body with one or two fields replaced, or anything at all. */
function body(target: Target): fc.Arbitrary<unknown> {
  const good = goodBodies()[target.operation.operationId] ?? {};
  const paths: string[][] = [...pathsOf(good), ['extra']];
  return fc.oneof(
    { weight: 1, arbitrary: anything() },
    {
      weight: 4,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...paths), anything()), {
          minLength: 1,
          maxLength: 2,
        })
        .map((changes) =>
          changes.reduce<unknown>((value, [path, put]) => replaced(value, path, put), good),
        ),
    },
  );
}

function goodBodies(): Record<string, object> {
  const trade = { ticker: known[0] ?? '', side: 'yes', contracts: '1', buyForAtMost: '1' } as const;
  const order = orderBody(trader, trade);
  const withdrawal = {
    intentType: 'Withdraw',
    destinationAddress: trader.wallet.address,
    amount: '1',
    tokenType: 'erc20',
    tokenAddress: trader.account,
  };
  return {
    createOrder: order,
    createCalldataOrder: order,
    withdraw: { ...withdrawal, clientId: 'fuzz', deadline: 1_795_200_000, signature: '0x' },
    prepareWithdrawal: withdrawal,
    createToken: { message: 'x', signature: '0x' },
    createApiKey: {
      name: 'x',
      scopes: ['read'],
      ipRanges: ['127.0.0.1'],
      origins: ['https://a.example'],
      expiresAt: null,
    },
    updateApiKey: { name: 'x', scopes: ['read'], expiresAt: null },
    rotateApiKey: { overlapSeconds: 1 },
    createWebhook: { url: 'http://127.0.0.1:9/', description: 'x', eventTypes: ['webhook.test'] },
    updateWebhook: { url: 'http://127.0.0.1:9/', status: 'enabled' },
    rotateWebhookSecret: { overlapSeconds: 1 },
    recordGrant: {
      grant: {
        operator: trader.account,
        validUntil: '1',
        withdrawAnywhere: true,
        maxPerOrder: '1',
        maxPerDay: '1',
        maxWithdrawPerDay: '1',
        nonce: '0',
      },
      signature: '0x',
    },
  };
}

function pathsOf(value: unknown, prefix: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [prefix];
  return Object.entries(value).flatMap(([key, inner]) => [
    [...prefix, key],
    ...pathsOf(inner, [...prefix, key]),
  ]);
}

function replaced(value: unknown, path: readonly string[], put: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return put;
  const inner = typeof value === 'object' && value !== null ? value : {};
  return { ...inner, [key]: replaced((inner as Record<string, unknown>)[key], rest, put) };
}

function targetOf(target: Target, sent: { path: string[]; query: (string | undefined)[] }): string {
  const parameters = target.operation.parameters ?? [];
  let path = target.path;
  for (const [index, parameter] of parameters.filter((one) => one.in === 'path').entries()) {
    path = path.replace(`{${parameter.name}}`, encode(sent.path[index] ?? ''));
  }
  const query = parameters
    .filter((one) => one.in === 'query')
    .flatMap((one, index) => {
      const value = sent.query[index];
      return value === undefined ? [] : [`${one.name}=${encode(value)}`];
    });
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** JSON of any value; what JSON cannot express becomes null. */
function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'bigint' ? inner.toString() : inner,
    );
  } catch {
    return 'null';
  }
}

const LEAKS = /node_modules|at \w+ \(|select .* from|drizzle|ECONNREFUSED|postgres:|PRIVATE KEY/i;

describe('given any input', () => {
  it(
    'gets a response as described, without a failure of ours and without a leak',
    async () => {
      const answered = new Map<number, number>();
      for (const [index, target] of targets.entries()) {
        await fc.assert(
          fc.asyncProperty(request(target), async (sent) => {
            const orphan = sent.orphan && `${encode(sent.orphan[0])}=${encode(sent.orphan[1])}`;
            const url = targetOf(target, sent);
            const full = orphan ? `${url}${url.includes('?') ? '&' : '?'}${orphan}` : url;
            const response = await session.send(target.method, full, {
              key: keys[index % keys.length] ?? session.apiKey,
              ...(sent.signedIn ? { token: trader.token } : {}),
              ...(sent.body === undefined
                ? {}
                : {
                    rawBody: safeJson(sent.body) ?? '',
                    headers: { 'content-type': 'application/json' },
                  }),
            });
            answered.set(response.status, (answered.get(response.status) ?? 0) + 1);
            expect(response.status, response.text).toBeLessThan(500);
            if (response.status >= 400) expect(response.text).not.toMatch(LEAKS);
          }),
          { numRuns: runsFor(target), endOnFailure: true },
        );
      }
      const total = [...answered.values()].reduce((sum, count) => sum + count, 0);
      process.stdout.write(`fuzz: ${total} requests, ${JSON.stringify([...answered])}\n`);
      if (IS_LONG_RUN) expect(total).toBeGreaterThan(20_000);
      expect((answered.get(429) ?? 0) / total).toBeLessThan(0.05);
      expect(answered.get(400)).toBeGreaterThan(0);
      expect((answered.get(200) ?? 0) / total).toBeGreaterThan(0.05);
    },
    IS_LONG_RUN ? 1_200_000 : 120_000,
  );
});
