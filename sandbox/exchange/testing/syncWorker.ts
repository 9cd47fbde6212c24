import { once } from 'node:events';
import { syncAll } from '#server/domain/markets/sync/tasks.ts';
import { createKalshiExchange } from '#server/exchange/kalshi/kalshiExchange.ts';
import { closeDatabase, openDatabase } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';

/**
 * A process that reads the whole list into the mirror once, for tests that watch and kill it. It
 * reports its memory at the start and after every page.
 */
export type SyncWorkerMessage =
  | { kind: 'ready'; rssBytes: number }
  | { kind: 'page'; rssBytes: number }
  | { kind: 'done'; milliseconds: number; requests: number; peakRssBytes: number };

const { SYNC_DATABASE_URL = '', SYNC_VENUE_URL = '', SYNC_KEY_ID = '' } = process.env;
const { SYNC_PRIVATE_KEY = '' } = process.env;

let requests = 0;
let peakRssBytes = 0;
const rss = () => {
  const rssBytes = process.memoryUsage.rss();
  peakRssBytes = Math.max(peakRssBytes, rssBytes);
  return rssBytes;
};
const notify = (message: SyncWorkerMessage) => process.send?.(message);

const log = createLog('sync', 'silent');
const database = openDatabase({
  url: SYNC_DATABASE_URL,
  applicationName: 'sync',
  maxConnections: 4,
});
const exchange = createKalshiExchange({
  url: SYNC_VENUE_URL,
  credentials: { keyId: SYNC_KEY_ID, privateKeyPem: SYNC_PRIVATE_KEY },
  log,
  fetch: (input, init) => {
    requests += 1;
    return fetch(input, init);
  },
});
await database.pool.query('select 1');
notify({ kind: 'ready', rssBytes: rss() });
await once(process, 'message');
const sampling = setInterval(rss, 20);
const begun = performance.now();
const { signal } = new AbortController();
await syncAll(
  { database, catalogue: exchange.catalogue, log, signal },
  {
    async betweenPages() {
      notify({ kind: 'page', rssBytes: rss() });
    },
  },
);
clearInterval(sampling);
notify({ kind: 'done', milliseconds: performance.now() - begun, requests, peakRssBytes });
await closeDatabase(database);
process.disconnect();
