import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { batched } from '../../platform/database/batched.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { marketSuspensions } from '../../platform/database/schema/admin.ts';
import { ServiceError, throwFirst } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { createTimedCache } from '../../platform/timedCache.ts';

export type Suspension = typeof marketSuspensions.$inferSelect;

type Deps = { database: { orm: Queryable } };

/** The actor of suspensions by reconciliation; any other actor is an admin. */
export const BY_RECONCILIATION = 'reconciliation';

/** In place of a ticker: no market accepts new orders. */
export const EVERY_MARKET = '*';

/** Suspensions in force, of one market or of all. */
export async function listSuspensions(deps: Deps, ticker?: string): Promise<Suspension[]> {
  return await deps.database.orm
    .select()
    .from(marketSuspensions)
    .where(
      and(
        isNull(marketSuspensions.liftedAt),
        ticker === undefined ? undefined : eq(marketSuspensions.ticker, ticker),
      ),
    )
    .orderBy(asc(marketSuspensions.suspendedAt));
}

/** The suspensions that apply to a market, including a global one. */
export async function listHoldsOn(deps: Deps, ticker: string): Promise<Suspension[]> {
  return (await listHolds(deps.database.orm, [ticker])).get(ticker) ?? [];
}

/** The SQL condition that a market accepts new orders. */
export function isNotHeld(ticker: SQL): SQL {
  return sql`not exists (select 1 from market_suspensions s
    where s.lifted_at is null and s.ticker in (${ticker}, ${EVERY_MARKET}))`;
}

async function listHolds(
  db: Queryable,
  tickers: readonly string[],
): Promise<Map<string, Suspension[]>> {
  const rows = await db
    .select()
    .from(marketSuspensions)
    .where(
      and(
        isNull(marketSuspensions.liftedAt),
        isOneOf(marketSuspensions.ticker, [...tickers, EVERY_MARKET]),
      ),
    );
  const holdsOn = (ticker: string) =>
    rows.filter((one) => one.ticker === ticker || one.ticker === EVERY_MARKET);
  return new Map(tickers.map((ticker) => [ticker, holdsOn(ticker)]));
}

/** Concurrent callers share a statement that starts after all of their calls. */
const holdsOf = memoizeByObject(({ orm }: Database) =>
  batched<string, Suspension[]>((tickers) => listHolds(orm, tickers)),
);

/** Quotes share a read for this long; orders read it themselves. */
const SHARED_MS = 250;
const RENEW_AFTER_MS = 190;
const isSuspendedAt = memoizeByObject((orm: Queryable) =>
  createTimedCache(
    SHARED_MS,
    async (ticker) => (await listHoldsOn({ database: { orm } }, ticker)).length > 0,
    { renewAfterMs: RENEW_AFTER_MS },
  ),
);

/** Whether new orders of a market were suspended a moment ago. */
export function isSuspended(deps: Deps, ticker: string): Promise<boolean> {
  return isSuspendedAt(deps.database.orm)(ticker);
}

/**
 * Whether an admin has stopped trading: then orders that are not at the exchange yet are refunded
 * too. A suspension by reconciliation stops new orders only.
 */
export async function isHaltedByAdmin(
  deps: { database: Database },
  ticker: string,
): Promise<'market_suspended' | 'trading_paused' | undefined> {
  const all = (await holdsOf(deps.database)(ticker)) ?? [];
  const holds = all.filter((one) => one.suspendedBy !== BY_RECONCILIATION);
  if (holds.length === 0) return undefined;
  return holds.some((one) => one.ticker === EVERY_MARKET) ? 'trading_paused' : 'market_suspended';
}

/** @throws {ServiceError} market_suspended, trading_paused */
export async function requireNotSuspended(deps: Deps, ticker: string): Promise<void> {
  throwFirst(suspensionProblems(ticker, await listHoldsOn(deps, ticker)));
}

/** Why a market with these suspensions takes no new orders; the one that covers the most. */
export function suspensionProblems(ticker: string, holds: readonly Suspension[]): ServiceError[] {
  const problem = problemOf(ticker, holds);
  return problem ? [problem] : [];
}

function problemOf(ticker: string, holds: readonly Suspension[]): ServiceError | undefined {
  const [suspension] = holds;
  if (!suspension) return undefined;
  const pause = holds.find((one) => one.ticker === EVERY_MARKET);
  if (pause) {
    return new ServiceError(
      'trading_paused',
      `Trading is paused: ${pause.reason} Orders already at the exchange ` +
        'are completed, others are refunded; redeeming settled markets and ' +
        'withdrawals still work. Nothing was created.',
    );
  }
  return new ServiceError(
    'market_suspended',
    `New orders on ${ticker} are suspended: ${suspension.reason} Open orders are completed or ` +
      'refunded, and withdrawals work. Nothing was created.',
    { errors: [{ pointer: '/order/baseToken', detail: 'the market is suspended' }] },
  );
}

/** Stops new orders of a market; refunds and withdrawals continue. Idempotent. */
export async function suspendMarket(
  deps: Deps,
  input: { ticker: string; reason: string; by: string },
): Promise<boolean> {
  const current = await listSuspensions(deps, input.ticker);
  if (current.some((one) => one.suspendedBy === input.by)) return false;
  await deps.database.orm.insert(marketSuspensions).values({
    id: randomUUID(),
    ticker: input.ticker,
    reason: input.reason,
    suspendedBy: input.by,
    suspendedAt: sql`now()`,
  });
  return true;
}

/** Lifts suspensions; returns their tickers. */
export async function liftSuspensions(
  deps: Deps,
  input: { ids: string[]; by: string },
): Promise<string[]> {
  if (input.ids.length === 0) return [];
  const lifted = await deps.database.orm
    .update(marketSuspensions)
    .set({ liftedAt: sql`now()`, liftedBy: input.by })
    .where(and(inArray(marketSuspensions.id, input.ids), isNull(marketSuspensions.liftedAt)))
    .returning({ ticker: marketSuspensions.ticker });
  return lifted.map((row) => row.ticker);
}
