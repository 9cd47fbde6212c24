import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { DATABASE_ROLES, TABLE_RIGHTS } from './grants.ts';

const SCHEMA = fileURLToPath(new URL('../schema', import.meta.url));

async function tableNames(): Promise<string[]> {
  const files = globSync('*.ts', { cwd: SCHEMA }).filter((file) => !file.endsWith('.test.ts'));
  const modules = await Promise.all(
    files.map((file) => import(`../schema/${file}`) as Promise<Record<string, unknown>>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter((value) => is(value, PgTable))
    .map(getTableName);
}

test('every table has its rights, and no other table is listed', async () => {
  const names = await tableNames();
  expect(names.length).toBeGreaterThan(40);
  expect(Object.keys(TABLE_RIGHTS).toSorted()).toEqual(names.toSorted());
});

test('no role may change the audit log', () => {
  for (const role of DATABASE_ROLES) expect(TABLE_RIGHTS.audit_log?.[role]).toMatch(/^(ra?)?$/);
});

test('the notification process sees deliveries only', () => {
  const seen = Object.entries(TABLE_RIGHTS).filter(([, rights]) => rights.notifications !== '');
  expect(Object.fromEntries(seen.map(([table, rights]) => [table, rights.notifications]))).toEqual({
    webhooks: 'r',
    push_subscriptions: 'rd',
    notification_messages: 'r',
    notification_deliveries: 'rw',
    notification_attempts: 'ra',
  });
});

test.each([
  'ledger_entries',
  'chain_transactions',
  'vault_events',
  'market_settlements',
  'redemptions',
  'pair_merges',
  'session_key_events',
  'exchange_fills',
])('a web server only reads %s', (table) => {
  expect(TABLE_RIGHTS[table]?.web).toBe('r');
});
