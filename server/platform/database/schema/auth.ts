import { bigint, date, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/** API keys, each stored as a hash. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind').$type<'test' | 'live' | 'pub'>().notNull(),
    /** SHA-256 of the whole key, hex. */
    hash: text('hash').notNull(),
    /** First and last characters, for recognising a key in a list. */
    hint: text('hint').notNull(),
    scopes: text('scopes').array().$type<('read' | 'trade' | 'withdraw')[]>().notNull(),
    /** Origins of pages that may use the key from a browser. */
    origins: text('origins').array().notNull(),
    /** Networks that may use it, in CIDR notation; all when empty. */
    ipRanges: text('ip_ranges').array().notNull().default([]),
    /** The wallet that manages it; null for configured keys. */
    ownerAddress: text('owner_address'),
    /** The secret before the last rotation, which works until `previousUntil`. */
    previousHash: text('previous_hash'),
    previousUntil: at('previous_until'),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at'),
    revokedAt: at('revoked_at'),
    lastUsedAt: at('last_used_at'),
  },
  (table) => [
    uniqueIndex('api_keys_hash').on(table.hash),
    uniqueIndex('api_keys_previous_hash').on(table.previousHash),
    index('api_keys_by_owner').on(table.ownerAddress, table.createdAt.desc(), table.id.desc()),
  ],
);

/** Requests by key and UTC day; written some seconds after the response. */
export const apiKeyUsage = pgTable(
  'api_key_usage',
  {
    apiKeyId: text('api_key_id').notNull(),
    day: date('day').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
    /** How many of them were refused or failed. */
    refused: bigint('refused', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.day] }),
    index('api_key_usage_age').on(table.day),
  ],
);

/**
 * The secret for sign-in messages, shared by all web processes; the migration generates it. A
 * message is stored only when a wallet returns it signed.
 */
export const signInSecrets = pgTable('sign_in_secrets', {
  secret: text('secret').primaryKey(),
});

/** Sign-in messages that were exchanged for a token; each works once. */
export const signInNonces = pgTable(
  'sign_in_nonces',
  {
    nonce: text('nonce').primaryKey(),
    address: text('address').notNull(),
    /** SHA-256 of the issued message, hex. */
    messageHash: text('message_hash').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [index('sign_in_nonces_expiry').on(table.expiresAt)],
);

/** Sign-ins of wallets. The bearer token of an ended session is rejected at once. */
export const sessions = pgTable(
  'sessions',
  {
    /** The token's own id (`jti`). */
    id: text('id').primaryKey(),
    ownerAddress: text('owner_address').notNull(),
    /** The User-Agent of the sign-in, for recognising a session in a list. */
    userAgent: text('user_agent').notNull(),
    ip: text('ip').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    lastUsedAt: at('last_used_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    endedAt: at('ended_at'),
    /** SHA-256 of the refresh token, hex; null for a session that cannot be renewed. */
    refreshHash: text('refresh_hash'),
    /** The token before it, which gives the same successor again for some seconds. */
    previousRefreshHash: text('previous_refresh_hash'),
    /** What the successor was derived with. */
    refreshSalt: text('refresh_salt'),
    refreshedAt: at('refreshed_at'),
  },
  (table) => [
    index('sessions_by_owner').on(table.ownerAddress, table.createdAt.desc()),
    index('sessions_expiry').on(table.expiresAt),
  ],
);
