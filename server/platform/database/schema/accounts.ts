import { bigint, boolean, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const micros = (name: string) => bigint(name, { mode: 'bigint' });

/** Smart accounts that the service has met, by their owner; deployed or not. */
export const accounts = pgTable('accounts', {
  /** Checksummed address of the smart account. */
  id: text('id').primaryKey(),
  ownerAddress: text('owner_address').notNull().unique('accounts_owner'),
  /** The owner wants tokens of settled markets paid out without being asked. */
  autoRedeem: boolean('auto_redeem').notNull().default(false),
  createdAt: at('created_at').notNull().defaultNow(),
});

/** Permissions that owners signed. The newest nonce of an account is the one that counts. */
export const grants = pgTable(
  'grants',
  {
    accountId: text('account_id').notNull(),
    nonce: bigint('nonce', { mode: 'bigint' }).notNull(),
    operator: text('operator').notNull(),
    /** Unix seconds, as signed. */
    validUntil: bigint('valid_until', { mode: 'bigint' }).notNull(),
    withdrawAnywhere: boolean('withdraw_anywhere').notNull(),
    maxPerOrderUsdcMicros: micros('max_per_order_usdc_micros').notNull(),
    maxPerDayUsdcMicros: micros('max_per_day_usdc_micros').notNull(),
    maxWithdrawPerDayUsdcMicros: micros('max_withdraw_per_day_usdc_micros').notNull(),
    signature: text('signature').notNull(),
    status: text('status').$type<'recorded' | 'relayed'>().notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    relayedAt: at('relayed_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.nonce] })],
);
