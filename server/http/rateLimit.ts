/** How many requests of a class one caller may send: `quota` per `windowSeconds`, all at once. */
export type RatePolicy = { quota: number; windowSeconds: number };

export type RateClass = 'read' | 'quote' | 'trade' | 'auth' | 'faucet' | 'document';

export const RATE_POLICIES: Record<RateClass, RatePolicy> = {
  read: { quota: 3_000, windowSeconds: 60 },
  quote: { quota: 1_200, windowSeconds: 60 },
  trade: { quota: 600, windowSeconds: 60 },
  auth: { quota: 60, windowSeconds: 60 },
  faucet: { quota: 60, windowSeconds: 60 },
  document: { quota: 600, windowSeconds: 60 },
};

export type RateDecision = {
  allowed: boolean;
  remaining: number;
  /** Until the quota is whole again. */
  resetSeconds: number;
  /** Until one more request is let in; 0 when it is already. */
  retryAfterSeconds: number;
};

export type RateLimiter = { take(caller: string, rateClass: RateClass): Promise<RateDecision> };

const SWEEP_MS = 30_000;

/**
 * The generic cell rate algorithm: one number per caller and class, the time at which its bucket
 * is full again. Counts within this process only.
 */
export function createMemoryRateLimiter(
  policies: Record<RateClass, RatePolicy> = RATE_POLICIES,
  now: () => number = Date.now,
): RateLimiter {
  const fullAt = new Map<string, number>();
  let sweptAt = now();

  function sweep(time: number): void {
    if (time - sweptAt < SWEEP_MS) return;
    sweptAt = time;
    for (const [key, full] of fullAt) if (full <= time) fullAt.delete(key);
  }

  return {
    async take(caller, rateClass) {
      const { quota, windowSeconds } = policies[rateClass];
      const key = `${rateClass} ${caller}`;
      const time = now();
      sweep(time);
      const windowMs = windowSeconds * 1000;
      const costMs = windowMs / quota;
      const next = Math.max(fullAt.get(key) ?? time, time) + costMs;
      const overMs = next - time - windowMs;
      if (overMs > 0) {
        return {
          allowed: false,
          remaining: 0,
          resetSeconds: Math.ceil((next - costMs - time) / 1000),
          retryAfterSeconds: Math.max(1, Math.ceil(overMs / 1000)),
        };
      }
      fullAt.set(key, next);
      return {
        allowed: true,
        remaining: Math.floor(-overMs / costMs),
        resetSeconds: Math.ceil((next - time) / 1000),
        retryAfterSeconds: 0,
      };
    },
  };
}

/** Headers as in draft-ietf-httpapi-ratelimit-headers-10. */
export function rateHeaders(rateClass: RateClass, decision: RateDecision): Record<string, string> {
  const { quota, windowSeconds } = RATE_POLICIES[rateClass];
  return {
    'ratelimit-policy': `"${rateClass}";q=${quota};w=${windowSeconds}`,
    ratelimit: `"${rateClass}";r=${decision.remaining};t=${decision.resetSeconds}`,
    ...(decision.allowed ? {} : { 'retry-after': String(decision.retryAfterSeconds) }),
  };
}
