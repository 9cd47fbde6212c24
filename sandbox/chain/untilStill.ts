import { setTimeout as delay } from 'node:timers/promises';
import { type Hex, zeroAddress } from 'viem';
import { requestChain } from './rpcCall.ts';

const POLL_MS = 10;
const TIMEOUT_MS = 10_000;

/**
 * Waits until the local chain makes no block any more; nobody may send to it meanwhile. It answers
 * questions while it makes one, and shows the effects of it a moment before the block itself.
 * @param minedWithinMs a transaction that nothing mines within this time waits for something else
 * @returns the hash of the newest block
 * @throws when it does not come to rest
 */
export async function untilStill(chainUrl: string, minedWithinMs: number): Promise<string> {
  const until = Date.now() + TIMEOUT_MS;
  while (Date.now() < until) {
    const before = await newestBlock(chainUrl);
    await untilAllMined(chainUrl, minedWithinMs);
    // A balance is answered once the block under way has been carried out.
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

/** A transaction is mined a moment after it was taken; one that pays too little may never be. */
export async function untilAllMined(chainUrl: string, timeoutMs: number): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (Date.now() < until) {
    const pool = (await requestChain(chainUrl, 'txpool_status')) as { pending: Hex };
    if (BigInt(pool.pending) === 0n) return;
    await delay(POLL_MS);
  }
}
