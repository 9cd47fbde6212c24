import { sql } from 'drizzle-orm';
import { formatMicros } from '#lib/money.ts';
import { batched } from '../../platform/database/batched.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { ServiceError } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { type Excess, findExcess } from './findExcess.ts';
import { hasLimits, type LimitTargets, limitsFor, type TradingLimit } from './limits.ts';
import { type Counted, readUsage } from './usage.ts';

/** An order of either direction; only purchases are limited. */
export type LimitedOrder = {
  id: string;
  createdAt: Date;
  apiKeyId: string;
  accountId: string;
  ticker: string | null;
  tradeAction: 'buy' | 'sell' | null;
  quoteLimitUsdcMicros: bigint | null;
  /** Asked for without a token of its owner; see server/platform/database/schema/unclaimedOrder.ts. */
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
  const subjects = { key: apiKeyId, account: accountId, market: ticker };
  return { id, takenAt, quoteLimitUsdcMicros, withoutToken, ...subjects };
}

/** Whether anything limits the order at all; most of the time nothing does. */
export async function isLimited(
  db: Queryable,
  order: Omit<LimitedOrder, 'createdAt' | 'balanceValidatedAt'>,
): Promise<boolean> {
  const purchase = purchaseOf({ ...order, createdAt: new Date(0), balanceValidatedAt: null });
  return purchase !== undefined && (await limitsFor(db, purchase)).length > 0;
}

/**
 * Refuses a purchase beyond a limit, in the transaction that has just stored it. Whoever adds to a
 * limited subject holds its guard row until that is committed, so purchases at the same moment, in
 * any process, see each other. Without limits this is one look at an empty table.
 * @throws {ServiceError} trading_limit_reached
 */
export async function requireWithinLimits(tx: Queryable, order: LimitedOrder): Promise<void> {
  const purchase = purchaseOf(order);
  if (!purchase) return;
  const all = await limitsFor(tx, purchase);
  // Nobody knows yet that it is the account's; what that has spent is not for strangers to learn.
  const limits = purchase.withoutToken ? all.filter(({ scope }) => scope !== 'account') : all;
  if (limits.length === 0) return;
  await holdGuards(tx, limits);
  const excess = await findFirstExcess(tx, limits, purchase, { allBut: purchase.id });
  if (excess) throw refusal(purchase, excess);
}

/**
 * Whether a purchase that stands is beyond a limit now, because that was lowered since. The newest
 * give way: only what was taken before counts against it.
 */
export async function isBeyondLimits(database: Database, order: LimitedOrder): Promise<boolean> {
  const purchase = purchaseOf(order);
  if (!purchase || !(await hasLimitsIn(database)('any'))) return false;
  const db = database.orm;
  const limits = await limitsFor(db, purchase);
  const { id, takenAt } = purchase;
  const before = { id, takenAt };
  return (
    limits.length > 0 && (await findFirstExcess(db, limits, purchase, { before })) !== undefined
  );
}

/** Most of the time there is none: those who ask together are told so by one look. */
const hasLimitsIn = memoizeByObject(({ orm }: Database) =>
  batched<'any', boolean>(async () => new Map([['any', await hasLimits(orm)]])),
);

/** Always in the same order, so that two orders never wait for each other. */
async function holdGuards(tx: Queryable, limits: readonly TradingLimit[]): Promise<void> {
  const sorted = limits.toSorted((a, b) => (a.scope < b.scope ? -1 : 1));
  for (const { scope, subject } of sorted) {
    await tx.execute(sql`
      insert into limit_guards (scope, subject, touched_at) values (${scope}, ${subject}, now())
      on conflict (scope, subject) do update set touched_at = excluded.touched_at`);
  }
}

async function findFirstExcess(
  db: Queryable,
  limits: readonly TradingLimit[],
  purchase: Purchase,
  counted: Counted,
): Promise<Excess | undefined> {
  for (const limit of limits) {
    const usage = await readUsage(db, limit, counted);
    const excess = findExcess(limit.scope, limit, usage, purchase.quoteLimitUsdcMicros);
    if (excess) return excess;
  }
  return undefined;
}

const WHAT = {
  key: 'With this API key,',
  account: 'For this account,',
  market: 'On this market,',
} as const;

function refusal(purchase: Purchase, { scope, which, limit, left }: Excess): ServiceError {
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
