import {
  findShardTransfer,
  listShardTransfers,
  type ShardTransfer,
  startTransfer,
} from '../shardTransfers.ts';
import {
  badParameter,
  decodeCursor,
  encodeCursor,
  fieldsOf,
  integer,
  notFound,
  ok,
  type Route,
} from './route.ts';
import { dollars } from './wire.ts';

export const TRANSFER_PATH = '/portfolio/intra_exchange_instance_transfer';
const LIST_PATH = '/portfolio/intra_exchange_instance_transfers';

const INSTANCE = 'event_contract';
/** Transfers count in centicents. */
const CENTICENT_MICROS = 100n;

function transferWire(transfer: ShardTransfer) {
  return {
    transfer_id: transfer.transferId,
    source: INSTANCE,
    destination: INSTANCE,
    source_exchange_shard: transfer.source,
    destination_exchange_shard: transfer.destination,
    amount: dollars(transfer.amountMicros),
    status: transfer.status,
    created_ts: Math.floor(transfer.createdAt / 1000),
  };
}

/** @throws {Refusal} */
function whole(value: unknown, name: string, least: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw badParameter(`${name} must be an integer of at least ${least}`);
}

export const shardRoutes: Route[] = [
  {
    keyed: true,
    write: true,
    method: 'POST',
    path: TRANSFER_PATH,
    async handle({ exchange, account, body }) {
      const fields = fieldsOf(body);
      if (fields.source !== INSTANCE || fields.destination !== INSTANCE) {
        throw badParameter(`source and destination must be ${INSTANCE}`);
      }
      const transfer = startTransfer(exchange, account, {
        source: whole(fields.source_exchange_shard ?? 0, 'source_exchange_shard', 0),
        destination: whole(fields.destination_exchange_shard ?? 0, 'destination_exchange_shard', 0),
        amountMicros: BigInt(whole(fields.amount, 'amount', 1)) * CENTICENT_MICROS,
      });
      await exchange.store.durable();
      return ok({ transfer_id: transfer.transferId });
    },
  },
  {
    keyed: true,
    method: 'GET',
    path: '/portfolio/target_balance_allocation',
    handle: () => ok({ allocations: [], resting_margin_reservation: 'max' }),
  },
  {
    keyed: true,
    method: 'GET',
    path: LIST_PATH,
    handle({ exchange, account, query }) {
      const limit = integer(query, 'limit', { least: 1, most: 500, fallback: 100 });
      const offset = Number(decodeCursor(query) ?? '0');
      const found = listShardTransfers(exchange, account, { limit: limit + 1, offset });
      return ok({
        transfers: found.slice(0, limit).map(transferWire),
        ...(found.length > limit ? { cursor: encodeCursor(String(offset + limit)) } : {}),
      });
    },
  },
  {
    keyed: true,
    method: 'GET',
    path: `${LIST_PATH}/*`,
    handle({ exchange, account, params }) {
      const transfer = findShardTransfer(exchange, account, params[0] ?? '');
      if (!transfer) throw notFound('transfer');
      return ok({ transfer: transferWire(transfer) });
    },
  },
];
