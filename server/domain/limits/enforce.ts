import { sql } from 'drizzle-orm';
import { formatMicros } from '#lib/money.ts';
import { batched } from '../../platform/database/batched.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { ServiceError, throwFirst } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { hasLimits, type LimitTargets, limitsFor, type TradingLimit } from './limits.ts';
import { type Counted, type Excess, findExcesses, readUsage } from './usage.ts';

/** An order of either direction; only purchases are limited. */
type LimitedOrder = {
  id: string;
  createdAt: Date;
  apiKeyId: string;
  accountId: string;
  ticker: string | null;
  tradeAction: 'buy' | 'sell' | null;
  quoteLimitUsdcMicros: bigint | null;
  /** Created without its owner's token; see server/platform/database/schema/unclaimedOrder.ts. */
  withoutToken: boolean;
  balanceValidatedAt: Date | null;
};

type Purchase = LimitTargets & {
  id: string;
  /** Undefined before it counts at all. */
  takenAt: Date | undefined;
  quoteLimitUsdcMicros: bigint;
  withoutToken: boolean;
};

function purchaseOf(order: LimitedOrder): Purchase | undefined {
  const { id, ticker, quoteLimitUsdcMicros, apiKeyId, accountId, withoutToken } = order;
  if (order.tradeAction !== 'buy' || ticker === null || quoteLimitUsdcMicros === null)
    return undefined;
  const takenAt = withoutToken ? (order.balanceValidatedAt ?? undefined) : order.createdAt;
  const targets = { key: apiKeyId, account: accountId, market: ticker };
  return { id, takenAt, quoteLimitUsdcMicros, withoutToken, ...targets };
}

/** Whether any limit applies to the order; usually none does. */
export async function isLimited(
  db: Queryable,
  order: Omit<LimitedOrder, 'createdAt' | 'balanceValidatedAt'>,
): Promise<boolean> {
  const purchase = purchaseOf({ ...order, createdAt: new Date(0), balanceValidatedAt: null });
  return purchase !== undefined && (await limitsFor(db, purchase)).length > 0;
}

/**
 * Rejects a purchase beyond a limit, in the transaction that has just stored it. Each writer holds
 * the guard rows of the limited subjects until commit, so concurrent purchases in any process see
 * each other. Without limits this is one read of an empty table.
 * @throws {ServiceError} trading_limit_reached
 */
export async function requireWithinLimits(tx: Queryable, order: LimitedOrder): Promise<void> {
  const purchase = purchaseOf(order);
  if (!purchase) return;
  const limits = await limitsOn(tx, purchase);
  if (limits.length === 0) return;
  await holdGuards(tx, limits);
  const excesses = await listExcesses(tx, limits, purchase, { allBut: purchase.id });
  throwFirst(excesses.map((excess) => refusal(purchase, excess)));
}

/** The limits that a purchase would exceed if it were stored now. */
export async function findLimitProblems(
  db: Queryable,
  purchase: Pick<Purchase, 'quoteLimitUsdcMicros' | 'withoutToken'> & LimitTargets,
): Promise<ServiceError[]> {
  const limits = await limitsOn(db, purchase);
  const excesses = await listExcesses(db, limits, purchase, 'all');
  return excesses.map((excess) => refusal(purchase, excess));
}

async function limitsOn(
  db: Queryable,
  purchase: Pick<Purchase, 'withoutToken'> & LimitTargets,
): Promise<TradingLimit[]> {
  const all = await limitsFor(db, purchase);
  // The order may not be the account's own; a stranger must not learn what the account has spent.
  return purchase.withoutToken ? all.filter(({ scope }) => scope !== 'account') : all;
}

/**
 * Whether a stored purchase exceeds a limit that was lowered since. The newest are cancelled first:
 * only earlier purchases count against one.
 */
export async function isBeyondLimits(database: Database, order: LimitedOrder): Promise<boolean> {
  const purchase = purchaseOf(order);
  if (!purchase || !(await hasLimitsIn(database)('any'))) return false;
  const db = database.orm;
  const limits = await limitsFor(db, purchase);
  const { id, takenAt } = purchase;
  const before = { id, takenAt };
  return (await listExcesses(db, limits, purchase, { before })).length > 0;
}

/** Usually there are none: concurrent callers share one read. */
const hasLimitsIn = memoizeByObject(({ orm }: Database) =>
  batched<'any', boolean>(async () => new Map([['any', await hasLimits(orm)]])),
);

/** Consistent lock order prevents deadlocks. */
async function holdGuards(tx: Queryable, limits: readonly TradingLimit[]): Promise<void> {
  const sorted = limits.toSorted((a, b) => (a.scope < b.scope ? -1 : 1));
  for (const { scope, subject } of sorted) {
    await tx.execute(sql`
      insert into limit_guards (scope, subject, touched_at) values (${scope}, ${subject}, now())
      on conflict (scope, subject) do update set touched_at = excluded.touched_at`);
  }
}

async function listExcesses(
  db: Queryable,
  limits: readonly TradingLimit[],
  { quoteLimitUsdcMicros }: Pick<Purchase, 'quoteLimitUsdcMicros'>,
  counted: Counted,
): Promise<Excess[]> {
  const usages = await Promise.all(limits.map((limit) => readUsage(db, limit, counted)));
  return limits.flatMap((limit, index) => {
    const usage = usages[index];
    return usage ? findExcesses(limit.scope, limit, usage, quoteLimitUsdcMicros) : [];
  });
}

const WHAT = {
  key: 'With this API key,',
  account: 'For this account,',
  market: 'On this market,',
} as const;

function refusal(
  purchase: Pick<Purchase, 'quoteLimitUsdcMicros'>,
  { scope, which, limit, left }: Excess,
): ServiceError {
  const usdc = (micros: bigint) => `${formatMicros(micros)} USDC`;
  const text = {
    order: `one order can cost at most ${usdc(limit)}`,
    day: `you can spend ${usdc(limit)} in 24 hours; ${usdc(left)} left`,
    exposure: `you can hold contracts for ${usdc(limit)}; ${usdc(left)} left`,
    open: `you can have ${limit} open orders`,
  }[which];
  const detail =
    which === 'open'
      ? 'wait for open orders'
      : `price limit of ${formatMicros(purchase.quoteLimitUsdcMicros)} is above the limit`;
  return new ServiceError('trading_limit_reached', `${WHAT[scope]} ${text}. Nothing was created.`, {
    errors: [{ pointer: '/order/maxQuoteQuantityIn', detail }],
  });
}
