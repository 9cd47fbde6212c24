import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { isUnclaimed } from '#server/platform/database/schema/unclaimedOrder.ts';
import type { LimitScope, LimitValues } from './limits.ts';

/** What already counts against the limits of one subject. */
export type Usage = { dayUsdcMicros: bigint; exposureUsdcMicros: bigint; openOrders: number };

export type Excess = {
  scope: LimitScope;
  which: 'order' | 'day' | 'exposure' | 'open';
  limit: bigint;
  left: bigint;
};

/**
 * The limits that a purchase with this price limit would exceed. Exactly reaching a limit is
 * allowed.
 */
export function findExcesses(
  scope: LimitScope,
  limits: LimitValues,
  usage: Usage,
  quoteLimitUsdcMicros: bigint,
): Excess[] {
  const { maxOrderUsdcMicros, maxDayUsdcMicros, maxExposureUsdcMicros } = limits;
  const maxOpenOrders = limits.maxOpenOrders === null ? null : BigInt(limits.maxOpenOrders);
  const checks = [
    ['order', maxOrderUsdcMicros, 0n, quoteLimitUsdcMicros],
    ['day', maxDayUsdcMicros, usage.dayUsdcMicros, quoteLimitUsdcMicros],
    ['exposure', maxExposureUsdcMicros, usage.exposureUsdcMicros, quoteLimitUsdcMicros],
    ['open', maxOpenOrders, BigInt(usage.openOrders), 1n],
  ] as const;
  return checks.flatMap(([which, limit, used, adds]) =>
    limit === null || used + adds <= limit
      ? []
      : { scope, which, limit, left: limit > used ? limit - used : 0n },
  );
}

const COLUMN = {
  key: sql`o.api_key_id`,
  account: sql`o.account_id`,
  market: sql`o.ticker`,
} as const satisfies Record<LimitScope, unknown>;

export type Counted =
  | 'all'
  | { allBut: string }
  /** `takenAt` undefined: it is the newest of all. */
  | { before: { id: string; takenAt: Date | undefined } };

/**
 * When an order began to count. One without a token counts from the moment its funds were locked,
 * however long after its creation.
 */
const TAKEN_AT = sql`case when o.without_token
  then coalesce(o.balance_validated_at, 'infinity') else o.created_at end`;

/**
 * What counts against the limits of a subject: maximum costs of open purchases and costs of ended
 * ones, less the proceeds of sales. Markets that the exchange has settled no longer count.
 * `counted` selects the purchases: all, all but one, or those before one. An order without a token
 * counts only once it is requested on chain.
 */
export async function readUsage(
  db: Queryable,
  { scope, subject }: { scope: LimitScope; subject: string },
  counted: Counted,
): Promise<Usage> {
  const others =
    counted === 'all'
      ? sql`true`
      : 'before' in counted
        ? sql`(${TAKEN_AT}, o.id) < (${counted.before.takenAt?.toISOString() ?? 'infinity'}::timestamptz, ${counted.before.id}::uuid)`
        : sql`o.id <> ${counted.allBut}`;
  const { rows } = await db.execute<{ day: string; exposure: string; open: number }>(sql`
    with counted as (
      select o.trade_action, o.is_complete, o.created_at, o.ticker,
        case when o.status = 'failed' then 0
          when not o.is_complete and o.time_in_force in ('GTC', 'GTD') then o.quote_limit_usdc_micros
          else coalesce(o.quote_usdc_micros, case when o.is_complete then 0 else o.quote_limit_usdc_micros end)
        end as usdc
      from orders o
      where ${COLUMN[scope]} = ${subject} and o.kind <> 'withdrawal' and not o.is_redemption
        and not ${isUnclaimed('o')} and ${others}
    )
    select
      coalesce(sum(usdc) filter (where trade_action = 'buy'
        and created_at > now() - interval '24 hours'), 0)::text as day,
      coalesce(sum(case when trade_action = 'buy' then usdc when is_complete then -usdc else 0 end)
        filter (where not exists (
          select 1 from market_settlements s where s.ticker = counted.ticker)), 0)::text as exposure,
      (count(*) filter (where trade_action = 'buy' and not is_complete))::int as open
    from counted`);
  const [row] = rows;
  const exposure = BigInt(row?.exposure ?? 0);
  return {
    dayUsdcMicros: BigInt(row?.day ?? 0),
    exposureUsdcMicros: exposure > 0n ? exposure : 0n,
    openOrders: row?.open ?? 0,
  };
}
