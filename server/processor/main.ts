import type { Address } from 'viem';
import { runRetention } from '../domain/compliance/retention.ts';
import { serializeMarket } from '../domain/markets/serializeMarket.ts';
import { startCatalogueSync } from '../domain/markets/sync/catalogueSync.ts';
import { watchService } from '../domain/monitoring/serviceGauges.ts';
import { createAlertTriggers } from '../domain/notifications/priceAlerts/alertTriggers.ts';
import { runPublisher } from '../domain/notifications/publisher.ts';
import { stopOrders } from '../domain/orders/lifecycle/triggerStore.ts';
import { type Config, ConfigError, readConfig } from '../platform/config/config.ts';
import { startOpsServer } from '../platform/health/opsServer.ts';
import { createReadiness } from '../platform/health/readiness.ts';
import { KeyServiceError } from '../platform/keys/keyService.ts';
import { exposeMetrics } from '../platform/metrics/registry.ts';
import { logEverything } from '../platform/process/logEverything.ts';
import { runMain, StartError, stopSignal } from '../platform/process/runMain.ts';
import { closeRuntime, openRuntime, type Runtime } from '../runtime.ts';
import { runCollateralLoop } from './jobs/collateralLoop.ts';
import { runReconcileLoop, runReplacementLoop, settleMarkets } from './jobs/loops.ts';
import { recoverAfterRestore } from './jobs/recovery.ts';
import { runRestingLoop } from './jobs/restingLoop.ts';
import { runTriggerLoop } from './jobs/triggerLoop.ts';
import { advanceOrder } from './runner/advanceOrder.ts';
import { createCheckpoint } from './runner/checkpoints.ts';
import { createClaimedOrders } from './runner/claimedOrders.ts';
import { pollDueOrders } from './runner/pollDueOrders.ts';
import type { StepDeps } from './runner/stepDeps.ts';
import { createWorkPool, type WorkPool } from './runner/workPool.ts';
import { createWorkSignal } from './runner/workSignal.ts';
import type { SignerDeps, SignerRole } from './signers/signer.ts';
import { addressesOf, namedSigners, openSignerRoles } from './signers/signer.ts';
import { finishAbandoned } from './signers/signerLoop.ts';
import { type SignerSet, startSigners } from './signers/signerSet.ts';
import { watchDueWork } from './signers/watchDueWork.ts';
import { watchExchangeAccount } from './watchers/accountWatch.ts';
import { watchChain } from './watchers/chainWatcher.ts';
import { watchDatabase } from './watchers/databaseWatch.ts';
import { watchKeys } from './watchers/keyWatch.ts';
import { returnOrphanedRequests } from './watchers/orphanedRequests.ts';
import { watchP256 } from './watchers/p256Watch.ts';
import { runBlockTimeLoop, runTransferLoop } from './watchers/readers.ts';

/** Orders that one processor executes at once: the more, the more statements they share. */
const CONCURRENCY = 64;

async function main(): Promise<void> {
  const config = readConfig(process.env, 'processor');
  const signerRoles = await openKeys(config);
  const carriesOrders = config.chain.keys.operators.length > 0;
  const runtime = await openRuntime(config, 'processor');
  logEverything(runtime.log);
  const signal = stopSignal({ log: runtime.log, drainMs: config.shutdown.drainMs });
  const readiness = createReadiness({ database: () => runtime.database.pool.query('select 1') });
  signal.addEventListener('abort', () => readiness.end());
  const ops = await startOpsServer({
    ...config.ops,
    readiness,
    metrics: exposeMetrics,
    log: runtime.log,
  });

  process.send?.({ type: 'ready' });
  if (carriesOrders) await recoverAfterRestore(runtime, addressesOf(signerRoles), signal);
  const start = carriesOrders ? startLoops : startSigning;
  const loops = signal.aborted ? [] : start(runtime, signerRoles, signal);
  if (!signal.aborted) readiness.begin();
  runtime.log.info('processor ready');
  await Promise.all(loops);
  await closeRuntime(runtime);
  await ops?.close();
  runtime.log.info('processor stopped');
  process.exit(0);
}

