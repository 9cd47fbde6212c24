import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/client.ts';
import type { TradeAction } from '#server/venue/port.ts';
import type { Candidate, Held } from './decideRoom.ts';

/** Waiting orders ask again before this; one that does not has lost its place. */
const ASKED_WITHIN_SECONDS = 15;

/** Where the contracts' logs have been read to: what the vault has delivered up to there is its own to count. */
const READ_TO = sql`(select block_number from chain_cursors where name = 'contracts')`;

/** What an order can take of the vault's room: a sale brings at most a dollar a contract. */
const NEED = sql`coalesce(o.quote_usdc_micros,
  case o.trade_action when 'buy' then o.limit_usdc_micros else o.contract_micros end)`;

const FILLED = sql`select 1 from vault_events e
  where e.chain_order_id = o.chain_order_id and e.kind = 'filled'`;

/**
 * Orders whose delivery the vault does not count at the block up to which it is read: open ones that
 * have reserved room or that the exchange was asked for, and what was delivered in later blocks.
 */
const HOLDERS: SQL = sql`
  select o.id, o.trade_action, o.quote_usdc_micros is not null as is_filled, ${NEED} as usdc
  from orders o
  where not o.is_complete and o.stage in ('request', 'place', 'settle')
    and o.kind <> 'withdrawal' and not o.is_redemption
    and (o.status = 'executing' or o.room_reserved_at is not null)
    and not exists (${FILLED} and e.block_number <= ${READ_TO})
  union
  select o.id, o.trade_action, true, ${NEED}
  from vault_events e join orders o on o.chain_order_id = e.chain_order_id
  where e.kind = 'filled' and e.block_number > ${READ_TO} and o.is_complete`;

/** What is held, and the block up to which the vault counts deliveries itself. */
export type HeldRoom = {
  held: Record<TradeAction, Held & { orders: number }>;
  readTo: { blockNumber: bigint; blockHash: string } | undefined;
};

export async function readHeldRoom(db: Queryable): Promise<HeldRoom> {
  const { rows } = await db.execute<{
    action: TradeAction;
    orders: number;
    usdc: string;
    filled: string;
    number: string | null;
    hash: string | null;
  }>(sql`
    select a.action, count(h.id)::int as orders, coalesce(sum(h.usdc), 0)::text as usdc,
      coalesce(sum(h.usdc) filter (where h.is_filled), 0)::text as filled,
      c.block_number::text as number, c.block_hash as hash
    from (values ('buy'), ('sell')) as a (action)
    left join (${HOLDERS}) as h on h.trade_action = a.action
    left join chain_cursors c on c.name = 'contracts'
    group by a.action, c.block_number, c.block_hash`);
  const of = (action: TradeAction) => {
    const row = rows.find((one) => one.action === action);
    return {
      orders: row?.orders ?? 0,
      usdcMicros: BigInt(row?.usdc ?? 0),
      filledUsdcMicros: BigInt(row?.filled ?? 0),
    };
  };
  const [row] = rows;
  return {
    held: { buy: of('buy'), sell: of('sell') },
    readTo:
      row?.number && row.hash
        ? { blockNumber: BigInt(row.number), blockHash: row.hash }
        : undefined,
  };
}

/**
 * Orders that wait for room, and have said so lately.
 * @param placingMs what an order needs of its time once it has room
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
      and o.room_asked_at > now() - ${ASKED_WITHIN_SECONDS} * interval '1 second'`);
  return rows.map(({ id, action, usdc, created, expires }) => ({
    id,
    tradeAction: action,
    usdcMicros: BigInt(usdc),
    createdAt: new Date(created),
    waitsUntil: new Date(new Date(expires).getTime() - placingMs),
  }));
}
