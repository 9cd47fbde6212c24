import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StartedExchange, startExchange } from '../start.ts';

/** A market that is open for more than a year and quoted deeply on both sides. */
export const BUSY_TICKER = 'KXPRESPARTY-28-D';

export type TestExchange = StartedExchange & {
  keyId: string;
  privateKeyPem: string;
  /** A control command; returns the exchange's state. */
  control(name: string, fields?: object): Promise<Record<string, unknown>>;
  /** Kills the process like a power cut and restarts it on the same data. */
  crashAndRestart(): Promise<void>;
  remove(): Promise<void>;
};

const KEY_ID = 'test-key';

/** Starts a separate exchange for a test, on a free port and in its own folder. */
export async function startTestExchange(
  type: 'rsa' | 'ed25519',
  options: { benchmarkMarkets?: number } = {},
): Promise<TestExchange> {
  const { publicKey, privateKey } = keyPair(type);
  const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-exchange-'));
  const start = () =>
    startExchange({
      ...options,
      dataDir,
      port: 0,
      keys: [{ keyId: KEY_ID, publicKeyPem: publicKey, balanceMicros: 1_000_000_000_000n }],
    });
  const started = await start();
  const running: TestExchange = {
    ...started,
    keyId: KEY_ID,
    privateKeyPem: privateKey,
    async control(name, fields = {}) {
      const response = await fetch(`${running.controlUrl}/${name}`, {
        method: 'POST',
        body: JSON.stringify(fields),
      });
      if (!response.ok) throw new Error(`control ${name}: ${await response.text()}`);
      return (await response.json()) as Record<string, unknown>;
    },
    async crashAndRestart() {
      process.kill(running.pid, 'SIGKILL');
      Object.assign(running, await start());
    },
    async remove() {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return running;
}

function keyPair(type: 'rsa' | 'ed25519') {
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
  const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;
  return type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding, privateKeyEncoding })
    : generateKeyPairSync('ed25519', { publicKeyEncoding, privateKeyEncoding });
}
