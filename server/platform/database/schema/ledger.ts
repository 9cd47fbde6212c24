import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { at, micros } from './columns.ts';

/**
 * Double entry: the lines of one posting add up to zero for each asset. A posting is written once,
 * in the transaction of its transition.
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
    amountMicros: micros('amount_micros').notNull(),
    at: at('at').notNull(),
  },
  (table) => [
    unique('ledger_entries_once').on(table.orderId, table.posting, table.account, table.asset),
    index('ledger_entries_by_account').on(table.account, table.asset),
  ],
);
