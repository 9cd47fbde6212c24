import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { createHttpClient } from './httpClient.ts';
import { createRateLimits, followRateLimits } from './rateLimits.ts';
import type { Wire } from './wire.ts';

const log = pino({ level: 'silent' });
const MINUTE_MS = 60_000;
const COSTS = {
  default_cost: 12,
  endpoint_costs: [
    { method: 'GET', path: '/portfolio/orders/{order_id}', cost: 2 },
    { method: 'POST', path: '/trade-api/v2/portfolio/events/orders/batched', cost: 7 },
    { method: 'GET', path: '', cost: 1 },
    { method: 'GET', path: '/broken', cost: 'much' },
  ],
};

describe('the costs of endpoints', () => {
  it('are the usual one until they are known', () => {
    expect(createRateLimits().costOf('GET', '/markets')).toBe(10);
  });

  it.each([
    ['GET', '/markets', 12],
    ['GET', '/portfolio/orders', 12],
    ['GET', '/portfolio/orders/a-b', 2],
    ['GET', '/portfolio/orders/a/b', 12],
    ['POST', '/portfolio/orders/a-b', 12],
    ['POST', '/portfolio/events/orders/batched', 7],
    ['GET', '/broken', 12],
  ] as const)('given those of the exchange, %s %s costs %i', (method, path, cost) => {
    const limits = createRateLimits();
    limits.setCosts(COSTS);
    expect(limits.costOf(method, path)).toBe(cost);
  });

  it('given an unreadable response, stay as they are', () => {
    const limits = createRateLimits();
    limits.setCosts(COSTS);
    limits.setCosts({ default_cost: 'none' });
    expect(limits.costOf('GET', '/markets')).toBe(12);
    expect(limits.costOf('GET', '/portfolio/orders/a')).toBe(2);
  });
});

describe('the account’s limits', () => {
  function follow(first: Wire) {
    let at = 0;
    let capacity = first;
    const get = vi.fn(async (path: string): Promise<Wire> => {
      if (path === '/account/endpoint_costs') return COSTS;
      if (capacity.error) throw new Error('no response');
      return { read: capacity, write: capacity };
    });
    const limits = createRateLimits();
    const renew = followRateLimits({ get }, limits, log, () => at);
    return async (milliseconds: number, next: Wire, isRejected = false) => {
      at += milliseconds;
      capacity = next;
      renew({ isRejected });
      // The responses are promises that are resolved already.
      await vi.waitFor(() => Promise.resolve());
      await Promise.resolve();
      return limits.write.capacity();
    };
  }
  const tier = (capacity: number) => ({ refill_rate: capacity, bucket_capacity: capacity });

  it('are read again after some minutes', async () => {
    const capacityAfter = follow(tier(300));
    expect(await capacityAfter(0, tier(300))).toBe(300);
    expect(await capacityAfter(4 * MINUTE_MS, tier(600))).toBe(300);
    expect(await capacityAfter(MINUTE_MS, tier(600))).toBe(600);
  });

  it('are read again soon after a rejection for too many requests', async () => {
    const capacityAfter = follow(tier(600));
    expect(await capacityAfter(0, tier(600))).toBe(600);
    expect(await capacityAfter(5_000, tier(300), true)).toBe(600);
    expect(await capacityAfter(5_000, tier(300))).toBe(300);
  });

  it('given no response, stay as they are and are soon read again', async () => {
    const capacityAfter = follow(tier(300));
    expect(await capacityAfter(0, tier(300))).toBe(300);
    expect(await capacityAfter(5 * MINUTE_MS, { error: true })).toBe(300);
    expect(await capacityAfter(10_000, tier(600))).toBe(600);
  });
});

it('given an endpoint that costs more, takes that much for a request', async () => {
  const limits = createRateLimits();
  limits.setCosts({
    default_cost: 10,
    endpoint_costs: [{ method: 'GET', path: '/series', cost: 90 }],
  });
  const take = vi.spyOn(limits.read, 'take');
  const client = createHttpClient({
    url: 'https://exchange.test/trade-api/v2',
    signer: async () => ({}),
    limits,
    fetch: async () => new Response('{}'),
    sendMessage: async () => undefined,
    log,
  });
  await client.get('/series');
  await client.get('/events');
  expect(take.mock.calls.map(([cost]) => cost)).toEqual([90, 10]);
});