/** @throws {StartError} when the key service denies the use of a configured key */
async function openKeys(config: Config): Promise<SignerRole[]> {
  try {
    return await openSignerRoles(config);
  } catch (cause) {
    if (!(cause instanceof KeyServiceError)) throw cause;
    const kind = cause.kind === 'unavailable' ? 'notYet' : 'refused';
    throw new StartError(kind, `${cause.message}; look at KEY_SERVICE_URL and the kms: keys`, {
      cause,
    });
  }
}

/**
 * Everything that a host with only the attestor's or the resolver's key does: it signs for that
 * key. It executes no orders, so it needs no exchange key.
 */
function startSigning(
  runtime: Runtime,
  signerRoles: readonly SignerRole[],
  signal: AbortSignal,
): Promise<void>[] {
  const deps = dependenciesOf(runtime, { free: () => 0, start: () => undefined });
  const signers = runSigners(runtime, deps, signerRoles, signal);
  return [
    signers.done,
    watchDueWork(deps, signers.roles, signal),
    watchKeys(runtime, () => signers.roles(), signal),
  ];
}

function dependenciesOf(
  runtime: Runtime,
  pool: Pick<WorkPool, 'free' | 'start'>,
): Runtime & StepDeps & SignerDeps {
  return {
    ...runtime,
    checkpoint: createCheckpoint(runtime.config.sandboxFaultDir),
    work: createWorkSignal(),
    claimedOrders: createClaimedOrders({ database: runtime.database, pool }),
    keysHeld: new Set<Address>(),
    maxFeePerGas: runtime.config.chain.maxFeePerGas,
  };
}

function runSigners(
  runtime: Runtime,
  deps: SignerDeps,
  signerRoles: readonly SignerRole[],
  signal: AbortSignal,
): SignerSet {
  const signers = startSigners(deps, signal);
  signers.use(signerRoles);
  process.on('SIGHUP', () => void changeKeys(runtime, signers));
  watchService({ ...runtime, signers: () => namedSigners(signers.roles()) });
  return signers;
}

function startLoops(
  runtime: Runtime,
  signerRoles: readonly SignerRole[],
  signal: AbortSignal,
): Promise<void>[] {
  const pool = createWorkPool({
    concurrency: CONCURRENCY,
    handler: (orderId) =>
      advanceOrder(deps, orderId, signal).catch((error: unknown) => {
        // The lease expires, and the order is found again.
        runtime.log.error({ err: error, orderId }, 'an order step failed');
      }),
  });
  const deps = dependenciesOf(runtime, pool);
  const signers = runSigners(runtime, deps, signerRoles, signal);
  runtime.exchange.subscribeFills(signal);
  return [
    signers.done,
    watchDueWork(deps, signers.roles, signal),
    finishAbandoned(deps, signers.addresses, signal),
    watchChain(deps, signal),
    watchKeys(runtime, () => signers.roles(), signal),
    runBlockTimeLoop(runtime, signal),
    returnOrphanedRequests(deps, signal),
    runTransferLoop(runtime, signal),
    runReconcileLoop(runtime, signal),
    watchExchangeAccount(runtime, signal),
    watchDatabase(runtime, signal),
    watchP256(runtime, signal),
    runRestingLoop(runtime, signal),
    runReplacementLoop(runtime, signal),
    runTriggerLoop(
      runtime,
      [stopOrders(runtime.database), createAlertTriggers(runtime.database)],
      signal,
    ),
    runCollateralLoop({ ...deps, shardTargets: runtime.config.shardTargets }, signal),
    runRetention(runtime, signal),
    settleMarkets(deps, signal),
    startCatalogueSync({ ...runtime, signal }),
    runPublisher(
      {
        ...runtime,
        exchange: runtime.exchange.name,
        describeMarket: (market) => serializeMarket(market, runtime.config.publicBaseUrl),
      },
      signal,
    ),
    pollDueOrders({ ...deps, pool }, signal),
  ];
}

/**
 * Loads the keys from the files that the environment names. Logs errors and then keeps the current
 * keys.
 */
async function changeKeys({ log, exchangeKey }: Runtime, signers: SignerSet): Promise<void> {
  try {
    const config = readConfig(process.env, 'processor');
    const roles = await openSignerRoles(config);
    exchangeKey?.change(config);
    signers.use(roles);
    log.info({ signers: signers.addresses() }, 'keys reloaded');
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : undefined;
    log.error(
      { err: error, problems },
      'keys could not be reloaded; the previous keys stay in use',
    );
  }
}

await runMain('The processor', main);
