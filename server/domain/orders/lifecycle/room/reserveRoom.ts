import { type SQL, sql } from 'drizzle-orm';
import type { Chain } from '#server/chain/client.ts';
import { readCursor } from '#server/chain/cursor.ts';
import { readVaultRoom, type VaultRoom } from '#server/chain/vaultRoom.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import { batched } from '#server/platform/database/batched.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { restsSql, type TradeOrder } from '../orderRow.ts';
import { fillBy, ORDER_TTL_MS } from '../placingTime.ts';
import { type Candidate, decideRoom, type Held, type RoomDecision } from './decideRoom.ts';

type PendingRequest = Candidate & { placingMs: number };

type RoomDeps = { database: Database; chain: Chain };

/** The reader of the contracts' logs; room is decided at the block of its cursor. */
const CONTRACTS_CURSOR = 'contracts';
/** New blocks that may arrive during a decision; after that the order retries later. */
const MOST_TRIES = 4;

const candidatesOf = memoizeByObject((chain: Chain) =>
  memoizeByObject((database: Database) =>
    batched<PendingRequest, RoomDecision>((asking) => decideTogether({ database, chain }, asking), {
      underWay: 1,
    }),
  ),
);

/**
 * Reserves the vault's caps or funds that an order's delivery needs, before the order goes to the
 * exchange. The reservation lasts until the delivery's block has been read or the order is
 * refunded. Processes never reserve the same room. Concurrent orders share a statement.
 * @param placingMs time an order needs once it has room
 */
export async function reserveRoom(
  deps: RoomDeps,
  order: TradeOrder,
  placingMs: number,
): Promise<RoomDecision> {
  if (order.roomReservedAt !== null) return 'reserved';
  const { id, tradeAction, createdAt } = order;
  const usdcMicros = tradeAction === 'buy' ? order.quoteLimitUsdcMicros : order.contractMicros;
  const waitsUntil = new Date(fillBy(order).getTime() - placingMs);
  const candidate = { id, tradeAction, usdcMicros, createdAt, waitsUntil, placingMs };
  return (await candidatesOf(deps.chain)(deps.database)(candidate)) ?? 'wait';
}

/** The vault at the block of the last decision: read once per block. */
const lastRoomOf = memoizeByObject<Chain, { room?: VaultRoom }>(() => ({}));

async function decideTogether(
  { database, chain }: RoomDeps,
  asking: readonly PendingRequest[],
): Promise<Map<PendingRequest, RoomDecision>> {
  const last = lastRoomOf(chain);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const decisions = last.room && (await decideOnce(database, asking, last.room));
    if (decisions) return decisions;
    const cursor = await readCursor(database.orm, CONTRACTS_CURSOR);
    if (cursor?.blockHash) last.room = await readVaultRoom(chain, cursor.blockNumber);
  }
  return new Map();
}

/**
 * Decides at the block up to which logs are stored, because only there the vault's own count and
 * what orders hold beyond it add up to the whole.
 * @returns undefined when the logs are stored up to another block or branch
 */
async function decideOnce(
  { orm }: Database,
  asking: readonly PendingRequest[],
  room: VaultRoom,
): Promise<Map<PendingRequest, RoomDecision> | undefined> {
  return await orm.transaction(async (tx) => {
    const [, cursor, held, waiting] = await Promise.all([
      holdGuard(tx),
      readCursor(tx, CONTRACTS_CURSOR),
      readHeldRoom(tx, room.blockNumber),
      listWaiting(tx, Math.max(...asking.map((one) => one.placingMs))),
    ]);
    if (room.blockHash !== cursor?.blockHash) return undefined;
    const ids = new Set(asking.map((one) => one.id));
    const others = waiting.filter((one) => !ids.has(one.id));
    const judged = decideRoom({ room, held, candidates: [...asking, ...others], now: new Date() });
    const reserved = asking.filter((one) => judged.get(one.id) === 'reserved');
    const holders = await recordDecisions(tx, asking, reserved);
    const decisionOf = ({ id }: Candidate): RoomDecision => {
      if (holders.has(id)) return 'reserved';
      const decision = judged.get(id) ?? 'wait';
      // An order that has progressed meanwhile needs no room.
      return decision === 'reserved' ? 'wait' : decision;
    };
    return new Map(asking.map((one) => [one, decisionOf(one)]));
  });
}

