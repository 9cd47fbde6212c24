import { readConfig } from '../platform/config/config.ts';
import { openRuntime, type Runtime } from '../runtime.ts';

const SHARED = Symbol.for('crossbook.runtime');
type SharedRuntime = { [SHARED]?: Promise<Runtime> };

/** The web process's runtime, on `globalThis`: Next bundles the pages, but not the API. */
export function getRuntime(): Promise<Runtime> {
  const shared = globalThis as SharedRuntime;
  shared[SHARED] ??= openRuntime(readConfig(process.env, 'web'), 'web');
  return shared[SHARED];
}
