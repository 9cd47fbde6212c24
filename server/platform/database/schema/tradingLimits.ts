import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { at, micros } from './columns.ts';

/** The most that may be bought with a key, by an account or on a market; null means no limit. */
export const tradingLimits = pgTable(
  'trading_limits',
  {
    scope: text('scope').$type<'key' | 'account' | 'market'>().notNull(),
    /** A key's id, an account's address or a ticker; `*` for all without their own entry. */
    subject: text('subject').notNull(),
    /** For one purchase. */
    maxOrderUsdcMicros: micros('max_order_usdc_micros'),
    /** For purchases of the last 24 hours: their cost, or the price limit while they are open. */
    maxDayUsdcMicros: micros('max_day_usdc_micros'),
    /** For held contracts at their cost, and open purchases at their price limit. */
    maxExposureUsdcMicros: micros('max_exposure_usdc_micros'),
    /** Open purchases. */
    maxOpenOrders: integer('max_open_orders'),
    setBy: text('set_by').notNull(),
    setAt: at('set_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.subject] })],
);

/** One row per limited subject; a transaction that adds to the subject locks it. */
export const limitGuards = pgTable(
  'limit_guards',
  {
    scope: text('scope').notNull(),
    subject: text('subject').notNull(),
    touchedAt: at('touched_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.subject] })],
);
