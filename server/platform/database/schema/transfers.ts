import {
  bigint,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const micros = (name: string) => bigint(name, { mode: 'bigint' });

/** Accounts whose USDC the books follow, from the block at which they became known. */
export const usdcAccounts = pgTable(
  'usdc_accounts',
  {
    /** Checksummed address. */
    address: text('address').primaryKey(),
    openedAtBlock: bigint('opened_at_block', { mode: 'bigint' }).notNull(),
    openingUsdcMicros: micros('opening_usdc_micros').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('usdc_accounts_block').on(table.openedAtBlock)],
);

/** Transfers of USDC from or to accounts that the books follow, as the chain logged them. */
export const usdcTransfers = pgTable(
  'usdc_transfers',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
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

/** What was booked because of the chain alone, so that it can be taken back when blocks vanish. */
export const chainPostings = pgTable(
  'chain_postings',
  {
    postingId: uuid('posting_id').primaryKey(),
    /** The transaction, or the account whose opening balance it is. */
    reference: text('reference').notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
  },
  (table) => [
    unique('chain_postings_reference').on(table.reference),
    index('chain_postings_block').on(table.blockNumber),
  ],
);

/** Withdrawals of ours that the chain has seen: the reference that an account uses once is the intent's id. */
export const withdrawalEvents = pgTable(
  'withdrawal_events',
  {
    orderId: uuid('order_id').primaryKey(),
    accountAddress: text('account_address').notNull(),
    transactionHash: text('transaction_hash').notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
  },
  (table) => [index('withdrawal_events_block').on(table.blockNumber)],
);
