import { bigint, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const micros = (name: string) => bigint(name, { mode: 'bigint' });

/** How much may be bought: with a key, by an account, on a market. Null is without a limit. */
export const tradingLimits = pgTable(
  'trading_limits',
  {
    scope: text('scope').$type<'key' | 'account' | 'market'>().notNull(),
    /** The id of a key, the address of an account, a ticker; `*` for all that have no own entry. */
    subject: text('subject').notNull(),
    /** The bound of one purchase. */
    maxOrderUsdcMicros: micros('max_order_usdc_micros'),
    /** Bounds and costs of the purchases of the last 24 hours. */
    maxDayUsdcMicros: micros('max_day_usdc_micros'),
    /** What was paid for contracts that are held, and bounds of purchases under way. */
    maxExposureUsdcMicros: micros('max_exposure_usdc_micros'),
    /** Purchases under way. */
    maxOpenOrders: integer('max_open_orders'),
    setBy: text('set_by').notNull(),
    setAt: at('set_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.subject] })],
);

/** One row per limited subject: whoever adds to it holds the row until that is committed. */
export const limitGuards = pgTable(
  'limit_guards',
  {
    scope: text('scope').notNull(),
    subject: text('subject').notNull(),
    touchedAt: at('touched_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.subject] })],
);
