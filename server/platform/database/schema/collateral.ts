import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Transfers of our cash between shards of the exchange, each stored before it is sent. */
export const exchangeTransfers = pgTable(
  'exchange_transfers',
  {
    id: uuid('id').primaryKey(),
    source: integer('source_shard').notNull(),
    destination: integer('destination_shard').notNull(),
    /** Unlike that of any recent transfer of the pair, so that it can be found by it. */
    amountMicros: bigint('amount_micros', { mode: 'bigint' }).notNull(),
    /**
     * `pending`: the exchange has taken the cash from the source, and it has not arrived.
     * `failed`: it certainly moved nothing.
     */
    state: text('state')
      .$type<'stored' | 'unknown' | 'pending' | 'complete' | 'failed'>()
      .notNull(),
    code: text('code'),
    exchangeTransferId: text('exchange_transfer_id'),
    /** The time that it is signed with. */
    storedAt: at('stored_at').notNull(),
    endedAt: at('ended_at'),
  },
  (table) => [
    uniqueIndex('exchange_transfers_open')
      .on(table.source, table.destination)
      .where(sql`ended_at is null`),
    uniqueIndex('exchange_transfers_by_exchange_id').on(table.exchangeTransferId),
    index('exchange_transfers_by_time').on(table.storedAt),
  ],
);

/** Our cash on each shard and what the shard does, as the exchange last reported it. */
export const exchangeShards = pgTable('exchange_shards', {
  shard: integer('shard').primaryKey(),
  /** The exchange's description of it; empty when it names no shards. */
  name: text('name').notNull(),
  balanceMicros: bigint('balance_micros', { mode: 'bigint' }).notNull(),
  tradingActive: boolean('trading_active').notNull(),
  transfersActive: boolean('transfers_active').notNull(),
  readAt: at('read_at').notNull(),
});

/** Of the release before; nothing reads it any more. */
export const collateralLease = pgTable('collateral_lease', {
  name: text('name').primaryKey(),
  leaseUntil: at('lease_until').notNull(),
});
