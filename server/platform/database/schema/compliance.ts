import { pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Which terms a wallet has accepted, and when. */
export const termsAcceptances = pgTable(
  'terms_acceptances',
  {
    ownerAddress: text('owner_address').notNull(),
    version: text('version').notNull(),
    acceptedAt: at('accepted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerAddress, table.version] })],
);
