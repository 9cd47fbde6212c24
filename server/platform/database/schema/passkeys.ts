import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/**
 * Public keys of passkeys. A browser that finds a passkey learns only its credential id, and the
 * wallet's address follows from the key.
 */
export const passkeys = pgTable(
  'passkeys',
  {
    credentialId: text('credential_id').primaryKey(),
    /** x and y, 64 bytes in hex. */
    publicKey: text('public_key').notNull(),
    /** The key that the wallet's address follows from; null where it is this one. */
    firstKey: text('first_key'),
    /** How the wallet names this key: its hash. Null in rows older than the column. */
    ownerId: text('owner_id'),
    /** The name that its passkey manager shows. */
    name: text('name'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [index('passkeys_owner_id').on(table.ownerId)],
);
