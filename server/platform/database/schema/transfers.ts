import { index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { at, int8, micros } from './columns.ts';

/** Accounts whose USDC the ledger follows, from the block at which they became known. */
export const usdcAccounts = pgTable(
  'usdc_accounts',
  {
    /** Checksummed address. */
    address: text('address').primaryKey(),
    openedAtBlock: int8('opened_at_block').notNull(),
    openingUsdcMicros: micros('opening_usdc_micros').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('usdc_accounts_block').on(table.openedAtBlock)],
);

/** Logged transfers of USDC from or to followed accounts. */
export const usdcTransfers = pgTable(
  'usdc_transfers',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: int8('block_number').notNull(),
    fromAddress: text('from_address').notNull(),
    toAddress: text('to_address').notNull(),
    usdcMicros: micros('usdc_micros').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    index('usdc_transfers_from').on(table.fromAddress),
    index('usdc_transfers_to').on(table.toAddress),
    index('usdc_transfers_block').on(table.blockNumber),
  ],
);

/** Postings caused by logs alone, so that a reorganisation can revert them. */
export const chainPostings = pgTable(
  'chain_postings',
  {
    postingId: uuid('posting_id').primaryKey(),
    /** The transaction, or the account of an opening balance. */
    reference: text('reference').notNull(),
    blockNumber: int8('block_number').notNull(),
  },
  (table) => [
    unique('chain_postings_reference').on(table.reference),
    index('chain_postings_block').on(table.blockNumber),
  ],
);

/** Logged withdrawals. The reference, which an account accepts once, is the order's id. */
export const withdrawalEvents = pgTable(
  'withdrawal_events',
  {
    orderId: uuid('order_id').primaryKey(),
    accountAddress: text('account_address').notNull(),
    transactionHash: text('transaction_hash').notNull(),
    blockNumber: int8('block_number').notNull(),
  },
  (table) => [index('withdrawal_events_block').on(table.blockNumber)],
);
