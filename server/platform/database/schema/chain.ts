import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { OrderMessage } from '#lib/order/orderToSign.ts';
import { at, int8, micros } from './columns.ts';

/**
 * Calls that must happen on chain exactly once: the outbox between an order's steps and the
 * signers. Ready operations of one kind share a transaction.
 */
export const chainOperations = pgTable(
  'chain_operations',
  {
    id: uuid('id').primaryKey(),
    accountId: text('account_id').notNull(),
    orderId: uuid('order_id').notNull(),
    kind: text('kind')
      .$type<
        | 'grant'
        | 'request'
        | 'attest'
        | 'fill'
        | 'refund'
        | 'withdraw'
        | 'redeem'
        | 'relay'
        | 'register'
        | 'propose'
        | 'finalize'
      >()
      .notNull(),
    /** Counts attempts of one kind for one order; a new one follows only a proven failure. */
    attempt: integer('attempt').notNull(),
    /** The encoder's input; amounts as decimal strings of micros. */
    args: jsonb('args').notNull(),
    state: text('state').$type<'ready' | 'sent' | 'succeeded' | 'failed'>().notNull(),
    transactionId: uuid('transaction_id'),
    failure: text('failure'),
    createdAt: at('created_at').notNull(),
    resolvedAt: at('resolved_at'),
  },
  (table) => [
    unique('chain_operations_once').on(table.orderId, table.kind, table.attempt),
    index('chain_operations_ready').on(table.kind, table.createdAt).where(sql`state = 'ready'`),
    index('chain_operations_by_transaction').on(table.transactionId),
    index('chain_operations_open_grants')
      .on(table.accountId)
      .where(sql`kind = 'grant' and state in ('ready', 'sent')`),
  ],
);

/**
 * Signed transactions, stored before they are broadcast. The row owns its nonce permanently: a
 * restarted process sends the same bytes again and never signs anew.
 */
export const chainTransactions = pgTable(
  'chain_transactions',
  {
    id: uuid('id').primaryKey(),
    signer: text('signer').notNull(),
    nonce: int8('nonce').notNull(),
    raw: text('raw').notNull(),
    hash: text('hash').notNull(),
    /** The mined version: this row's, or one of its replacements. */
    minedHash: text('mined_hash'),
    /**
     * `lost`: a reorganisation removed the confirmed transaction; it will be sent again.
     * `superseded`: a foreign transaction used the nonce, so this one can never be mined.
     */
    state: text('state').$type<'signed' | 'confirmed' | 'lost' | 'superseded'>().notNull(),
    reverted: boolean('reverted'),
    blockNumber: int8('block_number'),
    blockHash: text('block_hash'),
    gasUsed: int8('gas_used'),
    signedAt: at('signed_at').notNull(),
    confirmedAt: at('confirmed_at'),
  },
  (table) => [
    unique('chain_transactions_nonce').on(table.signer, table.nonce),
    unique('chain_transactions_hash').on(table.hash),
    // One transaction in flight per signer, over all processes.
    uniqueIndex('chain_transactions_in_flight').on(table.signer).where(sql`state = 'signed'`),
    // Queried constantly; rarely matches more than one row.
    index('chain_transactions_unfinished')
      .on(table.signer, table.nonce)
      .where(sql`state in ('signed', 'lost')`),
    // Compared with each new block of the chain.
    index('chain_transactions_confirmed').on(table.blockNumber).where(sql`state = 'confirmed'`),
  ],
);

/**
 * Later versions of transactions whose fee was too low: the same nonce and call at a higher fee.
 * Stored before they are broadcast, like the first version.
 */
export const chainReplacements = pgTable(
  'chain_replacements',
  {
    hash: text('hash').primaryKey(),
    transactionId: uuid('transaction_id').notNull(),
    raw: text('raw').notNull(),
    signedAt: at('signed_at').notNull(),
  },
  (table) => [index('chain_replacements_by_transaction').on(table.transactionId)],
);

/** The process that may sign with a key now. */
export const chainSigners = pgTable('chain_signers', {
  address: text('address').primaryKey(),
  leaseToken: uuid('lease_token'),
  leaseUntil: at('lease_until'),
  /** When a process last requested the key while another held it. */
  leaseRequestedAt: at('lease_requested_at'),
  /** How many keys the requesting process held. */
  requesterKeyCount: integer('requester_key_count'),
});

