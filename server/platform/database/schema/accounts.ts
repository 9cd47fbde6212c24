import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { at, int8, micros } from './columns.ts';

/** Smart accounts that the service knows, with their owners; deployed or not. */
export const accounts = pgTable('accounts', {
  /** Checksummed address of the smart account. */
  id: text('id').primaryKey(),
  ownerAddress: text('owner_address').notNull().unique('accounts_owner'),
  /** Whether tokens of settled markets are redeemed automatically. */
  autoRedeem: boolean('auto_redeem').notNull().default(true),
  createdAt: at('created_at').notNull().defaultNow(),
});

/** What an owner saved in the browser: watchlist, names of addresses, preferences. */
export const savedItems = pgTable('saved_items', {
  ownerAddress: text('owner_address').primaryKey(),
  /** Counts the changes; streams report it. */
  version: integer('version').notNull(),
  /** All items, encrypted. */
  sealed: text('sealed').notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});

/** Permissions that owners signed. The highest nonce of an account is in force. */
export const grants = pgTable(
  'grants',
  {
    accountId: text('account_id').notNull(),
    nonce: int8('nonce').notNull(),
    operator: text('operator').notNull(),
    /** Unix seconds, as signed. */
    validUntil: int8('valid_until').notNull(),
    withdrawAnywhere: boolean('withdraw_anywhere').notNull(),
    maxPerOrderUsdcMicros: micros('max_per_order_usdc_micros').notNull(),
    maxPerDayUsdcMicros: micros('max_per_day_usdc_micros').notNull(),
    maxWithdrawPerDayUsdcMicros: micros('max_withdraw_per_day_usdc_micros').notNull(),
    /** The session key as signed: its kind and 32 bytes, both zero without one. */
    keyKind: integer('key_kind').notNull().default(0),
    key: text('key')
      .notNull()
      .default(`0x${'0'.repeat(64)}`),
    signature: text('signature').notNull(),
    status: text('status').$type<'recorded' | 'relayed'>().notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    relayedAt: at('relayed_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.nonce] })],
);
