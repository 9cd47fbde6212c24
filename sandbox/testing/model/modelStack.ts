import { setTimeout as delay } from 'node:timers/promises';
import { SERVERS, type Stack } from '#sandbox/stack/startStack.ts';
import { controlChainFaults } from '../chainFaults.ts';
import { startTestStack } from '../testStack.ts';
import { MODEL_CONFIRMATIONS } from './faultInjector.ts';

const BLOCK_MS = 250;

/**
 * A sandbox for the model: without pages, and on a chain that mines continuously and needs several
 * confirmations, as the real one does.
 */
export async function startModelStack(dataDir: string): Promise<Stack> {
  const stack = await startTestStack({
    dataDir,
    servers: SERVERS,
    environment: { SERVE_PAGES: 'false', CHAIN_CONFIRMATIONS: String(MODEL_CONFIRMATIONS) },
  });
  const over = new AbortController();
  const making = makeBlocks(stack, over.signal);
  return {
    ...stack,
    async stop() {
      over.abort();
      await making;
      await stack.stop();
    },
  };
}

async function makeBlocks(stack: Stack, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // While the chain is down or mining is held, there are none.
    await controlChainFaults(stack.description())
      .mine(1)
      .catch(() => undefined);
    await delay(BLOCK_MS, undefined, { signal }).catch(() => undefined);
  }
}
