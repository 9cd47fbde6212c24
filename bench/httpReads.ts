import { createClient } from '#lib/api/client.ts';
import { startChild } from './harness/child.ts';
import { compareLoads, openLoad } from './harness/load.ts';
import { loadMeasures } from './harness/loadMeasures.ts';
import { ROUND_MS, ROUNDS } from './harness/options.ts';
import { makeKeys, type Service, withService } from './harness/service.ts';
import type { BareResponses } from './load/bareServer.ts';
import { type Measure, report } from './report.ts';

/**
 * A market and a page of markets over HTTP from one web process, to 64 connections of as many
 * callers, against a bare node:http server that sends the same head and body. The sandbox's
 * exchange, chain and processor run beside both, and prices move.
 */
const CONNECTIONS = 64;

await withService(async (service) => {
  const client = createClient(service);
  const { markets } = await client.listMarkets({ limit: 50, status: 'open' });
  const [first] = markets;
  if (!first) throw new Error('the sandbox has no open market');
  const path = '/v1/prediction-market/markets';
  const cases = { detail: `${path}/${first.ticker}`, list: `${path}?limit=20&status=open` };
  const keys = await makeKeys(service.database, CONNECTIONS);
  for (const [name, target] of Object.entries(cases)) {
    report(
      `Market ${name} over HTTP, ${CONNECTIONS} connections (baseline: the same bytes from node:http)`,
      await measure(service, keys, target),
    );
  }
});

async function measure(service: Service, keys: string[], path: string): Promise<Measure[]> {
  const headersOf = (connection: number) => ({ 'x-api-key': keys[connection] ?? '' });
  const bare = await startChild<number>('load/bareServer.ts', {
    [path]: await responseOf(service, path),
  } satisfies BareResponses);
  const load = (baseUrl: string, serverPid: number) =>
    openLoad({
      baseUrl,
      connections: CONNECTIONS,
      serverPid,
      requestsOf: (connection) => [{ path, headers: headersOf(connection) }],
    });
  const ours = await load(service.baseUrl, service.webPid);
  const baseline = await load(`http://127.0.0.1:${bare.ready}`, bare.pid);
  try {
    const found = await compareLoads({ ours, baseline }, { rounds: ROUNDS, roundMs: ROUND_MS });
    return loadMeasures(found, { what: 'request', atLeast: 0.35, p99AtMost: 10 });
  } finally {
    await Promise.all([ours.stop(), baseline.stop(), bare.stop()]);
  }
}

/** Head and body as our service sends them. */
async function responseOf(service: Service, path: string) {
  const response = await fetch(`${service.baseUrl}${path}`, {
    headers: { 'x-api-key': service.apiKey, 'accept-encoding': 'identity' },
  });
  const body = await response.text();
  const headers = Object.fromEntries(response.headers);
  for (const name of ['connection', 'keep-alive', 'date', 'transfer-encoding']) {
    Reflect.deleteProperty(headers, name);
  }
  return { headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body };
}
