import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createClient } from '#lib/api/client.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { loadSecrets } from '#sandbox/secrets.ts';
import { dataFolderAt } from '#sandbox/stack/dataFolder.ts';
import { createSigner } from '#server/exchange/kalshi/signer.ts';
import { isQuick, sizesOr } from './harness/options.ts';
import { residentMb } from './harness/process.ts';
import { makeKeys, type Service, withService } from './harness/service.ts';
import { percentile, report } from './report.ts';

/**
 * 1,000 readers of one live book on one web process, or as many as requested: `node
 * bench/liveBook.ts [readers]`; half of them read server-sent events, half a WebSocket. An order
 * that rests at the exchange changes a level of the book; measured is the time from before that
 * order is sent until each reader has the level's new size.
 */

const [READERS = 1_000] = sizesOr([1_000], [1_000]);
const CHANGES = isQuick ? 40 : 200;
/** Longer than changes are collected, so that each is an event of its own. */
const PAUSE_MS = 150;
const AT_ONCE = 50;
const TICKER = 'KXPRESPARTY-28-D';
/** The level that changes: nothing else rests there. */
const PRICE = '0.0100';
const LEVEL = new RegExp(`"priceDollars":"${PRICE}","contracts":(\\d+)`, 'g');

type Reader = { isReady: boolean; close: () => void };
type OnSize = (size: number) => void;

await withService(measure);

async function measure(service: Service): Promise<void> {
  const { baseUrl, apiKey, database, webPid } = service;
  const client = createClient({ baseUrl, apiKey });
  // Streams follow markets that are mirrored, and ignore all others.
  await pollUntil(async () => (await client.listMarkets({ tickers: [TICKER] })).markets.at(0), {
    timeoutMs: 60_000,
  });
  const keys = await makeKeys(database, 8);
  const place = await createOrders(service);
  const sentAt = new Map<number, number>();
  const latenciesMs: number[] = [];
  let received = 0;
  const onSize: OnSize = (size) => {
    const at = sentAt.get(size);
    if (at === undefined) return;
    received += 1;
    latenciesMs.push(performance.now() - at);
  };
  const before = residentMb(webPid);
  const readers = await openReaders(baseUrl, keys, onSize);
  await pollUntil(async () => (readers.every((one) => one.isReady) ? true : undefined), {
    timeoutMs: 60_000,
  });
  const grownMb = residentMb(webPid) - before;
  for (let size = 1; size <= CHANGES; size += 1) {
    sentAt.set(size, performance.now());
    await place();
    await delay(PAUSE_MS);
  }
  const expected = CHANGES * READERS;
  await pollUntil(async () => (received >= expected ? true : undefined), {
    timeoutMs: 10_000,
  }).catch(() => undefined);
  for (const reader of readers) reader.close();
  report(`${READERS} readers of one live book`, [
    { name: 'from the order to a reader, median', ours: percentile(latenciesMs, 0.5), unit: 'ms' },
    {
      name: 'from the order to a reader, 99th percentile',
      ours: percentile(latenciesMs, 0.99),
      unit: 'ms',
      atMost: 200,
    },
    { name: 'the slowest', ours: percentile(latenciesMs, 1), unit: 'ms' },
    { name: 'changes that readers got', ours: received, baseline: expected, unit: '', atLeast: 1 },
    { name: 'memory of a reader', ours: (grownMb * 1_024) / READERS, unit: 'KB' },
  ]);
}

/** Places orders of one contract each, which rest at the level. */
async function createOrders({ description, dataDir }: Service): Promise<() => Promise<void>> {
  const { exchange: key } = await loadSecrets(dataFolderAt(dataDir).secrets);
  const sign = createSigner(key.keyId, key.privateKeyPem);
  const url = `${description().exchangeUrl}/portfolio/events/orders`;
  return async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: await sign('POST', new URL(url).pathname),
      body: JSON.stringify({
        ticker: TICKER,
        client_order_id: randomUUID(),
        side: 'bid',
        price: PRICE,
        count: '1.00',
        time_in_force: 'good_till_canceled',
        self_trade_prevention_type: 'taker_at_cross',
      }),
    });
    if (!response.ok) throw new Error(`an order was answered with ${response.status}`);
  };
}

async function openReaders(
  baseUrl: string,
  keys: readonly string[],
  onSize: OnSize,
): Promise<Reader[]> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const path = `?tickers=${TICKER}&channels=book`;
  const readers: Reader[] = [];
  for (let opened = 0; opened < READERS; opened += AT_ONCE) {
    for (let index = opened; index < Math.min(opened + AT_ONCE, READERS); index += 1) {
      const headers = { 'x-api-key': keys[index % keys.length] ?? '' };
      readers.push(
        index % 2 === 0
          ? readServerSent(`${baseUrl}/v1/stream${path}`, headers, agent, onSize)
          : readSocket(`${baseUrl.replace(/^http/, 'ws')}/v1/ws${path}`, headers, onSize),
      );
    }
    const batch = readers.slice(opened);
    await pollUntil(async () => (batch.every((one) => one.isReady) ? true : undefined), {
      timeoutMs: 30_000,
      everyMs: 20,
    });
  }
  return readers;
}

function noteSizes(reader: Reader, text: string, onSize: OnSize): void {
  reader.isReady ||= text.includes('"kind":"snapshot"');
  for (const [, size] of text.matchAll(LEVEL)) onSize(Number(size));
}

function readServerSent(
  url: string,
  headers: Record<string, string>,
  agent: Agent,
  onSize: OnSize,
): Reader {
  let rest = '';
  const request = get(url, { agent, headers }, (response) => {
    response.on('error', () => undefined);
    response.on('data', (chunk: Buffer) => {
      // A chunk may end within an event.
      const text = rest + chunk.toString('latin1');
      const end = text.lastIndexOf('\n\n') + 1;
      rest = text.slice(end);
      noteSizes(reader, text.slice(0, end), onSize);
    });
  });
  request.on('error', () => undefined);
  const reader: Reader = { isReady: false, close: () => request.destroy() };
  return reader;
}

function readSocket(url: string, headers: Record<string, string>, onSize: OnSize): Reader {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  socket.on('error', () => undefined);
  socket.on('message', (data) => noteSizes(reader, (data as Buffer).toString('latin1'), onSize));
  const reader: Reader = { isReady: false, close: () => socket.terminate() };
  return reader;
}
