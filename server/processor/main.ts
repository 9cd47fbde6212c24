import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { marketAnswer } from '../http/answers/market.ts';
import { startCatalogueSync } from '../markets/catalogueSync.ts';
import { closeRuntime, openRuntime, type Runtime } from '../runtime.ts';
import { RETRY_SCHEDULE } from '../webhooks/schedule.ts';
import { runWebhooks } from '../webhooks/worker.ts';
import { advanceOrder } from './advanceOrder.ts';
import { createBell } from './bell.ts';
import { runBlockTimeLoop } from './blockTimeLoop.ts';
import { watchChain } from './chainWatcher.ts';
import { createCheckpoint } from './checkpoints.ts';
import { watchKeys } from './keyWatch.ts';
import { settleMarkets } from './marketSettler.ts';
import { runReconcileLoop } from './reconcileLoop.ts';
import { recoverAfterRestore } from './recovery.ts';
import type { SignerRole } from './signers/signerDeps.ts';
import { runSigner } from './signers/signerLoop.ts';
import type { StepDeps } from './stepDeps.ts';
import { returnStrayRequests } from './strayRequests.ts';
import { sweepDueOrders } from './sweeper.ts';
import { runTransferLoop } from './transferLoop.ts';

/** Intents carried at once by one processor. */
const CONCURRENCY = 16;
const DRAIN_MS = 4_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const runtime = await openRuntime(config, { name: 'processor', maintainQueue: true });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  // Started by a supervisor: without it there is nobody left to stop this process.
  if (process.send) process.once('disconnect', () => stop.abort());

  process.send?.({ type: 'ready' });
  await recoverAfterRestore(runtime, signersOf(config), stop.signal);
  const loops = stop.signal.aborted ? [] : startLoops(runtime, stop.signal);
  runtime.log.info('processor ready');
  await Promise.all(loops);
  await closeRuntime(runtime, DRAIN_MS);
  runtime.log.info('processor stopped');
  process.exit(0);
}

function startLoops(runtime: Runtime, signal: AbortSignal): Promise<void>[] {
  const { config } = runtime;
  const checkpoint = createCheckpoint(config.sandboxFaultDir);
  const operators = config.chain.operatorKeys.map((key) => privateKeyToAccount(key));
  const work = createBell();
  const stepDeps: StepDeps = { ...runtime, checkpoint, work };
  const roles: SignerRole[] = [
    ...operators.map(
      (account): SignerRole => ({
        account,
        kinds: ['grant', 'request', 'fill', 'refund', 'withdraw', 'redeem'],
      }),
    ),
    { account: privateKeyToAccount(config.chain.attestorKey), kinds: ['attest'] },
    ...resolverRoles(config.chain.resolverKey),
  ];
  const { maxFeePerGas } = config.chain;
  const signerDeps = { ...runtime, checkpoint, work, maxFeePerGas };
  return [
    ...roles.map((role) => runSigner(signerDeps, role, signal)),
    watchChain(runtime, signal),
    watchKeys(
      runtime,
      roles.map((role) => role.account.address),
      signal,
    ),
    runBlockTimeLoop(runtime, signal),
    returnStrayRequests({ ...runtime, work }, signal),
    runTransferLoop(runtime, signal),
    runReconcileLoop(runtime, signal),
    sweepDueOrders(runtime, signal),
    settleMarkets({ ...runtime, work }, signal),
    startCatalogueSync({ ...runtime, signal }),
    runWebhooks(
      {
        ...runtime,
        schedule: RETRY_SCHEDULE,
        policy: { allowLocal: config.chain.sandbox },
        describeMarket: (market) => marketAnswer(market, config.publicBaseUrl),
      },
      signal,
    ),
    runtime.queue.work({ concurrency: CONCURRENCY }, (orderId) =>
      advanceOrder(stepDeps, orderId, signal),
    ),
  ];
}

function signersOf({ chain }: Config) {
  const addressOf = (key: Hex) => privateKeyToAccount(key).address;
  const operators = chain.operatorKeys.map(addressOf);
  const others = [chain.attestorKey, ...(chain.resolverKey ? [chain.resolverKey] : [])];
  return { operators, all: [...operators, ...others.map(addressOf)] };
}

function resolverRoles(key: Hex | undefined): SignerRole[] {
  if (key === undefined) return [];
  return [{ account: privateKeyToAccount(key), kinds: ['propose', 'finalize'] }];
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
  } else {
    process.stderr.write(`processor could not run: ${String(error)}\n`);
    if (error instanceof Error) process.stderr.write(`${error.stack}\n`);
  }
  process.exit(1);
});
