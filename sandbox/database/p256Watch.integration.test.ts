import { createPublicClient, custom, type Hex, numberToHex, type PublicClient } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { listAlerts } from '#server/domain/admin/alerts.ts';
import { createLog } from '#server/platform/log.ts';
import { checkP256 } from '#server/processor/watchers/p256Watch.ts';

let started: Awaited<ReturnType<typeof startMigratedDatabase>>;
beforeAll(async () => {
  started = await startMigratedDatabase();
});
afterAll(() => started.close());

/** A node on which every call returns this. */
function chainReturning(data: Hex) {
  const transport = custom({ request: async () => data });
  return { client: createPublicClient({ chain: base, transport }) as PublicClient };
}

test('given a chain that loses its check of P-256 signatures, an alert is open until it is back', async () => {
  const deps = { database: started.database, log: createLog('test', 'silent') };
  const openKinds = async () => (await listAlerts(deps)).map(({ kind }) => kind);
  const checking = chainReturning(numberToHex(1, { size: 32 }));
  const without = chainReturning('0x');

  await checkP256({ ...deps, chain: checking });
  expect(await openKinds()).toEqual([]);
  await checkP256({ ...deps, chain: without });
  await checkP256({ ...deps, chain: without });
  expect(await openKinds()).toEqual(['p256_check_missing']);
  await checkP256({ ...deps, chain: checking });
  expect(await openKinds()).toEqual([]);
});
