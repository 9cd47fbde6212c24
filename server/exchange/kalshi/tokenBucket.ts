/**
 * A client-side share of the exchange's rate limit. Calls are served by priority, then in order of
 * arrival; the exchange reports neither how much is left nor when to retry. Own code, because each
 * kind of call has its own cost and the exchange changes the limits while calls wait.
 */
export type TokenBucket = {
  /** Resolves when `cost` tokens were taken. Higher priorities go first. */
  take(cost: number, priority: number): Promise<void>;
  /** The tokens of a full bucket: nothing that costs more is ever allowed. */
  capacity(): number;
  resize(limits: BucketLimits): void;
  /** After a rejection by the exchange: start again from zero. */
  drain(): void;
};

export type BucketLimits = { refillPerSecond: number; capacity: number };

type Waiting = { cost: number; priority: number; resolve: () => void };

/** Leaves part of the rate limit to other users of the same key. */
export const LIMIT_SHARE = 0.9;

export function createTokenBucket(
  initial: BucketLimits,
  now = () => performance.now(),
): TokenBucket {
  let limits = initial;
  let tokens = initial.capacity;
  let filledAt = now();
  let timer: NodeJS.Timeout | undefined;
  const waiting: Waiting[] = [];

  function refill(): void {
    const at = now();
    const gained = ((at - filledAt) / 1000) * limits.refillPerSecond * LIMIT_SHARE;
    tokens = Math.min(limits.capacity, tokens + gained);
    filledAt = at;
  }

  function serve(): void {
    refill();
    while (waiting.length > 0) {
      const next = waiting[0];
      // A call that costs more than the capacity runs when the bucket is full.
      if (!next || tokens < Math.min(next.cost, limits.capacity)) break;
      waiting.shift();
      tokens -= next.cost;
      next.resolve();
    }
    schedule();
  }

  function schedule(): void {
    // A call that has come meanwhile may go first and cost less.
    clearTimeout(timer);
    const next = waiting[0];
    if (!next) return;
    const missing = Math.min(next.cost, limits.capacity) - tokens;
    const wait = Math.max((missing / (limits.refillPerSecond * LIMIT_SHARE)) * 1000, 1);
    timer = setTimeout(serve, wait);
  }

  return {
    take(cost, priority) {
      return new Promise((resolve) => {
        const index = waiting.findIndex((other) => other.priority < priority);
        waiting.splice(index < 0 ? waiting.length : index, 0, { cost, priority, resolve });
        serve();
      });
    },
    capacity: () => limits.capacity,
    resize(next) {
      refill();
      limits = next;
      tokens = Math.min(tokens, next.capacity);
    },
    drain() {
      refill();
      tokens = Math.min(tokens, 0);
    },
  };
}
