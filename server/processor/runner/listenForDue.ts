import pg from 'pg';
import { DUE_CHANNEL } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Log } from '#server/platform/log.ts';
import { pause } from './pause.ts';

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

type Listening = {
  /** A direct connection: a transaction pooler does not forward notifications. */
  databaseUrl: string;
  onDue: () => void;
  log: Log;
};

/**
 * Calls `onDue` whenever a transaction has made orders due, over its own connection, which
 * reconnects when it breaks. The poll covers missed notifications.
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

/** Resolves when the connection ends. */
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
    // Earlier changes sent no notification to this connection.
    onDue();
    await ended;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
