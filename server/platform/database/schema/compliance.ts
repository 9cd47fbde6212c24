import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/** Terms that wallets accepted. */
export const termsAcceptances = pgTable(
  'terms_acceptances',
  {
    ownerAddress: text('owner_address').notNull(),
    version: text('version').notNull(),
    acceptedAt: at('accepted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerAddress, table.version] })],
);
