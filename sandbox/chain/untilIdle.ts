import { setTimeout as delay } from 'node:timers/promises';
import { type Hex, zeroAddress } from 'viem';
import { requestChain } from './rpcCall.ts';

const POLL_MS = 10;
const TIMEOUT_MS = 10_000;

/**
 * Waits until the local chain mines no more blocks; nothing may be sent to it meanwhile. It serves
 * requests while mining and shows a block's effects a moment before the block itself.
 * @param minedWithinMs a transaction not mined within this time waits for something else
 * @returns the hash of the newest block
 * @throws when the chain does not become idle
 */
export async function untilIdle(chainUrl: string, minedWithinMs: number): Promise<string> {
  const until = Date.now() + TIMEOUT_MS;
  while (Date.now() < until) {
    const before = await newestBlock(chainUrl);
    await untilAllMined(chainUrl, minedWithinMs);
    // A balance is returned only after the current block has been executed.
    await requestChain(chainUrl, 'eth_getBalance', [zeroAddress, 'latest']);
    await delay(2 * POLL_MS);
    if ((await newestBlock(chainUrl)) === before) return before;
  }
  throw new Error('the local chain did not come to rest');
}

/** The hash of the newest block. */
export async function newestBlock(chainUrl: string): Promise<string> {
  const block = await requestChain(chainUrl, 'eth_getBlockByNumber', ['latest', false]);
  return String((block as { hash?: unknown }).hash);
}

/** A transaction is mined a moment after it is accepted; an underpriced one may never be. */
export async function untilAllMined(chainUrl: string, timeoutMs: number): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (Date.now() < until) {
    const pool = (await requestChain(chainUrl, 'txpool_status')) as { pending: Hex };
    if (BigInt(pool.pending) === 0n) return;
    await delay(POLL_MS);
  }
}
