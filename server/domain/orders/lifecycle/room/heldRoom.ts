import { type SQL, sql } from 'drizzle-orm';
import { readCursor } from '#server/chain/cursor.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import type { Candidate, Held } from './decideRoom.ts';

/** Waiting orders renew their request within this time; one that does not loses its place. */
const ASKED_WITHIN_SECONDS = 15;

/** The most an order can take of the vault's room: a sale brings at most a dollar a contract. */
const NEED = sql`coalesce(o.quote_usdc_micros,
  case o.trade_action when 'buy' then o.quote_limit_usdc_micros else o.contract_micros end)`;

const FILLED = sql`select 1 from vault_events e
  where e.chain_order_id = o.chain_order_id and e.kind = 'filled'`;

/**
 * Orders whose delivery the vault does not count at a block: open ones with reserved room or an
 * exchange attempt, and deliveries in later blocks.
 */
const holdersAt = (blockNumber: bigint): SQL => sql`
  select o.id, o.trade_action, o.quote_usdc_micros is not null as is_filled, ${NEED} as usdc
  from orders o
  where not o.is_complete and o.stage in ('request', 'place', 'deliver')
    and o.kind <> 'withdrawal' and not o.is_redemption
    and (o.status = 'executing' or o.room_reserved_at is not null)
    and not exists (${FILLED} and e.block_number <= ${blockNumber})
  union
  select o.id, o.trade_action, true, ${NEED}
  from vault_events e join orders o on o.chain_order_id = e.chain_order_id
  where e.kind = 'filled' and e.block_number > ${blockNumber} and o.is_complete`;

export type HeldRoom = Record<TradeAction, Held & { orders: number }>;

/**
 * The room that orders hold beyond what the vault counts at a block.
 * @param blockNumber up to which the contracts' logs are stored; defaults to the latest such block
 */
export async function readHeldRoom(db: Queryable, blockNumber?: bigint): Promise<HeldRoom> {
  const at = blockNumber ?? (await readCursor(db, 'contracts'))?.blockNumber ?? 0n;
  const { rows } = await db.execute<{
    action: TradeAction;
    orders: number;
    usdc: string;
    filled: string;
  }>(sql`
    select trade_action as action, count(*)::int as orders, sum(usdc)::text as usdc,
      coalesce(sum(usdc) filter (where is_filled), 0)::text as filled
    from (${holdersAt(at)}) as h group by trade_action`);
  const of = (action: TradeAction) => {
    const row = rows.find((one) => one.action === action);
    return {
      orders: row?.orders ?? 0,
      usdcMicros: BigInt(row?.usdc ?? 0),
      filledUsdcMicros: BigInt(row?.filled ?? 0),
    };
  };
  return { buy: of('buy'), sell: of('sell') };
}

/**
 * Orders that wait for room and have renewed their request recently.
 * @param placingMs time an order needs once it has room
 */
export async function listWaiting(db: Queryable, placingMs: number): Promise<Candidate[]> {
  const { rows } = await db.execute<{
    id: string;
    action: TradeAction;
    usdc: string;
    created: Date;
    expires: Date;
  }>(sql`
    select o.id, o.trade_action as action, ${NEED}::text as usdc, o.created_at as created,
      o.expires_at as expires
    from orders o
    where not o.is_complete and o.stage in ('request', 'place') and o.status <> 'executing'
      and o.room_reserved_at is null
      and o.room_requested_at > now() - ${ASKED_WITHIN_SECONDS} * interval '1 second'`);
  return rows.map(({ id, action, usdc, created, expires }) => ({
    id,
    tradeAction: action,
    usdcMicros: BigInt(usdc),
    createdAt: new Date(created),
    waitsUntil: new Date(new Date(expires).getTime() - placingMs),
  }));
}
