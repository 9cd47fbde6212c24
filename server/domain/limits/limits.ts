import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { tradingLimits } from '../../platform/database/schema/tradingLimits.ts';
import { recordAudit } from '../admin/audit.ts';

export const LIMIT_SCOPES = ['key', 'account', 'market'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/** In place of a subject: every member of the scope without its own entry. */
const EVERY_MEMBER = '*';

export type TradingLimit = typeof tradingLimits.$inferSelect;

export type LimitValues = Pick<
  TradingLimit,
  'maxOrderUsdcMicros' | 'maxDayUsdcMicros' | 'maxExposureUsdcMicros' | 'maxOpenOrders'
>;

type Deps = { database: { orm: Queryable } };

export async function listLimits(deps: Deps): Promise<TradingLimit[]> {
  return await deps.database.orm
    .select()
    .from(tradingLimits)
    .orderBy(asc(tradingLimits.scope), asc(tradingLimits.subject));
}

/** The subjects an order counts against: its key, its account and its market. */
export type LimitTargets = { key: string; account: string; market: string };

/** The limits of an order: in each scope the subject's own entry, else the scope's default. */
export async function limitsFor(db: Queryable, targets: LimitTargets): Promise<TradingLimit[]> {
  const rows = await db
    .select()
    .from(tradingLimits)
    .where(
      or(
        ...LIMIT_SCOPES.map((scope) =>
          and(
            eq(tradingLimits.scope, scope),
            sql`${tradingLimits.subject} in (${targets[scope]}, ${EVERY_MEMBER})`,
          ),
        ),
      ),
    );
  return LIMIT_SCOPES.flatMap((scope) => {
    const ofScope = rows.filter((row) => row.scope === scope);
    const own = ofScope.find((row) => row.subject !== EVERY_MEMBER);
    const found = own ?? ofScope[0];
    return found ? [{ ...found, subject: targets[scope] }] : [];
  });
}

export function isUnlimited(): SQL {
  return sql`not exists (select 1 from ${tradingLimits})`;
}

export async function hasLimits(db: Queryable): Promise<boolean> {
  const rows = await db.select({ scope: tradingLimits.scope }).from(tradingLimits).limit(1);
  return rows.length > 0;
}

type LimitChange = {
  scope: LimitScope;
  subject: string;
  values: LimitValues;
  by: string;
  reason: string;
};

/** Sets every value of a limit; null removes the value. Applies from the next order. */
export async function setLimit(deps: { database: Database }, change: LimitChange): Promise<void> {
  const { scope, subject, values, by, reason } = change;
  await deps.database.orm.transaction(async (tx) => {
    const limit = tx.select().from(tradingLimits).where(isOf(scope, subject));
    const [before] = await limit.for('update');
    const set = { ...values, setBy: by, setAt: sql`now()` };
    await tx
      .insert(tradingLimits)
      .values({ scope, subject, ...set })
      .onConflictDoUpdate({ target: [tradingLimits.scope, tradingLimits.subject], set });
    const entry = { actor: by, action: 'set_limit', subject: `${scope} ${subject}`, reason };
    const states = { before: before ? asText(before) : null, after: asText(values) };
    await recordAudit({ database: { orm: tx } }, { ...entry, ...states });
  });
}

/** Removes a limit. @returns false when there was none */
export async function removeLimit(
  deps: { database: Database },
  change: Omit<LimitChange, 'values'>,
): Promise<boolean> {
  const { scope, subject, by, reason } = change;
  return await deps.database.orm.transaction(async (tx) => {
    const [before] = await tx.delete(tradingLimits).where(isOf(scope, subject)).returning();
    if (!before) return false;
    const entry = { actor: by, action: 'remove_limit', subject: `${scope} ${subject}`, reason };
    await recordAudit({ database: { orm: tx } }, { ...entry, before: asText(before) });
    return true;
  });
}

function isOf(scope: LimitScope, subject: string) {
  return and(eq(tradingLimits.scope, scope), eq(tradingLimits.subject, subject));
}

function asText(values: LimitValues): Record<string, string | number | null> {
  const text = (micros: bigint | null) => micros?.toString() ?? null;
  return {
    maxOrderUsdcMicros: text(values.maxOrderUsdcMicros),
    maxDayUsdcMicros: text(values.maxDayUsdcMicros),
    maxExposureUsdcMicros: text(values.maxExposureUsdcMicros),
    maxOpenOrders: values.maxOpenOrders,
  };
}
