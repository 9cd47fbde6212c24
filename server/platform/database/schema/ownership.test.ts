import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SERVER = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Who reads and writes which tables. Everybody else asks the domain's service, so that a table can
 * change without a search through the project. An order and its transactions are one matter,
 * which the processor carries on. `activity` only reads: it shows the facts of several domains in
 * one order, which one statement can do and several cannot. `settlement` reads which markets were traded.
 */
const OWNERS: Record<string, string[]> = {
  accounts: ['accounts'],
  alerts: ['admin'],
  auth: ['auth'],
  caps: ['limits'],
  chain: ['activity', 'chain', 'orders', 'processor'],
  compliance: ['compliance'],
  ledger: ['ledger'],
  limits: ['api'],
  markets: ['markets'],
  operations: ['admin'],
  orders: ['activity', 'orders', 'processor', 'settlement'],
  push: ['notifications'],
  reconcile: ['admin', 'reconciliation'],
  transfers: ['activity', 'transfers'],
  settlement: ['activity', 'settlement', 'processor'],
  webhooks: ['notifications'],
};

it('tables are touched by their own domain only', () => {
  const found = globSync('*/**/*.ts', { cwd: SERVER })
    .filter((file) => !file.startsWith('platform/database/') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(`${SERVER}/${file}`, 'utf8');
      const imports = source.matchAll(/from '[^']*database\/schema\/([a-z]+)\.ts'/g);
      return [...imports].map(([, table = '']) => ({ file, table }));
    });
  expect(found.length).toBeGreaterThan(5);
  const foreign = found.filter(({ file, table }) => {
    const [domain = ''] = file.replace('domain/', '').split('/');
    return !OWNERS[table]?.includes(domain);
  });
  expect(foreign).toEqual([]);
});
