import { copyFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { stateFileOf } from './chainState.ts';
import { askChain } from './rpcCall.ts';
import { newestBlock, untilStill } from './untilStill.ts';
import type { WriteGate } from './writeGate.ts';

const unpack = promisify(gunzip);

const EVERY_MS = 1_000;
/** Saving takes at most this share of the time; the journal has what came since. */
const LEAST_PAUSE = 10;
/** A transaction that nothing mines within this time waits for something else. */
const MINED_WITHIN_MS = 300;

/**
 * Saves the chain's state now and then, while nothing is sent to it: what it writes by itself can
 * have the effects of a block and not the block.
 */
export async function keepSaved(
  chain: { url: string; dataDir: string; writes: WriteGate; isMiningHeld: () => boolean },
  signal: AbortSignal,
): Promise<void> {
  let saved: string | undefined;
  while (!signal.aborted) {
    const begunAt = performance.now();
    try {
      if ((await newestBlock(chain.url)) !== saved) {
        saved = await chain.writes.alone(async () => {
          const still = await untilStill(chain.url, chain.isMiningHeld() ? 0 : MINED_WITHIN_MS);
          return !signal.aborted && (await saveState(chain, still)) ? still : undefined;
        });
      }
    } catch {
      // The chain or its folder is gone; there is nothing to save.
    }
    const tookMs = performance.now() - begunAt;
    const pauseMs = Math.max(EVERY_MS, tookMs * LEAST_PAUSE);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Puts the state where the chain starts from, whole or not at all, and a copy beside it.
 * @returns false when a block was made meanwhile: the state may have its effects and not the block
 */
async function saveState(
  { url, dataDir }: { url: string; dataDir: string },
  still: string,
): Promise<boolean> {
  const packed = String(await askChain(url, 'anvil_dumpState'));
  if ((await newestBlock(url)) !== still) return false;
  const state = await unpack(Buffer.from(packed.slice(2), 'hex'));
  const file = stateFileOf(dataDir);
  await writeFile(`${file}.saving`, state, { mode: 0o600 });
  // Asked to end, the chain writes over its file; should it be killed then, the copy is whole.
  await copyFile(`${file}.saving`, `${file}.copying`);
  await rename(`${file}.copying`, `${file}.copy`);
  await rename(`${file}.saving`, file);
  return true;
}
