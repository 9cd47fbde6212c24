import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listAlerts } from '#server/domain/admin/alerts.ts';
import { openEmptyDatabase } from '#server/domain/notifications/testing/emptyDatabase.ts';
import { createLog } from '#server/platform/log.ts';
import { checkAllocation, checkRegion } from './accountWatch.ts';

/** Uses its own database. */

const NOW = new Date('2026-11-23T00:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const CATEGORIES = ['Sports', 'Elections'];

let empty: Awaited<ReturnType<typeof openEmptyDatabase>>;
beforeAll(async () => {
  empty = await openEmptyDatabase(inject('sandbox').databaseUrl);
});
afterAll(() => empty.close());

async function alertsGiven(expiresAt: Date | undefined): Promise<string[]> {
  const { database } = empty;
  const exchange = {
    getRegionAttestation: async () => expiresAt && { expiresAt, categories: CATEGORIES },
  };
  await checkRegion({ database, exchange, log: createLog('test', 'silent') }, NOW);
  return (await listAlerts({ database })).map(({ kind, subject }) => `${kind} ${subject}`).sort();
}

test('alerts weeks before the attestation expires, and per category once it has', async () => {
  expect(await alertsGiven(inDays(29))).toEqual([]);
  expect(await alertsGiven(inDays(28))).toEqual(['exchange_region_expiring service']);
  expect(await alertsGiven(inDays(0))).toEqual([
    'exchange_region_expired Elections',
    'exchange_region_expired Sports',
  ]);
  expect(await alertsGiven(inDays(300))).toEqual([]);
  expect(await alertsGiven(undefined)).toEqual([]);
});

test('alerts while the exchange moves the cash that we move between shards', async () => {
  const { database } = empty;
  const alertsWith = async (targets: readonly unknown[], isAllocated: boolean) => {
    const exchange = { isAllocatedByExchange: async () => isAllocated };
    const config = { shardTargets: targets };
    await checkAllocation({ database, config, exchange, log: createLog('test', 'silent') });
    return (await listAlerts({ database })).map(({ kind }) => kind);
  };
  expect(await alertsWith([], true)).toEqual([]);
  expect(await alertsWith(['0:100:0'], true)).toEqual(['exchange_allocation']);
  expect(await alertsWith(['0:100:0'], false)).toEqual([]);
});
