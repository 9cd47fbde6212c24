/** How many requests of a class one caller may send: `quota` per `windowSeconds`, all at once. */
export type RatePolicy = { quota: number; windowSeconds: number };

export type RateClass =
  | 'read'
  | 'quote'
  | 'trade'
  | 'account'
  | 'export'
  | 'auth'
  | 'refresh'
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
  // Apart from sign-ins, which a browser that renews in a loop must not exhaust.
  refresh: { quota: 600, windowSeconds: 60 },
  faucet: { quota: 120, windowSeconds: 60 },
  document: { quota: 600, windowSeconds: 60 },
  operator: { quota: 600, windowSeconds: 60 },
};

export type RateDecision = {
  allowed: boolean;
  remaining: number;
  /** Until the quota is full again. */
  resetSeconds: number;
  /** Until one more request is allowed; 0 if it is now. */
  retryAfterSeconds: number;
};

export type RateLimiter = { take(caller: string, rateClass: RateClass): RateDecision };

type Cost = { key: string; costMs: number };

/** Adds costs to those of all processes; returns for each key in how many ms its bucket is full. */
export type Ledger = (spent: Cost[]) => Promise<{ key: string; fullInMs: number }[]>;

export type RateLimiterOptions = {
  policies?: Record<RateClass, RatePolicy>;
  now?: () => number;
  /** Shares the counts with other processes; without it they are this process's own. */
  ledger?: Ledger;
  /** A caller may overdraw by what it sends to other processes within this time. */
  shareEveryMs?: number;
};

const SWEEP_MS = 30_000;
/** From this many callers on, full buckets are dropped earlier. */
const MANY_CALLERS = 100_000;
const SHARE_EVERY_MS = 500;

/** One caller in one class. */
type Bucket = {
  /** Its name in the ledger. */
  key: string;
  fullAt: number;
  /** Spent here and not yet shared. */
  unsharedMs: number;
};

type Meter = { windowMs: number; costMs: number; buckets: Map<string, Bucket> };

/**
 * The generic cell rate algorithm: one number per caller and class, the time at which its bucket
 * is full again. Decisions are made in memory; what was spent is shared in the background, so a
 * request never waits for it. When sharing fails, each process continues alone. Not
 * `rate-limiter-flexible`: it asks the database for every request and budget.
 */
export function createRateLimiter(options: RateLimiterOptions = {}): RateLimiter {
  const {
    policies = RATE_POLICIES,
    now = Date.now,
    ledger,
    shareEveryMs = SHARE_EVERY_MS,
  } = options;
  const meters = metersOf(policies);
  const sharing = ledger && createSharing(ledger, { now, everyMs: shareEveryMs });
  let checkedAt = now();
  let sweptAt = checkedAt;

  function sweep(time: number): void {
    if (time - checkedAt < 1_000 || sharing?.isUnderWay()) return;
    checkedAt = time;
    const callers = Object.values(meters).reduce((sum, { buckets }) => sum + buckets.size, 0);
    if (time - sweptAt < SWEEP_MS && callers < MANY_CALLERS) return;
    sweptAt = time;
    for (const { buckets } of Object.values(meters)) {
      for (const [caller, { fullAt, unsharedMs }] of buckets) {
        if (fullAt <= time && unsharedMs === 0) buckets.delete(caller);
      }
    }
  }

  return {
    take(caller, rateClass) {
      const { windowMs, costMs, buckets } = meters[rateClass];
      const time = now();
      sweep(time);
      let bucket = buckets.get(caller);
      if (!bucket) {
        bucket = { key: `${rateClass} ${caller}`, fullAt: time, unsharedMs: 0 };
        buckets.set(caller, bucket);
      }
      const usedUntil = Math.max(bucket.fullAt, time);
      const overMs = usedUntil + costMs - time - windowMs;
      if (overMs > 0) {
        return {
          allowed: false,
          remaining: 0,
          resetSeconds: Math.ceil((usedUntil - time) / 1000),
          retryAfterSeconds: Math.max(1, Math.ceil(overMs / 1000)),
        };
      }
      bucket.fullAt = usedUntil + costMs;
      sharing?.add(bucket, costMs);
      return {
        allowed: true,
        remaining: Math.floor(-overMs / costMs),
        resetSeconds: Math.ceil((usedUntil + costMs - time) / 1000),
        retryAfterSeconds: 0,
      };
    },
  };
}

/** Adds what was spent to the ledger at intervals, and takes over what other processes spent. */
function createSharing(ledger: Ledger, { now, everyMs }: { now: () => number; everyMs: number }) {
  let unshared = new Set<Bucket>();
  let isScheduled = false;
  let isUnderWay = false;

  async function share(): Promise<void> {
    const sent = [...unshared].map((bucket) => ({ bucket, costMs: bucket.unsharedMs }));
    unshared = new Set();
    const byKey = new Map(sent.map(({ bucket }) => [bucket.key, bucket]));
    for (const { bucket } of sent) bucket.unsharedMs = 0;
    isUnderWay = true;
    try {
      const shared = await ledger(sent.map(({ bucket, costMs }) => ({ key: bucket.key, costMs })));
      for (const { key, fullInMs } of shared) {
        const bucket = byKey.get(key);
        if (bucket) bucket.fullAt = now() + fullInMs + bucket.unsharedMs;
      }
    } catch {
      for (const { bucket, costMs } of sent) {
        bucket.unsharedMs += costMs;
        unshared.add(bucket);
      }
    } finally {
      isUnderWay = false;
    }
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      void share().finally(() => {
        isScheduled = false;
        if (unshared.size > 0) schedule();
      });
    }, everyMs).unref();
  }

  return {
    /** While the ledger is asked, no bucket is dropped. */
    isUnderWay: () => isUnderWay,
    add(bucket: Bucket, costMs: number): void {
      bucket.unsharedMs += costMs;
      unshared.add(bucket);
      schedule();
    },
  };
}

function metersOf(policies: Record<RateClass, RatePolicy>): Record<RateClass, Meter> {
  const meters = Object.entries(policies).map(([name, { quota, windowSeconds }]) => {
    const windowMs = windowSeconds * 1000;
    const meter: Meter = { windowMs, costMs: windowMs / quota, buckets: new Map() };
    return [name, meter] as const;
  });
  return Object.fromEntries(meters) as Record<RateClass, Meter>;
}
