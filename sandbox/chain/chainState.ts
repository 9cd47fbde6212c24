import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The chain writes at the same interval. */
const COPY_EVERY_MS = 1_000;

/** Path of the chain's state within its folder. */
export function stateFileOf(dataDir: string): string {
  return join(dataDir, 'state.json');
}

/** The newest first. */
function copiesOf(stateFile: string): [string, string] {
  return [`${stateFile}.copy`, `${stateFile}.older`];
}

/**
 * The chain overwrites its old state, so a kill leaves half of it or nothing. This keeps the last
 * two complete copies.
 * @returns a function that stops copying
 */
export function rotateStateCopies(dataDir: string): () => void {
  const stateFile = stateFileOf(dataDir);
  let copied = '';
  let isCopying = false;
  const copyOnce = async () => {
    const before = await versionOf(stateFile);
    if (before === '' || before === copied) return;
    const [newest, older] = copiesOf(stateFile);
    await copyFile(stateFile, `${stateFile}.copying`);
    // Changed during the copy: the next round retries.
    if ((await versionOf(stateFile)) !== before) return;
    await rename(newest, older).catch(() => undefined);
    await rename(`${stateFile}.copying`, newest);
    copied = before;
  };
  const timer = setInterval(() => {
    if (isCopying) return;
    isCopying = true;
    // The folder may be gone; a failed copy is retried a second later.
    void copyOnce()
      .catch(() => undefined)
      .finally(() => {
        isCopying = false;
      });
  }, COPY_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Restores the newest complete state before the chain starts, if its file is incomplete. After a
 * kill within the first second there is none: the chain starts empty and the journal replays the
 * rest. If every copy is broken, leaves all files unchanged for inspection.
 */
export function repairState(dataDir: string): void {
  const stateFile = stateFileOf(dataDir);
  if (!existsSync(stateFile) || isWhole(stateFile)) return;
  const copies = copiesOf(stateFile).filter((file) => existsSync(file));
  const whole = copies.find(isWhole);
  if (whole !== undefined) {
    const repaired = `${stateFile}.repaired`;
    try {
      copyFileSync(whole, repaired);
      renameSync(repaired, stateFile);
    } finally {
      rmSync(repaired, { force: true });
    }
  } else if (copies.length === 0) {
    rmSync(stateFile);
  }
}

function isWhole(file: string): boolean {
  try {
    if (statSync(file).size === 0) return false;
    JSON.parse(readFileSync(file, 'utf8'));
    return true;
  } catch {
    return false;
  }
}

async function versionOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found && found.size > 0 ? `${found.mtimeMs}:${found.size}:${found.ino}` : '';
}
