import type { AuthenticatedApiKey } from '../domain/auth/apiKeys.ts';
import { subscriberNetwork } from '../platform/network/ipAddress.ts';
import { callerName } from './caller.ts';
import type { ApiRequest } from './message.ts';
import {
  createRateLimiter,
  type Ledger,
  RATE_POLICIES,
  type RateClass,
  type RateDecision,
  type RatePolicy,
} from './rateLimit.ts';

/** What one key may send, times this, is what one network or one wallet may send with all keys. */
export type BudgetFactors = { network: number; wallet: number };

export type Spent = RateDecision & { policy: string; quota: RatePolicy };

/**
 * The budgets that a request has to keep. Keys cost nothing, so the budget of the key is not the
 * only one: all keys of a wallet, and all that comes from one network, have one together.
 */
export type CallerBudgets = {
  /** Of the key, of the network the request came from and of the wallet that owns the key. */
  spend(
    apiKey: AuthenticatedApiKey | undefined,
    request: Pick<ApiRequest, 'ip'>,
    rateClass: RateClass,
  ): Spent;
  /** Of the wallet that is signed in. */
  spendForWallet(owner: string, rateClass: RateClass): Spent;
  /** Of requests that name a wallet without being signed in: theirs together, not the wallet's own. */
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
    spend(apiKey, request, rateClass) {
      const ofKey = keys(callerName(apiKey, request), rateClass);
      if (!ofKey.allowed) return ofKey;
      const ofNetwork = networks(`network ${subscriberNetwork(request.ip)}`, rateClass);
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

/** Headers as in draft-ietf-httpapi-ratelimit-headers-10. */
export function rateHeaders(spent: Spent): Record<string, string> {
  const { policy, quota, remaining, resetSeconds, allowed, retryAfterSeconds } = spent;
  return {
    'ratelimit-policy': `"${policy}";q=${quota.quota};w=${quota.windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    ...(allowed ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
}
