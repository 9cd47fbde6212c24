/** The programs that use the database, each with a role of its own; none owns a table. */
export const DATABASE_ROLES = ['web', 'processor', 'notifications', 'operator'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/**
 * What a role may do with a table, in PostgreSQL's own letters: `r` select, `a` insert, `w` update,
 * `d` delete.
 */
export type Rights = '' | 'r' | 'ra' | 'raw' | 'rawd' | 'rw' | 'rd' | 'rad' | 'rwd';

const row = (web: Rights, processor: Rights, operator: Rights, notifications: Rights = '') => ({
  web,
  processor,
  operator,
  notifications,
});

/**
 * Every table, with the least rights that each role needs. The web server serves any caller: it
 * writes what callers request (orders, keys, grants, webhooks) and only reads the ledger, chain
 * logs and settlements. Admins change controls, never the ledger. The notification process connects
 * to addresses that callers choose: it sees deliveries only. No role changes the audit log.
 */
export const TABLE_RIGHTS: Record<string, Record<DatabaseRole, Rights>> = {
  accounts: row('raw', 'raw', 'rwd'),
  grants: row('raw', 'raw', 'rd'),
  passkeys: row('ra', '', 'rd'),
  session_keys: row('raw', '', 'rd'),
  saved_items: row('rawd', '', 'rd'),
  alerts: row('r', 'rawd', 'raw'),
  api_keys: row('raw', 'rd', 'rawd'),
  api_key_usage: row('raw', 'rd', 'rd'),
  sign_in_secrets: row('r', '', ''),
  sign_in_nonces: row('rawd', 'rd', 'rd'),
  sessions: row('rawd', 'rd', 'rwd'),
  trading_limits: row('r', 'r', 'rawd'),
  limit_guards: row('raw', 'raw', 'rawd'),
  admins: row('r', 'r', 'raw'),
  terms_acceptances: row('ra', 'r', 'rd'),
  audit_log: row('r', 'ra', 'ra'),
  rate_limits: row('rawd', 'rd', 'rd'),

  orders: row('raw', 'raw', 'rw'),
  order_events: row('ra', 'ra', 'ra'),
  order_replacements: row('ra', 'raw', 'r'),
  exchange_attempts: row('r', 'raw', 'rw'),
  exchange_fills: row('r', 'raw', 'r'),
  exchange_transfers: row('r', 'raw', 'r'),
  exchange_shards: row('r', 'raw', 'r'),
  collateral_lease: row('', 'raw', ''),
  chain_operations: row('ra', 'raw', 'raw'),
  relay_budgets: row('raw', 'rw', 'r'),
  chain_transactions: row('r', 'raw', 'r'),
  chain_replacements: row('r', 'raw', 'r'),
  chain_signers: row('r', 'raw', 'r'),
  // An admin asks for a reading; the processor does it.
  chain_cursors: row('r', 'raw', 'rw'),
  block_times: row('r', 'raw', 'r'),
  vault_events: row('r', 'rawd', 'r'),
  orphaned_requests: row('r', 'raw', 'r'),
  token_transfers: row('r', 'rawd', 'r'),
  ledger_entries: row('r', 'rad', 'r'),
  usdc_accounts: row('r', 'rawd', 'r'),
  usdc_transfers: row('r', 'rawd', 'r'),
  chain_postings: row('r', 'rawd', 'r'),
  withdrawal_events: row('r', 'rawd', 'r'),
  session_key_events: row('r', 'rawd', 'r'),

  market_settlements: row('r', 'raw', 'raw'),
  pending_proposals: row('r', 'r', 'rawd'),
  settlement_events: row('r', 'rawd', 'r'),
  redemptions: row('r', 'rawd', 'r'),
  pair_merges: row('r', 'rawd', 'r'),
  reconciliation_runs: row('r', 'rawd', 'rad'),
  reconciliation_lease: row('r', 'raw', 'raw'),
  reconciliation_baselines: row('r', 'raw', 'rawd'),
  market_suspensions: row('r', 'raw', 'raw'),
  database_restores: row('r', 'ra', 'r'),
  job_turns: row('', 'raw', ''),

  series: row('r', 'rawd', 'r'),
  events: row('r', 'rawd', 'r'),
  markets: row('r', 'rawd', 'r'),
  price_points: row('ra', 'rawd', 'r'),
  market_changes: row('r', 'rawd', 'r'),
  catalogue_state: row('r', 'rawd', 'r'),

  webhooks: row('rawd', 'raw', 'rd', 'r'),
  push_subscriptions: row('rawd', 'rwd', 'rd', 'rd'),
  price_alerts: row('rawd', 'rwd', 'rd'),

  notification_messages: row('rad', 'rawd', 'rd', 'r'),
  notification_deliveries: row('rawd', 'rawd', 'rd', 'rw'),
  notification_attempts: row('rad', 'rawd', 'rd', 'ra'),
  notification_cursor: row('r', 'raw', 'r'),
  notified_settlements: row('r', 'rawd', 'r'),
};

/**
 * Columns that a role may update although it may not update the table: the web server records that
 * it fetched a market's earlier prices, the notification process how its targets responded.
 */
export const COLUMN_RIGHTS: Record<string, Record<string, readonly DatabaseRole[]>> = {
  markets: { history_read_at: ['web'] },
  webhooks: {
    enabled: ['notifications'],
    disabled_reason: ['notifications'],
    failing_since: ['notifications'],
    last_delivered_at: ['notifications'],
    updated_at: ['notifications'],
  },
  push_subscriptions: { failing_since: ['notifications'], last_delivered_at: ['notifications'] },
};

/** Functions, with the roles that may call them. */
export const FUNCTION_RIGHTS: Record<string, readonly DatabaseRole[]> = {
  'maintain_price_partitions(integer)': ['processor'],
};
