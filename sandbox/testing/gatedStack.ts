import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Environment } from '#sandbox/environment.ts';
import { type StartedExchange, startExchange } from '#sandbox/exchange/start.ts';
import { loadSecrets } from '#sandbox/secrets.ts';
import { dataFolderAt } from '#sandbox/stack/dataFolder.ts';
import { type ExchangeGate, openExchangeGate } from './exchangeGate.ts';
import { type OwnTestStack, ownTestStack } from './ownTestStack.ts';

const BALANCE_MICROS = 10_000_000n * 1_000_000n;

/** A stack whose service reaches the exchange through a gate that a test controls. */
export function ownGatedStack(timing: Environment): OwnTestStack & { gate(): ExchangeGate } {
  let exchange: StartedExchange | undefined;
  let gate: ExchangeGate | undefined;
  afterAll(async () => {
    await gate?.close();
    await exchange?.stop();
  });
  const stack = ownTestStack('gated', {
    async environment(dataDir) {
      const { exchange: key } = await loadSecrets(dataFolderAt(dataDir).secrets);
      exchange = await startExchange({
        dataDir: join(dataDir, 'exchange'),
        port: 0,
        signatureToleranceSeconds: Number(timing.EXCHANGE_SIGNATURE_TOLERANCE_SECONDS),
        keys: [{ keyId: key.keyId, publicKeyPem: key.publicKeyPem, balanceMicros: BALANCE_MICROS }],
      });
      gate = await openExchangeGate(exchange.url);
      return {
        VENUE_URL: gate.url,
        VENUE_WS_URL: gate.url.replace(/^http/, 'ws').replace('/v2', '/ws/v2'),
        VENUE_KEY_ID: key.keyId,
        VENUE_PRIVATE_KEY: key.privateKeyPem,
        ...timing,
      };
    },
  });
  return {
    ...stack,
    gate() {
      if (!gate) throw new Error('the gate of this file is not open');
      return gate;
    },
  };
}
