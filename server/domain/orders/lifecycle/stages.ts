import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import type { OrderStage } from '#server/platform/database/schema/orders.ts';

/** Open orders of one stage, and the funds they tie up. */
export type StageLoad = {
  stage: Exclude<OrderStage, 'done'>;
  open: number;
  /** Age of the oldest order. */
  oldestSeconds: number;
  /** USDC that is locked in the vault, about to be, or on its way out. */
  usdcMicros: bigint;
  /** Outcome tokens, likewise. */
  contractMicros: bigint;
};

export const OPEN_STAGES = [
  'request',
  'place',
  'deliver',
  'refund',
  'withdraw',
  'redeem',
  'unwind',
] as const;

/** Every stage, including empty ones. Reads only open orders, by their index. */
export async function readStages(deps: { database: Database }): Promise<StageLoad[]> {
  const { rows } = await deps.database.orm.execute<{
    stage: string;
    open: number;
    oldest: number;
    usdc: string;
    contracts: string;
  }>(sql`
    select stage, count(*)::int as open,
      greatest(0, extract(epoch from now() - min(created_at)))::float8 as oldest,
      coalesce(sum(case when is_unwinding then 0 when kind = 'withdrawal' then
          case when withdraw_token_id is null then withdraw_micros else 0 end
        when trade_action = 'buy' then quote_limit_usdc_micros else 0 end), 0)::text as usdc,
      coalesce(sum(case when is_unwinding then 0 when kind = 'withdrawal' then
          case when withdraw_token_id is null then 0 else withdraw_micros end
        when trade_action = 'sell' then contract_micros else 0 end), 0)::text as contracts
    from orders where not is_complete or is_unwinding group by stage`);
  return OPEN_STAGES.map((stage) => {
    const row = rows.find((one) => one.stage === stage);
    return {
      stage,
      open: row?.open ?? 0,
      oldestSeconds: row?.oldest ?? 0,
      usdcMicros: BigInt(row?.usdc ?? 0),
      contractMicros: BigInt(row?.contracts ?? 0),
    };
  });
}
