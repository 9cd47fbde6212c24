import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimiter, type Ledger, RATE_POLICIES, type RateLimiter } from './rateLimit.ts';

const QUOTA = 10;
const policies = { ...RATE_POLICIES, trade: { quota: QUOTA, windowSeconds: 10 } };

function takeAll(limiter: RateLimiter, times: number): number {
  let allowed = 0;
  for (let sent = 0; sent < times; sent++) {
    if (limiter.take('caller', 'trade').allowed) allowed += 1;
  }
  return allowed;
}

describe('one process', () => {
  it('lets a quota through at once, and then one per share of the window', async () => {
    let time = 0;
    const limiter = createRateLimiter({ policies, now: () => time });
    expect(takeAll(limiter, 100)).toBe(QUOTA);
    time += 999;
    expect(takeAll(limiter, 5)).toBe(0);
    time += 1;
    expect(takeAll(limiter, 5)).toBe(1);
    time += 60_000;
    expect(takeAll(limiter, 100)).toBe(QUOTA);
  });

  it('counts callers and classes apart', async () => {
    const limiter = createRateLimiter({ policies, now: () => 0 });
    takeAll(limiter, 100);
    expect(limiter.take('other', 'trade').allowed).toBe(true);
    expect(limiter.take('caller', 'read').allowed).toBe(true);
  });

  it('says when to come back, and is right', async () => {
    let time = 0;
    const limiter = createRateLimiter({ policies, now: () => time });
    takeAll(limiter, QUOTA);
    const refused = limiter.take('caller', 'trade');
    expect(refused).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 1 });
    time += refused.retryAfterSeconds * 1000;
    expect(limiter.take('caller', 'trade').allowed).toBe(true);
  });
});

describe('several processes', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function sharedLedger(): Ledger {
    const fullAt = new Map<string, number>();
    return async (spent) =>
      spent.map(({ key, costMs }) => {
        const full = Math.max(fullAt.get(key) ?? 0, Date.now()) + costMs;
        fullAt.set(key, full);
        return { key, fullInMs: full - Date.now() };
      });
  }

  it('count each other’s requests after a moment', async () => {
    const ledger = sharedLedger();
    const [one, two] = [0, 1].map(() => createRateLimiter({ policies, ledger }));
    if (!one || !two) throw new Error('two limiters were made');
    expect(takeAll(one, 6)).toBe(6);
    await vi.advanceTimersByTimeAsync(500);
    expect(takeAll(two, 1)).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    // Seven were spent, booked half a second late; half of one has come back since.
    expect(takeAll(two, 100)).toBe(3);
  });

  it('given counts that cannot be shared, each continues alone and loses none', async () => {
    const book = sharedLedger();
    let isBroken = true;
    const ledger: Ledger = (spent) =>
      isBroken ? Promise.reject(new Error('no database')) : book(spent);
    const limiter = createRateLimiter({ policies, ledger });
    expect(takeAll(limiter, 100)).toBe(QUOTA);
    await vi.advanceTimersByTimeAsync(500);
    isBroken = false;
    await vi.advanceTimersByTimeAsync(500);
    const [kept] = await book([{ key: 'trade caller', costMs: 0 }]);
    expect(kept?.fullInMs).toBe(QUOTA * 1000);
  });
});
