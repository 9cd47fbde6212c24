import { Agent, get, type IncomingMessage } from 'node:http';
import { createClient } from '#lib/api/client.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { isQuick, sizesOr } from './harness/options.ts';
import { residentMb } from './harness/process.ts';
import { makeKeys, type Service, withService } from './harness/service.ts';
import { percentile, report } from './report.ts';

/**
 * 1,000 open streams on one web process, or as many as requested: `node bench/streams.ts
 * [streams]`. What they cost in memory, how much slower reads become, and how soon all of them
 * receive a market's change. Rounds with and without streams alternate, because the machine's own
 * speed drifts.
 */

const [STREAMS = 1_000] = sizesOr([1_000], [1_000]);
const TICKERS_A_STREAM = 20;
const ROUNDS = isQuick ? 3 : 5;
const ROUND_MS = isQuick ? 2_000 : 5_000;
const READERS = 8;
/** How many streams are opened together. */
const AT_ONCE = 50;

type OpenStream = { bytes: number; events: number; beats: number; close: () => void };

await withService(measure);

async function measure({ baseUrl, apiKey, webPid, database }: Service): Promise<void> {
  const client = createClient({ baseUrl, apiKey });
  const { markets } = await client.listMarkets({ limit: 200 });
  const tickers = markets.map((market) => market.ticker);
  // One key each: the rate limit of a single key would be exhausted at once.
  const keys = await makeKeys(database, READERS);
  const read = () => readFor(baseUrl, keys, ROUND_MS);
  await read();

  const rounds: { without: number; with: number; latencyMs: number[]; grownMb: number }[] = [];
  let loaded = 0;
  let quietest = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const without = await read();
    const before = residentMb(webPid);
    const streams = await openStreams(baseUrl, keys, tickers);
    const grownMb = residentMb(webPid) - before;
    const withStreams = await read();
    loaded = Math.max(loaded, residentMb(webPid));
    // By then every stream has received a market or a heartbeat, or something is wrong.
    await pollUntil(
      async () => (streams.every((one) => one.events + one.beats > 0) ? true : undefined),
      {
        timeoutMs: 25_000,
      },
    );
    quietest = Math.min(...streams.map((one) => one.events + one.beats));
    for (const stream of streams) stream.close();
    rounds.push({
      without: without.perSecond,
      with: withStreams.perSecond,
      latencyMs: withStreams.latenciesMs,
      grownMb,
    });
  }
  const median = (values: number[]) => percentile(values, 0.5);
  const [first, ...later] = rounds;
  report(`${STREAMS} streams on one web process`, [
    {
      name: 'reads a second with them',
      ours: median(rounds.map((one) => one.with)),
      baseline: median(rounds.map((one) => one.without)),
      unit: '/s',
      atLeast: 0.85,
    },
    {
      name: 'a read with them, 99th percentile',
      ours: percentile(
        rounds.flatMap((one) => one.latencyMs),
        0.99,
      ),
      unit: 'ms',
    },
    { name: 'memory of the process with them, at most', ours: loaded, unit: 'MB' },
    {
      name: 'memory of a stream, the first time, when the heap grows too',
      ours: ((first?.grownMb ?? 0) * 1_024) / STREAMS,
      unit: 'KB',
    },
    {
      name: 'memory of a stream, later',
      ours: (median(later.map((one) => one.grownMb)) * 1_024) / STREAMS,
      unit: 'KB',
      atMost: 20,
    },
    { name: 'heard at least by every stream', ours: quietest, unit: 'events', atLeast: 1 },
  ]);
}

async function openStreams(
  baseUrl: string,
  keys: readonly string[],
  tickers: readonly string[],
): Promise<OpenStream[]> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const streams: OpenStream[] = [];
  for (let opened = 0; opened < STREAMS; opened += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, STREAMS - opened) }, (_, index) => {
      const from = ((opened + index) * 7) % Math.max(1, tickers.length - TICKERS_A_STREAM);
      const wanted = tickers.slice(from, from + TICKERS_A_STREAM).join(',');
      const apiKey = keys[(opened + index) % keys.length] ?? '';
      return openStream(agent, `${baseUrl}/v1/stream?tickers=${wanted}`, apiKey);
    });
    streams.push(...(await Promise.all(batch)));
  }
  return streams;
}

function openStream(agent: Agent, url: string, apiKey: string): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { 'x-api-key': apiKey } });
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => {
      if (response.statusCode !== 200) {
        reject(new Error(`a stream got the response ${response.statusCode}`));
        return;
      }
      const stream: OpenStream = {
        bytes: 0,
        events: 0,
        beats: 0,
        close: () => request.destroy(),
      };
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => {
        const text = chunk.toString('utf8');
        stream.bytes += chunk.length;
        stream.events += text.split('event: ').length - 1;
        stream.beats += text.split(': still here').length - 1;
      });
      resolve(stream);
    });
  });
}

async function readFor(
  baseUrl: string,
  keys: readonly string[],
  durationMs: number,
): Promise<{ perSecond: number; latenciesMs: number[] }> {
  const latenciesMs: number[] = [];
  const until = performance.now() + durationMs;
  await Promise.all(
    keys.map(async (apiKey) => {
      while (performance.now() < until) {
        const startedAt = performance.now();
        const response = await fetch(`${baseUrl}/v1/prediction-market/markets?limit=5`, {
          headers: { 'x-api-key': apiKey },
        });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`a read got the response ${response.status}`);
        latenciesMs.push(performance.now() - startedAt);
      }
    }),
  );
  return { perSecond: (latenciesMs.length * 1_000) / durationMs, latenciesMs };
}
