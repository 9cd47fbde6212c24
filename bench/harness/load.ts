import type { LoadDone, LoadOrder, LoadSettings } from '../load/generator.ts';
import { percentile } from '../report.ts';
import { startChild } from './child.ts';
import { cpuMs } from './process.ts';

export type Round = {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the server per request, in microseconds. */
  cpuMicros: number;
};

export type Request = {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

/** Sends requests over connections that stay open, from a process of its own. */
export type Load = {
  /** Keeps every connection busy for this long. */
  run(durationMs: number): Promise<Round>;
  /** Sends each request once. */
  runOnce(): Promise<Round>;
  stop(): Promise<void>;
};

/**
 * @param options.requestsOf what one connection sends, over and over
 * @param options.serverPid whose processor time is counted
 */
export async function openLoad(options: {
  baseUrl: string;
  connections: number;
  serverPid: number;
  requestsOf: (connection: number) => Request[];
}): Promise<Load> {
  const { hostname, port } = new URL(options.baseUrl);
  const settings: LoadSettings = {
    host: hostname === 'localhost' ? '127.0.0.1' : hostname,
    port: Number(port),
    requests: Array.from({ length: options.connections }, (_, index) =>
      options.requestsOf(index).map((request) => textOf(request, `${hostname}:${port}`)),
    ),
  };
  let finish: (done: LoadDone) => void = () => undefined;
  const child = await startChild<true>('load/generator.ts', settings, (message) =>
    finish(message as LoadDone),
  );
  const give = async (order: LoadOrder): Promise<Round> => {
    const before = cpuMs(options.serverPid);
    const done = await new Promise<LoadDone>((resolve) => {
      finish = resolve;
      child.send(order);
    });
    if (done.failure !== undefined) throw new Error(done.failure);
    const cpu = cpuMs(options.serverPid) - before;
    const latencies = done.latenciesMs;
    return {
      perSecond: (latencies.length * 1_000) / done.tookMs,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      cpuMicros: (cpu * 1_000) / latencies.length,
    };
  };
  return {
    run: (durationMs) => give({ durationMs }),
    runOnce: () => give({ each: 'once' }),
    stop: () => child.stop(),
  };
}

function textOf({ method = 'GET', path, headers = {}, body }: Request, host: string): string {
  const lines = Object.entries({
    host,
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Alternates rounds, because the machine's own speed drifts; the medians of all rounds. */
export async function compareLoads(
  loads: { ours: Load; baseline: Load },
  options: { rounds: number; roundMs: number },
): Promise<{ ours: Round; baseline: Round }> {
  const rounds: { ours: Round; baseline: Round }[] = [];
  for (const load of [loads.ours, loads.baseline]) await load.run(options.roundMs);
  for (let round = 0; round < options.rounds; round += 1) {
    const baseline = await loads.baseline.run(options.roundMs);
    rounds.push({ baseline, ours: await loads.ours.run(options.roundMs) });
  }
  return {
    ours: median(rounds.map((one) => one.ours)),
    baseline: median(rounds.map((one) => one.baseline)),
  };
}

function median(rounds: Round[]): Round {
  const of = (field: keyof Round) =>
    percentile(
      rounds.map((round) => round[field]),
      0.5,
    );
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuMicros: of('cpuMicros'),
  };
}
