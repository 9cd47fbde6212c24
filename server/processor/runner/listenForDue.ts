import pg from 'pg';
import { DUE_CHANNEL } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Log } from '#server/platform/log.ts';
import { pause } from './pause.ts';

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

type Listening = {
  /** Of the server itself: a pooler that works by transaction passes no notifications on. */
  databaseUrl: string;
  onDue: () => void;
  log: Log;
};

/**
 * Calls `onDue` whenever a transaction has made orders due, by a connection of its own that is
 * opened anew when it breaks. What is missed meanwhile is left to the poll.
 */
export async function listenForDue(options: Listening, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await listenOnce(options, signal);
    } catch (error) {
      options.log.warn({ err: error }, 'not notified of due orders; the poll finds them');
    }
    await pause(RECONNECT_MS, signal);
  }
}

/** Until the connection ends. */
async function listenOnce(
  { databaseUrl, onDue, log }: Listening,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'crossbook-listener',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  const ended = new Promise((resolve) => client.once('end', resolve));
  const end = () => void client.end().catch(() => undefined);
  client.on('error', (error) => log.warn({ err: error }, 'the listener lost its connection'));
  client.on('notification', onDue);
  signal.addEventListener('abort', end);
  try {
    await client.connect();
    await client.query(`listen ${DUE_CHANNEL}`);
    // Of what came before there was no notification.
    onDue();
    await ended;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
