import { createPublicClient, http, type PublicClient } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import { listAlerts } from '#server/domain/admin/alerts.ts';
import { createLog } from '#server/platform/log.ts';
import { checkP256 } from './p256Watch.ts';

const { rpcUrl } = sandboxUnderTest();
const PRECOMPILE = '0x0000000000000000000000000000000000000100';

let started: Awaited<ReturnType<typeof startMigratedDatabase>>;
beforeAll(async () => {
  started = await startMigratedDatabase();
});
afterAll(() => started.close());

test('given a chain that loses its check of P-256 signatures, an alert is open until it is back', async () => {
  const client = createPublicClient({ chain: base, transport: http(rpcUrl) }) as PublicClient;
  /** As a node of a chain without the precompile answers: an address without code returns nothing. */
  const without = createPublicClient({ chain: base, transport: http(rpcUrl) }).extend((inner) => ({
    call: (asked: Parameters<typeof inner.call>[0]) =>
      inner.call({ ...asked, ...(asked.to === PRECOMPILE && { to: `0x${'de'.repeat(20)}` }) }),
  })) as unknown as PublicClient;
  const deps = { database: started.database, log: createLog('test', 'silent') };
  const open = async () => (await listAlerts(deps)).map(({ kind }) => kind);

  await checkP256({ ...deps, chain: { client } });
  expect(await open()).toEqual([]);
  await checkP256({ ...deps, chain: { client: without } });
  await checkP256({ ...deps, chain: { client: without } });
  expect(await open()).toEqual(['p256_check_missing']);
  await checkP256({ ...deps, chain: { client } });
  expect(await open()).toEqual([]);
});
