import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { at, int8 } from './columns.ts';

/** What the accounts' logs say about the session keys of their grants, from any sender. */
export const sessionKeyEvents = pgTable(
  'session_key_events',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: int8('block_number').notNull(),
    accountAddress: text('account_address').notNull(),
    /** `granted`: the grant itself names the key. */
    kind: text('kind').$type<'granted' | 'added' | 'removed'>().notNull(),
    grantNonce: int8('grant_nonce').notNull(),
    /** As the account numbers kinds; a removal does not log it. */
    keyKind: integer('key_kind'),
    key: text('key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    index('session_key_events_by_grant').on(table.accountAddress, table.grantNonce),
    index('session_key_events_block').on(table.blockNumber),
  ],
);

/** What the service knows of a session key beside the chain. */
export const sessionKeys = pgTable(
  'session_keys',
  {
    accountId: text('account_id').notNull(),
    /** 32 bytes, as the account stores it. */
    key: text('key').notNull(),
    /** The device, in its owner's words or its browser's. */
    name: text('name'),
    /** When the service last took an order that it signed. */
    lastUsedAt: at('last_used_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key] })],
);
