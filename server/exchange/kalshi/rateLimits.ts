import type { Log } from '../../platform/log.ts';
import type { HttpClient } from './httpClient.ts';
import { createTokenBucket, type TokenBucket } from './tokenBucket.ts';
import { asList, asWire, text, type Wire } from './wire.ts';

/** The limits of the smallest tier and the usual cost, used until the exchange reports ours. */
const SMALLEST_READ = { refillPerSecond: 200, capacity: 200 };
const SMALLEST_WRITE = { refillPerSecond: 100, capacity: 100 };
const USUAL_COST = 10;

/** The tier and the costs may change at any time. */
const HOLDS_MS = 5 * 60_000;
/** After a failed read, or a rejection that shows that our limits are out of date. */
const RETRY_MS = 10_000;

/** What requests cost, and how many tokens there are for them. */
export type RateLimits = {
  read: TokenBucket;
  write: TokenBucket;
  /** @param path below /trade-api/v2 */
  costOf(method: 'GET' | 'POST' | 'DELETE', path: string): number;
};

export function createRateLimits(): RateLimits & { setCosts(body: Wire): void } {
  let usual = USUAL_COST;
  let costs: { method: string; path: RegExp; cost: number }[] = [];
  return {
    read: createTokenBucket(SMALLEST_READ),
    write: createTokenBucket(SMALLEST_WRITE),
    costOf(method, path) {
      return costs.find((one) => one.method === method && one.path.test(path))?.cost ?? usual;
    },
    setCosts(body) {
      usual = positive(body.default_cost) ?? usual;
      if (!Array.isArray(body.endpoint_costs)) return;
      costs = asList(body.endpoint_costs).flatMap((item) => {
        const wire = asWire(item);
        const cost = positive(wire.cost);
        const path = text(wire, 'path');
        if (cost === undefined || path === '') return [];
        return [{ method: text(wire, 'method').toUpperCase(), path: patternOf(path), cost }];
      });
    },
  };
}

/** `/portfolio/orders/{order_id}`, with or without the root that all paths share. */
function patternOf(path: string): RegExp {
  const parts = path.replace(/^\/trade-api\/v\d+/, '').split('/');
  const pattern = parts.map((part) =>
    /^(\{.*\}|:.*)$/.test(part) ? '[^/]+' : part.replace(/[^\w-]/g, '\\$&'),
  );
  return new RegExp(`^${pattern.join('/')}$`);
}

function positive(value: unknown): number | undefined {
  const number = Number(value);
  return number > 0 && Number.isFinite(number) ? number : undefined;
}

/**
 * Reads the account's limits and the costs of endpoints now and, whenever the returned function is
 * called, again once they are old. They are old sooner after a rejection for too many requests.
 */
export function followRateLimits(
  http: Pick<HttpClient, 'get'>,
  limits: ReturnType<typeof createRateLimits>,
  log: Log,
  now = () => performance.now(),
): (request: { isRejected: boolean }) => void {
  let askedAt = Number.NEGATIVE_INFINITY;
  let holdsMs = HOLDS_MS;

  async function learn(): Promise<void> {
    await Promise.all([
      http.get('/account/limits', {}, { isKeyed: true }).then((account) => {
        resize(limits.read, asWire(account.read));
        resize(limits.write, asWire(account.write));
      }),
      http.get('/account/endpoint_costs').then((costs) => limits.setCosts(costs)),
    ]);
  }

  function renew({ isRejected }: { isRejected: boolean }): void {
    if (isRejected) holdsMs = Math.min(holdsMs, RETRY_MS);
    if (now() - askedAt < holdsMs) return;
    askedAt = now();
    holdsMs = HOLDS_MS;
    learn().catch((error: unknown) => {
      holdsMs = RETRY_MS;
      log.warn({ err: error }, 'exchange limits unknown, using the last known ones');
    });
  }

  renew({ isRejected: false });
  return renew;
}

function resize(bucket: TokenBucket, wire: Wire): void {
  const refillPerSecond = positive(wire.refill_rate);
  const capacity = positive(wire.bucket_capacity);
  if (refillPerSecond && capacity) bucket.resize({ refillPerSecond, capacity });
}
