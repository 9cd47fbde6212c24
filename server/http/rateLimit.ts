/** How many requests of a class one caller may send: `quota` per `windowSeconds`, all at once. */
export type RatePolicy = { quota: number; windowSeconds: number };

export type RateClass =
  | 'read'
  | 'quote'
  | 'trade'
  | 'account'
  | 'export'
  | 'auth'
  | 'faucet'
  | 'document'
  | 'operator';

export const RATE_POLICIES: Record<RateClass, RatePolicy> = {
  read: { quota: 30_000, windowSeconds: 60 },
  quote: { quota: 6_000, windowSeconds: 60 },
  trade: { quota: 3_000, windowSeconds: 60 },
  account: { quota: 1_200, windowSeconds: 60 },
  export: { quota: 60, windowSeconds: 60 },
  auth: { quota: 300, windowSeconds: 60 },
  faucet: { quota: 120, windowSeconds: 60 },
  document: { quota: 600, windowSeconds: 60 },
  operator: { quota: 600, windowSeconds: 60 },
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

export type Spent = { key: string; costMs: number };

/**
 * Adds what was spent to what all processes have spent, and answers for each key in how many
 * milliseconds its bucket is whole again.
 */
export type Ledger = (spent: Spent[]) => Promise<{ key: string; fullInMs: number }[]>;

export type RateLimiterOptions = {
  policies?: Record<RateClass, RatePolicy>;
  now?: () => number;
  /** Shares the counts with other processes; without it they are this process's own. */
  ledger?: Ledger;
  /** A caller may overdraw by what it sends within this time to processes that do not know yet. */
  shareEveryMs?: number;
};

const SWEEP_MS = 30_000;
/** So many callers at once are looked through earlier: most of them are whole again. */
const MANY_CALLERS = 100_000;
const SHARE_EVERY_MS = 500;

/**
 * The generic cell rate algorithm: one number per caller and class, the time at which its bucket
 * is full again. Decisions are made in memory; what was spent is shared in the background, so a
 * request never waits for it. When sharing fails, each process goes on by itself.
 */
export function createRateLimiter(options: RateLimiterOptions = {}): RateLimiter {
  const { policies = RATE_POLICIES, now = Date.now, ledger } = options;
  const fullAt = new Map<string, number>();
  let spent = new Map<string, number>();
  let isSharing = false;
  let sweptAt = now();

  function sweep(time: number): void {
    const sinceMs = time - sweptAt;
    if (sinceMs < SWEEP_MS && (fullAt.size < MANY_CALLERS || sinceMs < 1_000)) return;
    sweptAt = time;
    for (const [key, full] of fullAt) if (full <= time) fullAt.delete(key);
  }

  async function share(book: Ledger): Promise<void> {
    const sent = spent;
    spent = new Map();
    try {
      const shared = await book([...sent].map(([key, costMs]) => ({ key, costMs })));
      for (const { key, fullInMs } of shared) {
        fullAt.set(key, now() + fullInMs + (spent.get(key) ?? 0));
      }
    } catch {
      for (const [key, costMs] of sent) spent.set(key, (spent.get(key) ?? 0) + costMs);
    }
  }

  function shareSoon(): void {
    if (!ledger || isSharing) return;
    isSharing = true;
    setTimeout(() => {
      void share(ledger).finally(() => {
        isSharing = false;
        if (spent.size > 0) shareSoon();
      });
    }, options.shareEveryMs ?? SHARE_EVERY_MS).unref();
  }

  return {
    async take(caller, rateClass) {
      const { quota, windowSeconds } = policies[rateClass];
      const key = `${rateClass} ${caller}`;
      const time = now();
      sweep(time);
      const windowMs = windowSeconds * 1000;
      const costMs = windowMs / quota;
      const usedUntil = Math.max(fullAt.get(key) ?? time, time);
      const overMs = usedUntil + costMs - time - windowMs;
      if (overMs > 0) {
        return {
          allowed: false,
          remaining: 0,
          resetSeconds: Math.ceil((usedUntil - time) / 1000),
          retryAfterSeconds: Math.max(1, Math.ceil(overMs / 1000)),
        };
      }
      fullAt.set(key, usedUntil + costMs);
      if (ledger) {
        spent.set(key, (spent.get(key) ?? 0) + costMs);
        shareSoon();
      }
      return {
        allowed: true,
        remaining: Math.floor(-overMs / costMs),
        resetSeconds: Math.ceil((usedUntil + costMs - time) / 1000),
        retryAfterSeconds: 0,
      };
    },
  };
}

const POLICY_HEADERS = Object.fromEntries(
  Object.entries(RATE_POLICIES).map(([name, { quota, windowSeconds }]) => [
    name,
    `"${name}";q=${quota};w=${windowSeconds}`,
  ]),
) as Record<RateClass, string>;

/** Headers as in draft-ietf-httpapi-ratelimit-headers-10. */
export function rateHeaders(rateClass: RateClass, decision: RateDecision): Record<string, string> {
  return {
    'ratelimit-policy': POLICY_HEADERS[rateClass],
    ratelimit: `"${rateClass}";r=${decision.remaining};t=${decision.resetSeconds}`,
    ...(decision.allowed ? {} : { 'retry-after': String(decision.retryAfterSeconds) }),
  };
}
