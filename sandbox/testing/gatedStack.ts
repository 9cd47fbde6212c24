import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '#sandbox/environment.ts';
import { startExchange } from '#sandbox/exchange/start.ts';
import { loadSecrets } from '#sandbox/secrets.ts';
import { dataFolderAt } from '#sandbox/stack/dataFolder.ts';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { type ExchangeGate, openExchangeGate } from './exchangeGate.ts';
import { startTestStack } from './testStack.ts';

/** A stack without pages whose service reaches the exchange through a gate that a test controls. */
export type GatedStack = {
  stack: Stack;
  gate: ExchangeGate;
  dataDir: string;
  /** Stops its processor at a checkpoint; see server/processor/runner/checkpoints.ts. */
  faultDir: string;
  close(): Promise<void>;
};

const BALANCE_MICROS = 10_000_000n * 1_000_000n;

export async function startGatedStack(environment: Environment = {}): Promise<GatedStack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-gated-'));
  const faultDir = join(dataDir, 'faults');
  mkdirSync(faultDir);
  const { exchange: key } = await loadSecrets(dataFolderAt(dataDir).secrets);
  const exchange = await startExchange({
    dataDir: join(dataDir, 'exchange'),
    port: 0,
    signatureToleranceSeconds: Number(environment.EXCHANGE_SIGNATURE_TOLERANCE_SECONDS ?? 30),
    keys: [{ keyId: key.keyId, publicKeyPem: key.publicKeyPem, balanceMicros: BALANCE_MICROS }],
  });
  const gate = await openExchangeGate(exchange.url);
  let stack: Stack | undefined;
  const close = async () => {
    await stack?.stop();
    await gate.close();
    await exchange.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    stack = await startTestStack({
      dataDir,
      environment: {
        SANDBOX_FAULT_DIR: faultDir,
        SERVE_PAGES: 'false',
        VENUE_URL: gate.url,
        VENUE_WS_URL: gate.url.replace(/^http/, 'ws').replace('/v2', '/ws/v2'),
        VENUE_KEY_ID: key.keyId,
        VENUE_PRIVATE_KEY: key.privateKeyPem,
        ...environment,
      },
    });
    return { stack, gate, dataDir, faultDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}
