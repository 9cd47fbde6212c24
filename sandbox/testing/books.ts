import { setTimeout as delay } from 'node:timers/promises';
import { openService } from '#scripts/serviceConfig.ts';
import type { Difference } from '#server/domain/reconciliation/difference.ts';
import { reconcile } from '#server/domain/reconciliation/reconcile.ts';
import type { Config } from '#server/platform/config/config.ts';
import { catchUpWithChain } from '#server/processor/watchers/readers.ts';
import { closeRuntime, openRuntime, type Runtime } from '#server/runtime.ts';

/** Uses the service's own modules, beside the running processes. */
export async function withRuntime<Value>(
  dataDir: string,
  work: (runtime: Runtime) => Promise<Value>,
  adjust: (config: Config) => Config = (config) => config,
): Promise<Value> {
  const { config } = await openService(dataDir);
  const runtime = await openRuntime(adjust({ ...config, logLevel: 'silent' }), 'tool');
  try {
    return await work(runtime);
  } finally {
    await closeRuntime(runtime);
  }
}

/**
 * The differences between ledger, exchange and chain, once the ledger has read the chain to its
 * end.
 * @throws when they cannot be determined
 */
export async function findDifferences(runtime: Runtime): Promise<Difference[]> {
  if (!(await catchUpWithChain(runtime))) throw new Error('the books stay behind the chain');
  const { differences, failure } = await reconcile(runtime, delay);
  if (failure !== null) throw new Error(failure);
  return differences;
}
