import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** As often as the chain writes. */
const COPY_EVERY_MS = 1_000;

/** Where the chain keeps its state below its folder. */
export function stateFileOf(dataDir: string): string {
  return join(dataDir, 'state.json');
}

/** The newest first. */
function copiesOf(stateFile: string): [string, string] {
  return [`${stateFile}.copy`, `${stateFile}.older`];
}

/**
 * The chain writes its state over the old one, so a kill in the middle leaves half of it or
 * nothing. This keeps the last two it had finished.
 * @returns what ends it
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
    // Written meanwhile: the next round takes it.
    if ((await versionOf(stateFile)) !== before) return;
    await rename(newest, older).catch(() => undefined);
    await rename(`${stateFile}.copying`, newest);
    copied = before;
  };
  const timer = setInterval(() => {
    if (isCopying) return;
    isCopying = true;
    // The folder may be gone; what cannot be copied now is copied a second later.
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
 * Puts the newest whole state in its place before the chain starts from it, if the one there is not.
 * Killed within its first second the chain has none: it begins anew, and the journal tells it the
 * rest. Should every copy be broken, all is left as it is, for somebody to look at.
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
