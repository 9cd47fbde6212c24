import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExchangeKey } from './accounts.ts';
import { keysToText } from './keys.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 3_000;
const PORT_TAKEN_EXIT_CODE = 98;

export type StartedExchange = {
  /** …/trade-api/v2 */
  url: string;
  wsUrl: string;
  /** Outside the exchange's own paths: …/_control */
  controlUrl: string;
  pid: number;
  stop(): Promise<void>;
};

export type StartExchangeOptions = {
  dataDir: string;
  /** 0 takes a free one. */
  port: number;
  keys: ExchangeKey[];
  seed?: number;
  /** Number of generated benchmark markets. */
  benchmarkMarkets?: number;
  /** Allowed age of a signature; 30 by default. */
  signatureToleranceSeconds?: number;
  /** Called when the process ends without `stop`. */
  onExit?: (code: number | null, lastWords: string) => void;
};

/** The port was in use; the message names it. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** Starts the exchange in its own process and waits until it responds. */
export async function startExchange(options: StartExchangeOptions): Promise<StartedExchange> {
  const child = spawn(process.execPath, [MAIN], {
    // The channel closes when this process dies, and the exchange ends with it.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      EXCHANGE_PORT: String(options.port),
      EXCHANGE_DATA_DIR: options.dataDir,
      EXCHANGE_SEED: String(options.seed ?? 1),
      EXCHANGE_BENCHMARK_MARKETS: String(options.benchmarkMarkets ?? 0),
      EXCHANGE_SIGNATURE_TOLERANCE_SECONDS: String(options.signatureToleranceSeconds ?? 30),
      EXCHANGE_MAINTENANCE: 'none',
      EXCHANGE_KEYS: keysToText(options.keys),
    },
  });
  child.channel?.unref();
  let lastWords = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-4_000);
  });
  let stopping = false;
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(
        new Error(`The exchange did not start within ${START_TIMEOUT_MS / 1000} s. ${lastWords}`),
      );
    }, START_TIMEOUT_MS);
    child.stdout?.setEncoding('utf8').once('data', (line: string) => {
      clearTimeout(timer);
      resolve((JSON.parse(line) as { port: number }).port);
    });
    child.once('error', reject);
    void exited.then((code) => {
      clearTimeout(timer);
      reject(
        code === PORT_TAKEN_EXIT_CODE
          ? new PortTakenError(`Port ${options.port} is taken; the exchange cannot listen there.`)
          : new Error(`The exchange ended with code ${code} while starting. ${lastWords}`),
      );
    });
  });
  void exited.then((code) => {
    if (!stopping) options.onExit?.(code, lastWords);
  });
  return {
    url: `http://127.0.0.1:${port}/trade-api/v2`,
    wsUrl: `ws://127.0.0.1:${port}/trade-api/ws/v2`,
    controlUrl: `http://127.0.0.1:${port}/_control`,
    pid: child.pid ?? -1,
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}