/** A block that a reader has reached. */
export type ReadBlock = { number: string; hash: string };

/** The progress of each chain reader; the block hash reveals a reorganisation. */
export const chainCursors = pgTable('chain_cursors', {
  name: text('name').primaryKey(),
  blockNumber: int8('block_number').notNull(),
  blockHash: text('block_hash').notNull(),
  /** Earlier positions, newest first: they show how far back a fork goes. */
  recentBlocks: jsonb('recent_blocks').$type<ReadBlock[]>().notNull().default([]),
  /** An admin requested to read everything after this block again. */
  rereadFrom: int8('reread_from'),
  /** Deleted logs are still being read again; all states are checked at the end. */
  isRereading: boolean('is_rereading').notNull().default(false),
  leaseToken: uuid('lease_token'),
  leaseUntil: at('lease_until'),
  updatedAt: at('updated_at').notNull(),
});

/** Timestamps of the blocks that stored logs come from. */
export const blockTimes = pgTable(
  'block_times',
  {
    blockNumber: int8('block_number').primaryKey(),
    /** The chain's own time; null until it is read, and after a reorganisation. */
    at: at('at'),
  },
  (table) => [index('block_times_unread').on(table.blockNumber).where(sql`at is null`)],
);

/** The vault's logs about orders, from any sender. */
export const vaultEvents = pgTable(
  'vault_events',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: int8('block_number').notNull(),
    /** `filled` ends the order; `partially_filled` and `end_requested` leave it open. */
    kind: text('kind')
      .$type<'requested' | 'partially_filled' | 'filled' | 'refunded' | 'end_requested'>()
      .notNull(),
    chainOrderId: text('chain_order_id').notNull(),
    accountAddress: text('account_address').notNull(),
    clientRef: text('client_ref').notNull(),
    /** Fills: what this delivery moved. */
    filledContractMicros: micros('filled_contract_micros'),
    quoteUsdcMicros: micros('quote_usdc_micros'),
    /** Fills: the order's totals after it. */
    filledTotalMicros: micros('filled_total_micros'),
    quoteTotalMicros: micros('quote_total_micros'),
    /** `end_requested`: until when fills may still be delivered. */
    endsAt: at('ends_at'),
    /** `filled` and `refunded`: the returned input, in its own unit. */
    returnedMicros: micros('returned_micros'),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    index('vault_events_by_order').on(table.chainOrderId),
    index('vault_events_block').on(table.blockNumber),
    index('vault_events_requested').on(table.blockNumber).where(sql`kind = 'requested'`),
  ],
);

/**
 * Inputs locked in the vault for an order that was never issued, or had already ended. The service
 * returns them.
 */
export const orphanedRequests = pgTable(
  'orphaned_requests',
  {
    /** The target of the returning operations: the ended order, or a new id. */
    id: uuid('id').primaryKey(),
    accountId: text('account_id').notNull(),
    chainOrderId: text('chain_order_id').notNull(),
    kind: text('kind').$type<'unknown' | 'ended'>().notNull(),
    order: jsonb('order').$type<OrderMessage>().notNull(),
    state: text('state').$type<'open' | 'returned'>().notNull(),
    requestHash: text('request_hash').notNull(),
    returnHash: text('return_hash'),
    createdAt: at('created_at').notNull(),
    resolvedAt: at('resolved_at'),
  },
  (table) => [
    unique('orphaned_requests_chain_order_id').on(table.chainOrderId),
    index('orphaned_requests_open').on(table.createdAt).where(sql`state = 'open'`),
  ],
);

/** Transfers of outcome tokens as the chain logged them. */
export const tokenTransfers = pgTable(
  'token_transfers',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    /** Position inside a batch transfer; 0 for a single one. */
    batchIndex: integer('batch_index').notNull(),
    blockNumber: int8('block_number').notNull(),
    tokenId: text('token_id').notNull(),
    fromAddress: text('from_address').notNull(),
    toAddress: text('to_address').notNull(),
    contractMicros: micros('contract_micros').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex, table.batchIndex] }),
    index('token_transfers_to').on(table.toAddress, table.tokenId),
    index('token_transfers_from').on(table.fromAddress, table.tokenId),
    index('token_transfers_block').on(table.blockNumber),
  ],
);
