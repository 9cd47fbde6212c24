import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SERVER = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The folders that read and write the tables of each schema file. All others call the owner's
 * functions, so that a table can change without a search through the project. An order and its
 * transactions belong together, and the processor carries them on. `activity` and
 * `settlement` only read them.
 */
const OWNERS: Record<string, string[]> = {
  accounts: ['accounts'],
  admin: ['admin'],
  auth: ['auth'],
  chain: ['activity', 'chain', 'orders', 'processor'],
  collateral: ['collateral'],
  compliance: ['compliance'],
  jobs: [],
  ledger: ['ledger'],
  markets: ['markets'],
  notifications: ['notifications'],
  orders: ['activity', 'orders', 'processor', 'settlement'],
  passkeys: ['accounts'],
  rateLimits: ['api'],
  reconciliation: ['reconciliation'],
  relay: ['relay'],
  sessionKeys: ['accounts'],
  settlement: ['activity', 'settlement'],
  tradingLimits: ['limits'],
  transfers: ['activity', 'transfers'],
  unclaimedOrder: ['activity', 'limits', 'orders'],
};

it('a table is used by its own domain only', () => {
  const found = globSync('*/**/*.ts', { cwd: SERVER })
    .filter((file) => !file.startsWith('platform/database/') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(`${SERVER}/${file}`, 'utf8');
      const imports = source.matchAll(/from '[^']*database\/schema\/(\w+)\.ts'/g);
      return [...imports].map(([, table = '']) => ({ folder: folderOf(file), file, table }));
    });
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(({ folder, table }) => !OWNERS[table]?.includes(folder))).toEqual([]);
});

/** `orders` of `domain/orders/create/createOrder.ts`, and otherwise the layer. */
function folderOf(file: string): string {
  const [layer = '', folder = ''] = file.split('/');
  return layer === 'domain' ? folder : layer;
}
