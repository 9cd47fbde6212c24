import {
  bigint,
  date,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Keys of callers; only a hash of the key itself is kept. */
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
    /** Networks it may be used from, in CIDR notation; from everywhere when empty. */
    ipRanges: text('ip_ranges').array().notNull().default([]),
    /** The wallet that manages it; null for keys that come with the configuration. */
    ownerAddress: text('owner_address'),
    /** The secret from before the last rotation, for as long as it still works. */
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

/** Requests that came with a key, by the day in UTC; written some seconds after they were answered. */
export const apiKeyUsage = pgTable(
  'api_key_usage',
  {
    apiKeyId: text('api_key_id').notNull(),
    day: date('day').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
    /** Those of them that were refused or failed. */
    refused: bigint('refused', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.day] }),
    index('api_key_usage_age').on(table.day),
  ],
);

/**
 * What sign-in messages are made with, the same for every web process; the migration draws it. A
 * message that is handed out is written down only when it comes back.
 */
export const signInSecrets = pgTable('sign_in_secrets', {
  secret: text('secret').primaryKey(),
});

/** Sign-in messages that were exchanged for a token: none is taken twice. */
export const signInNonces = pgTable(
  'sign_in_nonces',
  {
    nonce: text('nonce').primaryKey(),
    address: text('address').notNull(),
    /** SHA-256 of the message as it was handed out, hex. */
    messageHash: text('message_hash').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [index('sign_in_nonces_expiry').on(table.expiresAt)],
);

/** Sign-ins of wallets. A bearer token is one of them and is refused as soon as it has ended. */
export const sessions = pgTable(
  'sessions',
  {
    /** The token's own id (`jti`). */
    id: text('id').primaryKey(),
    ownerAddress: text('owner_address').notNull(),
    /** What the program that signed in calls itself, for recognising a session in a list. */
    userAgent: text('user_agent').notNull(),
    ip: text('ip').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    lastUsedAt: at('last_used_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    endedAt: at('ended_at'),
  },
  (table) => [
    index('sessions_by_owner').on(table.ownerAddress, table.createdAt.desc()),
    index('sessions_expiry').on(table.expiresAt),
  ],
);
