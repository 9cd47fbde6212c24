import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every point between two side effects of an order, or of a transfer between shards. Tests make a sandbox processor die or freeze at
 * each of them and compare the balances afterwards. A new side effect needs a checkpoint on both
 * sides.
 */
const CHECKPOINTS = [
  'order.claimed',
  'order.transition_decided',
  'order.transition_applied',
  'exchange.before_place',
  'exchange.send_permitted',
  'exchange.after_place',
  'exchange.fills_read',
  'exchange.before_cancel',
  'exchange.after_cancel',
  'exchange.before_amend',
  'exchange.after_amend',
  'exchange.before_transfer',
  'exchange.transfer_permitted',
  'exchange.after_transfer',
  'chain.before_sign',
  'chain.signed',
  'chain.broadcast',
  'chain.replacement_stored',
  'chain.superseded',
  'chain.mined',
  'chain.resolved',
] as const;

export type Checkpoint = (typeof CHECKPOINTS)[number];

/** The file that names where to die, as `name#occurrence`; removed just before. */
export const CRASH_FILE = 'crash';
/** The file that names where to stop until another process resumes this one. */
export const FREEZE_FILE = 'freeze';
/** While this file exists, the names of passed checkpoints are appended to it. */
export const TRACE_FILE = 'trace';

/**
 * Returns the function that the pipeline calls at each checkpoint. It does nothing unless the
 * sandbox configures a folder through which tests arm it.
 */
export function createCheckpoint(faultDir: string | undefined): (name: Checkpoint) => void {
  if (faultDir === undefined) return () => undefined;
  const traceFile = join(faultDir, TRACE_FILE);
  const crash = createTrap(join(faultDir, CRASH_FILE), 'SIGKILL');
  const freeze = createTrap(join(faultDir, FREEZE_FILE), 'SIGSTOP');
  return (name) => {
    if (existsSync(traceFile)) appendFileSync(traceFile, `${name}\n`);
    crash(name);
    freeze(name);
  };
}

/** Sends this process a signal at the checkpoint that the file names. */
function createTrap(file: string, signal: 'SIGKILL' | 'SIGSTOP'): (name: Checkpoint) => void {
  let armed = '';
  let seen = 0;
  return (name) => {
    const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (text !== armed) {
      armed = text;
      seen = 0;
    }
    const trapAt = parseCrashAt(text);
    if (trapAt?.name !== name) return;
    seen += 1;
    if (seen < trapAt.occurrence) return;
    rmSync(file);
    process.kill(process.pid, signal);
  };
}

/** Reads `name#occurrence`; without an occurrence, the first. */
export function parseCrashAt(text: string): { name: Checkpoint; occurrence: number } | undefined {
  const [name, occurrence = '1'] = text.split('#');
  const known = CHECKPOINTS.find((checkpoint) => checkpoint === name);
  return known && /^[1-9]\d?$/.test(occurrence)
    ? { name: known, occurrence: Number(occurrence) }
    : undefined;
}