/**
 * Locked until the transaction ends: processors reserve one after the other and see each other's
 * reservations. The commit may be asynchronous, since the following attempt's commit is durable.
 */
async function holdGuard(tx: Queryable): Promise<void> {
  await tx.execute(sql`select set_config('synchronous_commit', 'off', true),
    pg_advisory_xact_lock(hashtextextended('room', 0))`);
}

/** @returns the orders that hold room now, including earlier reservations */
async function recordDecisions(
  tx: Queryable,
  asking: readonly PendingRequest[],
  reserved: readonly Candidate[],
): Promise<Set<string>> {
  const idsOf = (candidates: readonly Candidate[]) =>
    sql`${sql.param(candidates.map((one) => one.id))}::uuid[]`;
  const { rows } = await tx.execute<{ id: string; holds: boolean }>(sql`
    with open as materialized (
      select id from orders
      where id = any(${idsOf(asking)}) and not is_complete and stage in ('request', 'place')
      order by id for update)
    update orders o set room_requested_at = now(),
      room_reserved_at = coalesce(o.room_reserved_at,
        case when o.id = any(${idsOf(reserved)}) then now() end)
    from open where o.id = open.id
    returning o.id, o.room_reserved_at is not null as holds`);
  return new Set(rows.filter((row) => row.holds).map((row) => row.id));
}

/** Waiting orders renew their request within this time; one that does not loses its place. */
const ASKED_WITHIN_SECONDS = 15;

/** The most an order can take of the vault's room: a sale brings at most a dollar a contract. */
const NEED = sql`coalesce(o.quote_usdc_micros,
  case o.trade_action when 'buy' then o.quote_limit_usdc_micros else o.contract_micros end)`;

/** Compared outside, so that only the index of orders fits: few events are of one order. */
const FILLED_IN_BLOCK = sql`(select min(e.block_number) from vault_events e
  where e.chain_order_id = o.chain_order_id and e.kind = 'filled')`;

/**
 * Orders whose delivery the vault does not count at a block: open ones with reserved room or an
 * exchange attempt, what resting ones have filled, and deliveries in later blocks.
 */
const holdersAt = (blockNumber: bigint): SQL => sql`
  select o.id, o.trade_action, o.quote_usdc_micros is not null as is_filled, ${NEED} as usdc
  from orders o
  where not o.is_complete and o.stage in ('request', 'place', 'deliver')
    and o.kind <> 'withdrawal' and not o.is_redemption and not ${restsSql('o')}
    and (o.status = 'executing' or o.room_reserved_at is not null)
    and coalesce(${FILLED_IN_BLOCK} > ${blockNumber}, true)
  union
  select o.id, o.trade_action, true, greatest(0, o.quote_usdc_micros - coalesce((
    select max(e.quote_total_micros) filter (where e.block_number <= ${blockNumber})
    from vault_events e
    where e.chain_order_id = o.chain_order_id and e.kind = 'partially_filled'), 0))
  from orders o
  where not o.is_complete and o.price_claimed_at is not null and o.stage in ('rest', 'deliver')
    and ${restsSql('o')} and o.filled_contract_micros > 0
  union
  select o.id, o.trade_action, true, sum(e.quote_usdc_micros)
  from vault_events e join orders o on o.chain_order_id = e.chain_order_id
  where e.kind in ('filled', 'partially_filled') and e.block_number > ${blockNumber}
    and o.is_complete
  group by o.id, o.trade_action`;

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
      least(o.expires_at,
        o.triggered_at + ${ORDER_TTL_MS} * interval '1 millisecond') as expires
    from orders o
    where not o.is_complete and o.stage in ('request', 'place') and o.status <> 'executing'
      and o.room_reserved_at is null and not ${restsSql('o')}
      and o.room_requested_at > now() - ${ASKED_WITHIN_SECONDS} * interval '1 second'`);
  return rows.map(({ id, action, usdc, created, expires }) => ({
    id,
    tradeAction: action,
    usdcMicros: BigInt(usdc),
    createdAt: new Date(created),
    waitsUntil: new Date(new Date(expires).getTime() - placingMs),
  }));
}
