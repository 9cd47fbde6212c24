import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { stateFileOf } from './chainState.ts';
import { requestChain } from './rpcCall.ts';
import { newestBlock, untilIdle } from './untilIdle.ts';
import type { WriteGate } from './writeGate.ts';

const unpack = promisify(gunzip);

const EVERY_MS = 1_000;
/** Saving pauses requests, so a busy sender would be paused again and again. */
const QUIET_MS = 400;
/** The latest time to save: everything since must be in the journal, which replays it. */
const LATEST_MS = 20_000;
/** Saving takes at most this share of the time; the journal has everything since. */
const LEAST_PAUSE = 10;
/** A transaction not mined within this time waits for something else. */
const MINED_WITHIN_MS = 300;

/**
 * Saves the chain's state at intervals, while no request is in flight: the chain's own file can
 * have the effects of a block without the block.
 */
export async function saveStateRegularly(
  chain: { url: string; dataDir: string; writes: WriteGate; isMiningHeld: () => boolean },
  signal: AbortSignal,
): Promise<void> {
  let saved: string | undefined;
  let savedAt = performance.now();
  while (!signal.aborted) {
    const begunAt = performance.now();
    const isTime = chain.writes.quietMs() >= QUIET_MS || begunAt - savedAt >= LATEST_MS;
    try {
      if (isTime && (await newestBlock(chain.url)) !== saved) {
        savedAt = begunAt;
        const state = await chain.writes.alone(async () => {
          const still = await untilIdle(chain.url, chain.isMiningHeld() ? 0 : MINED_WITHIN_MS);
          return signal.aborted ? undefined : await readState(chain.url, still);
        });
        if (state && !signal.aborted) {
          await putState(chain.dataDir, state.packed);
          saved = state.block;
        }
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
 * @returns undefined when a block was mined meanwhile: the state may have its effects without the
 * block
 */
async function readState(
  url: string,
  block: string,
): Promise<{ block: string; packed: string } | undefined> {
  const packed = String(await requestChain(url, 'anvil_dumpState'));
  return (await newestBlock(url)) === block ? { block, packed } : undefined;
}

/** Atomically writes the state that the chain starts from, and a copy beside it. */
async function putState(dataDir: string, packed: string): Promise<void> {
  const state = await unpack(Buffer.from(packed.slice(2), 'hex'));
  const file = stateFileOf(dataDir);
  const [saving, copying] = [`${file}.saving`, `${file}.copying`];
  try {
    await writeFile(saving, state, { mode: 0o600, flush: true });
    // On shutdown the chain overwrites its file; if it is killed then, the copy is complete.
    await copyFile(saving, copying);
    await rename(copying, `${file}.copy`);
    await rename(saving, file);
  } catch (error) {
    // On a full disk, partial files must not take space.
    await Promise.all([rm(saving, { force: true }), rm(copying, { force: true })]);
    throw error;
  }
}
