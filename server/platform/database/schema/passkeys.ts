import { pgTable, text } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/**
 * Public keys of passkeys. A browser that finds a passkey learns only its credential id, and the
 * wallet's address follows from the key.
 */
export const passkeys = pgTable('passkeys', {
  credentialId: text('credential_id').primaryKey(),
  /** x and y, 64 bytes in hex. */
  publicKey: text('public_key').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});
