import type { Account } from '../ledger.ts';
import { Refusal } from '../order.ts';

/** What requests cost, and the tokens per second and burst that an account has for them. */
export type AccountLimits = {
  tier: string;
  read: { refill: number; capacity: number };
  write: { refill: number; capacity: number };
  /** Of endpoints without a cost of their own. */
  usualCost: number;
};

export const PROFESSIONAL_LIMITS: AccountLimits = {
  tier: 'premier',
  read: { refill: 4_000, capacity: 8_000 },
  write: { refill: 4_000, capacity: 8_000 },
  usualCost: 10,
};

type Level = { tokens: number; at: number };
const levels = new WeakMap<Account, Record<'read' | 'write', Level>>();

/** @throws {Refusal} 429, without a Retry-After header. */
export function spendTokens(
  limits: AccountLimits,
  account: Account,
  bucket: 'read' | 'write',
  cost: number,
): void {
  const now = performance.now();
  const { refill, capacity } = limits[bucket];
  let both = levels.get(account);
  if (!both) {
    both = {
      read: { tokens: limits.read.capacity, at: now },
      write: { tokens: limits.write.capacity, at: now },
    };
    levels.set(account, both);
  }
  const level = both[bucket];
  level.tokens = Math.min(capacity, level.tokens + ((now - level.at) / 1000) * refill);
  level.at = now;
  if (level.tokens < cost) throw new Refusal(429, 'too many requests', 'too many requests');
  level.tokens -= cost;
}
