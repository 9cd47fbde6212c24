import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * Things that must be done on chain, each exactly once: the outbox between an order's steps and
 * the signers. Operations of one kind that are ready together travel in one transaction.
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
        | 'register'
        | 'propose'
        | 'finalize'
      >()
      .notNull(),
    /** Counts the tries of one kind for one order: a new try only after a proven failure. */
    attempt: integer('attempt').notNull(),
    /** What the kind's encoder needs; amounts as decimal strings of micros. */
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
 * Signed transactions, stored before they are broadcast. The nonce belongs to the row for good: a
 * resumed process sends the same bytes again and never signs anew.
 */
export const chainTransactions = pgTable(
  'chain_transactions',
  {
    id: uuid('id').primaryKey(),
    signer: text('signer').notNull(),
    nonce: bigint('nonce', { mode: 'bigint' }).notNull(),
    raw: text('raw').notNull(),
    hash: text('hash').notNull(),
    /** Which version of it was mined: this row's, or one of its replacements. */
    minedHash: text('mined_hash'),
    /**
     * `lost`: it was confirmed, and the chain has since forgotten it; it will be sent again.
     * `superseded`: somebody else's transaction has used the nonce, so this one can never be mined.
     */
    state: text('state').$type<'signed' | 'confirmed' | 'lost' | 'superseded'>().notNull(),
    reverted: boolean('reverted'),
    blockNumber: bigint('block_number', { mode: 'bigint' }),
    blockHash: text('block_hash'),
    gasUsed: bigint('gas_used', { mode: 'bigint' }),
    signedAt: at('signed_at').notNull(),
    confirmedAt: at('confirmed_at'),
  },
  (table) => [
    unique('chain_transactions_nonce').on(table.signer, table.nonce),
    unique('chain_transactions_hash').on(table.hash),
    // One transaction in flight per signer, whoever tries.
    uniqueIndex('chain_transactions_in_flight').on(table.signer).where(sql`state = 'signed'`),
    // Asked for all the time, and there is hardly ever more than one.
    index('chain_transactions_unfinished')
      .on(table.signer, table.nonce)
      .where(sql`state in ('signed', 'lost')`),
  ],
);

/**
 * Later versions of transactions that paid too little to be mined: the same nonce and the same
 * call at a higher fee. Stored before they are broadcast, as the first version is.
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

/** Which process may sign with a key right now. */
export const chainSigners = pgTable('chain_signers', {
  address: text('address').primaryKey(),
  leaseToken: uuid('lease_token'),
  leaseUntil: at('lease_until'),
  /** When a process last asked for the key that another one held. */
  leaseRequestedAt: at('lease_requested_at'),
  /** How many keys that process held then. */
  requesterKeyCount: integer('requester_key_count'),
});

/** A block up to which the chain was read. */
export type ReadBlock = { number: string; hash: string };

/** How far the chain has been read, and the hash there, to notice a chain that went back. */
export const chainCursors = pgTable('chain_cursors', {
  name: text('name').primaryKey(),
  blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
  blockHash: text('block_hash').notNull(),
  /** Where reading stopped before, newest first: how far a fork goes back is found with them. */
  recentBlocks: jsonb('recent_blocks').$type<ReadBlock[]>().notNull().default([]),
  /** An admin wants everything after this block to be read again. */
  rereadFrom: bigint('reread_from', { mode: 'bigint' }),
  /** Logs were forgotten that are still to be read again; at the end all states are checked. */
  isRereading: boolean('is_rereading').notNull().default(false),
  leaseToken: uuid('lease_token'),
  leaseUntil: at('lease_until'),
  updatedAt: at('updated_at').notNull(),
});

/** When blocks were made that something stored here was read from. */
export const blockTimes = pgTable(
  'block_times',
  {
    blockNumber: bigint('block_number', { mode: 'bigint' }).primaryKey(),
    /** The chain's own time; null until it is read, and again once the chain went back. */
    at: at('at'),
  },
  (table) => [index('block_times_unread').on(table.blockNumber).where(sql`at is null`)],
);

/** What the vault logged about orders, whoever sent the transaction. */
export const vaultEvents = pgTable(
  'vault_events',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
    kind: text('kind').$type<'requested' | 'filled' | 'refunded'>().notNull(),
    chainOrderId: text('chain_order_id').notNull(),
    accountAddress: text('account_address').notNull(),
    clientRef: text('client_ref').notNull(),
    /** `filled` only. */
    filledContractMicros: bigint('filled_contract_micros', { mode: 'bigint' }),
    quoteUsdcMicros: bigint('quote_usdc_micros', { mode: 'bigint' }),
    /** `filled` and `refunded`: what of the input went back, in the input's own unit. */
    returnedMicros: bigint('returned_micros', { mode: 'bigint' }),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    index('vault_events_by_order').on(table.chainOrderId),
    index('vault_events_block').on(table.blockNumber),
    index('vault_events_requested').on(table.blockNumber).where(sql`kind = 'requested'`),
  ],
);

/** `Order` of the vault as it was logged; amounts and times as decimal strings. */
export type LoggedOrder = {
  account: string;
  receiver: string;
  marketKey: string;
  outcome: number;
  isBuy: boolean;
  quantity: string;
  quoteLimit: string;
  expiry: string;
  clientRef: string;
  salt: string;
};

/**
 * Inputs that somebody locked in the vault for an order that we never issued, or that had ended
 * before they came. They are sent back.
 */
export const orphanedRequests = pgTable(
  'orphaned_requests',
  {
    /** What the operations that send it back are about: the ended order, or an id of its own. */
    id: uuid('id').primaryKey(),
    accountId: text('account_id').notNull(),
    chainOrderId: text('chain_order_id').notNull(),
    kind: text('kind').$type<'unknown' | 'ended'>().notNull(),
    order: jsonb('order').$type<LoggedOrder>().notNull(),
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
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
    tokenId: text('token_id').notNull(),
    fromAddress: text('from_address').notNull(),
    toAddress: text('to_address').notNull(),
    contractMicros: bigint('contract_micros', { mode: 'bigint' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex, table.batchIndex] }),
    index('token_transfers_to').on(table.toAddress, table.tokenId),
    index('token_transfers_from').on(table.fromAddress, table.tokenId),
    index('token_transfers_block').on(table.blockNumber),
  ],
);
