import type { Account } from '../ledger.ts';
import { Refusal } from '../order.ts';

/** Tokens per second and burst, like a professional tier of the real exchange. */
export const BUCKETS = {
  read: { refill: 4_000, capacity: 8_000 },
  write: { refill: 4_000, capacity: 8_000 },
};

type Level = { tokens: number; at: number };
const levels = new WeakMap<Account, Record<'read' | 'write', Level>>();

/** @throws {Refusal} 429, without a Retry-After header. */
export function spendTokens(account: Account, bucket: 'read' | 'write', cost: number): void {
  const now = performance.now();
  const { refill, capacity } = BUCKETS[bucket];
  let both = levels.get(account);
  if (!both) {
    both = {
      read: { tokens: BUCKETS.read.capacity, at: now },
      write: { tokens: BUCKETS.write.capacity, at: now },
    };
    levels.set(account, both);
  }
  const level = both[bucket];
  level.tokens = Math.min(capacity, level.tokens + ((now - level.at) / 1000) * refill);
  level.at = now;
  if (level.tokens < cost) throw new Refusal(429, 'too many requests', 'too many requests');
  level.tokens -= cost;
}
