import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SyncWorkerMessage } from './syncWorker.ts';
import type { TestExchange } from './testExchange.ts';

const WORKER = fileURLToPath(new URL('./syncWorker.ts', import.meta.url));

export type SyncDone = Extract<SyncWorkerMessage, { kind: 'done' }> & { firstRssBytes: number };

/**
 * Reads the whole list in a separate process.
 * @param killAfterPages kills it like a power cut; the result is then undefined
 */
export async function runSync(
  exchange: TestExchange,
  databaseUrl: string,
  killAfterPages = Number.POSITIVE_INFINITY,
): Promise<SyncDone | undefined> {
  const child = fork(WORKER, {
    env: {
      ...process.env,
      SYNC_DATABASE_URL: databaseUrl,
      SYNC_VENUE_URL: exchange.url,
      SYNC_KEY_ID: exchange.keyId,
      SYNC_PRIVATE_KEY: exchange.privateKeyPem,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let pages = 0;
  let firstRssBytes = 0;
  let done: SyncDone | undefined;
  child.on('message', (message: SyncWorkerMessage) => {
    if (message.kind === 'ready') {
      firstRssBytes = message.rssBytes;
      child.send('go');
    } else if (message.kind === 'page') {
      pages += 1;
      if (pages >= killAfterPages) child.kill('SIGKILL');
    } else done = { ...message, firstRssBytes };
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  return done;
}
