import { bigint, index, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';

/**
 * Double entry: the lines of one posting of one order add up to zero for each asset. A posting is posted
 * in the transaction of the transition it belongs to, once.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: uuid('id').primaryKey(),
    accountId: text('account_id').notNull(),
    orderId: uuid('order_id').notNull(),
    posting: text('posting').notNull(),
    /** Where the value is, for example `user:0x…`, `escrow`, `house`, `exchange`. */
    account: text('account').notNull(),
    /** `usdc` or `token:<ticker>:<side>`. */
    asset: text('asset').notNull(),
    amountMicros: bigint('amount_micros', { mode: 'bigint' }).notNull(),
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    unique('ledger_entries_once').on(table.orderId, table.posting, table.account, table.asset),
    index('ledger_entries_by_account').on(table.account, table.asset),
  ],
);
