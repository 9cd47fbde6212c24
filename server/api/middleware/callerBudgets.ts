import { sql } from 'drizzle-orm';
import { MOST_PREVIEWS } from '#lib/api/schemas/orderPreview.ts';
import type { AuthenticatedApiKey } from '../../domain/auth/apiKeys.ts';
import type { Database } from '../../platform/database/client.ts';
import { rateLimits } from '../../platform/database/schema/rateLimits.ts';
import { ServiceError } from '../../platform/errors.ts';
import { subscriberNetwork } from '../../platform/network/ipAddress.ts';
import { callerName } from './caller.ts';
import type { ApiContext, Middleware } from './env.ts';
import {
  createRateLimiter,
  type Ledger,
  RATE_POLICIES,
  type RateClass,
  type RateDecision,
  type RatePolicy,
} from './rateLimit.ts';

/** What a network or a wallet may send with all its keys, as a multiple of one key's quota. */
export type BudgetFactors = { network: number; wallet: number };

export type Spent = RateDecision & { policy: string; quota: RatePolicy };

/**
 * The budgets of a request. Keys are free, so all keys of a wallet share a budget, and so do all
 * requests from a network.
 */
export type CallerBudgets = {
  /** Of the key, of the network the request came from and of the wallet that owns the key. */
  spend(
    apiKey: AuthenticatedApiKey | undefined,
    client: { ip: string },
    rateClass: RateClass,
  ): Spent;
  /** Of the wallet that is signed in. */
  spendForWallet(owner: string, rateClass: RateClass): Spent;
  /** Of all requests that name a wallet without being signed in; apart from the wallet's own. */
  spendForNamed(address: string, rateClass: RateClass): Spent;
};

export function createCallerBudgets(options: {
  factors: BudgetFactors;
  ledger?: Ledger;
  now?: () => number;
}): CallerBudgets {
  const { factors, ...shared } = options;
  const keys = budget('', RATE_POLICIES, shared);
  const networks = budget('-network', times(RATE_POLICIES, factors.network), shared);
  const wallets = budget('-wallet', times(RATE_POLICIES, factors.wallet), shared);
  return {
    spend(apiKey, client, rateClass) {
      const ofKey = keys(callerName(apiKey, client), rateClass);
      if (!ofKey.allowed) return ofKey;
      const ofNetwork = networks(`network ${subscriberNetwork(client.ip)}`, rateClass);
      if (!ofNetwork.allowed) return ofNetwork;
      const owner = apiKey?.ownerAddress;
      const ofWallet = owner ? wallets(`wallet ${owner}`, rateClass) : ofKey;
      return ofWallet.allowed ? ofKey : ofWallet;
    },
    spendForWallet: (owner, rateClass) => wallets(`wallet ${owner}`, rateClass),
    spendForNamed: (address, rateClass) => wallets(`named ${address}`, rateClass),
  };
}

type Policies = Record<RateClass, RatePolicy>;

function budget(
  suffix: string,
  policies: Policies,
  options: { ledger?: Ledger; now?: () => number },
): (caller: string, rateClass: RateClass) => Spent {
  const limiter = createRateLimiter({ ...options, policies });
  return (caller, rateClass) => ({
    ...limiter.take(caller, rateClass),
    policy: `${rateClass}${suffix}`,
    quota: policies[rateClass],
  });
}

function times(policies: Policies, factor: number): Policies {
  const scaled = Object.entries(policies).map(([name, { quota, windowSeconds }]) => [
    name,
    { quota: Math.ceil(quota * factor), windowSeconds },
  ]);
  return Object.fromEntries(scaled) as Policies;
}

/** Counts a request and sets the headers with what is left. @throws {ServiceError} rate_limited */
export function spendFor(
  budgets: CallerBudgets,
  rateClass: RateClass,
): (c: ApiContext, apiKey: AuthenticatedApiKey | undefined) => void {
  return (c, apiKey) => {
    const spent = budgets.spend(apiKey, c.env, rateClass);
    setRateHeaders(c, spent);
    requireLeft(c, spent);
  };
}

/** Counts a request for the signed-in wallet, with any of its keys. */
export function limitOwner(budgets: CallerBudgets, rateClass: RateClass): Middleware {
  return (c, next) => {
    const { owner, apiKey } = c.get('caller');
    if (owner && owner !== apiKey?.ownerAddress) {
      requireLeft(c, budgets.spendForWallet(owner, rateClass));
    }
    return next();
  };
}

/** Counts every order of a list: the request itself has counted as the first one. */
export function limitListed(budgets: CallerBudgets, rateClass: RateClass): Middleware {
  return (c, next) => {
    const body: unknown = c.get('body');
    const listed = Array.isArray(body) ? Math.min(body.length, MOST_PREVIEWS) : 1;
    for (let counted = 1; counted < listed; counted += 1) {
      requireLeft(c, budgets.spend(c.get('caller').apiKey, c.env, rateClass));
    }
    return next();
  };
}

/** Counts a request for each wallet that its body names, where no wallet is signed in. */
export function limitNamed(budgets: CallerBudgets, rateClass: RateClass): Middleware {
  return (c, next) => {
    const named = c.get('caller').owner ? [] : addressesIn(c.get('body'));
    for (const address of named) requireLeft(c, budgets.spendForNamed(address, rateClass));
    return next();
  };
}

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** One for each order of a list. */
function addressesIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.slice(0, MOST_PREVIEWS).flatMap(addressesIn);
  if (typeof body !== 'object' || body === null || !('userAddress' in body)) return [];
  const address = String(body.userAddress).toLowerCase();
  return ADDRESS.test(address) ? [address] : [];
}

function requireLeft(c: ApiContext, spent: Spent): void {
  if (spent.allowed) return;
  setRateHeaders(c, spent);
  throw new ServiceError('rate_limited', 'Slow down. The Retry-After header says when to retry.', {
    retryAfterSeconds: spent.retryAfterSeconds,
  });
}

/** As in draft-ietf-httpapi-ratelimit-headers-10. */
function setRateHeaders(c: ApiContext, { policy, quota, remaining, resetSeconds }: Spent): void {
  c.header('ratelimit-policy', `"${policy}";q=${quota.quota};w=${quota.windowSeconds}`);
  c.header('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
}

/** Deletes idle callers once per this many statements. */
const RETENTION_EVERY = 200;

/** Stores the counts of all web processes in the database. */
export function rateLedger(database: Database): Ledger {
  let sharings = 0;
  return async (spent) => {
    // Sorted, so that two processes cannot deadlock.
    const sorted = spent.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const keys = sorted.map((one) => one.key);
    const costs = sorted.map((one) => one.costMs);
    const result = await database.orm.execute<{ key: string; full_in_ms: number }>(sql`
      insert into rate_limits as kept (key, full_at)
      select key, now() + cost * interval '1 millisecond'
      from unnest(${sql.param(keys)}::text[], ${sql.param(costs)}::float8[]) as spent (key, cost)
      on conflict (key) do update
        set full_at = greatest(kept.full_at, now()) + (excluded.full_at - now())
      returning key, (extract(epoch from full_at - now()) * 1000)::float8 as full_in_ms`);
    sharings += 1;
    if (sharings % RETENTION_EVERY === 0) {
      await database.orm
        .delete(rateLimits)
        .where(sql`${rateLimits.fullAt} < now() - interval '1 minute'`);
    }
    return result.rows.map((row) => ({ key: row.key, fullInMs: row.full_in_ms }));
  };
}
