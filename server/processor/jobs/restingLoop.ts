import type { Chain } from '#server/chain/client.ts';
import { isVaultPaused } from '#server/chain/operations/effects.ts';
import { raiseAlert } from '#server/domain/admin/alerts.ts';
import { recordAudit } from '#server/domain/admin/audit.ts';
import { parseClientOrderId } from '#server/domain/orders/lifecycle/attempts.ts';
import { wakeOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import {
  compareRests,
  filterOrphans,
  isOurId,
  listBookedRests,
  listHaltedRests,
  listResting,
  listRestingTickers,
  storeQueuePositions,
} from '#server/domain/orders/lifecycle/restingSweep.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { RestingOrder } from '#server/exchange/restingOrders.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { pollUntilAborted } from '../runner/polling.ts';

type Deps = { database: Database; exchange: Exchange; chain: Chain; log: Log };

/** Between comparisons of our resting orders with the exchange's: what a lost message costs. */
const SWEEP_MS = 5_000;
const ERROR_PAUSE_MS = 3_000;
/** An order at the exchange without one behind it is looked at again before it is cancelled. */
const SIGHTINGS = 2;

/**
 * Follows the orders that rest: wakes each one when the feed says that it changed, and compares all
 * of them with the exchange's list, because the feed loses messages unnoticed. Every processor
 * does; a second wake costs one look.
 */
export async function runRestingLoop(deps: Deps, signal: AbortSignal): Promise<void> {
  const { exchange, database, chain, log } = deps;
  const wake = createWaker(deps);
  let isGap = false;
  exchange.onOrderChange({
    onChange: ({ clientOrderId }) => {
      const named = parseClientOrderId(clientOrderId);
      if (named) wake(named.orderId);
    },
    onGap: () => {
      isGap = true;
    },
    signal,
  });
  const sightings = new Map<string, number>();
  const failure = 'comparing the resting orders with the exchange failed';
  const options = { log, signal, pollMs: SWEEP_MS, errorPauseMs: ERROR_PAUSE_MS, failure };
  await pollUntilAborted(options, async () => {
    isGap = false;
    const halt = { isVaultPaused: await isVaultPaused(chain) };
    await wakeOrders(database.orm, await listHaltedRests(deps, halt));
    await sweep(deps, sightings);
    return isGap;
  });
}

/** Gathers the changes of a moment into one statement. */
function createWaker({ database, log }: Deps): (orderId: string) => void {
  const changed = new Set<string>();
  let isWaking = false;
  async function wakeAll(): Promise<void> {
    isWaking = true;
    try {
      while (changed.size > 0) {
        const ids = [...changed];
        changed.clear();
        // The feed reports orders that trade on arrival too: their own step is at work on them.
        await wakeOrders(database.orm, await listResting(database.orm, ids));
      }
    } catch (error) {
      // The sweep finds the same changes.
      log.warn({ err: error }, 'orders that changed at the exchange were not woken');
    } finally {
      isWaking = false;
    }
  }
  return (orderId) => {
    changed.add(orderId);
    if (!isWaking) void wakeAll();
  };
}

async function sweep(deps: Deps, sightings: Map<string, number>): Promise<void> {
  const { database, exchange } = deps;
  // In this order: an order that is accepted in between is on the list alone.
  const booked = await listBookedRests(database.orm);
  const resting = await exchange.listRestingOrders();
  const { toVisit, strangers } = compareRests(booked, resting, isOurId);
  await wakeOrders(database.orm, toVisit);
  const orphans = await filterOrphans(database.orm, strangers);
  const seen = new Set(orphans.map((order) => order.exchangeOrderId));
  for (const id of sightings.keys()) if (!seen.has(id)) sightings.delete(id);
  for (const order of orphans) {
    const times = (sightings.get(order.exchangeOrderId) ?? 0) + 1;
    sightings.set(order.exchangeOrderId, times);
    if (times >= SIGHTINGS) await cancelOrphan(deps, order);
  }
  if (booked.length === 0) return;
  const tickers = await listRestingTickers(database.orm);
  await storeQueuePositions(database.orm, await exchange.listQueuePositions(tickers));
}

/** After a restore: an order under an id of ours that the books do not have. */
async function cancelOrphan(deps: Deps, order: RestingOrder): Promise<void> {
  const { ticker, exchangeOrderId, clientOrderId } = order;
  const market = await deps.exchange.getMarket(ticker);
  if (!market) return;
  const { kind } = await deps.exchange.cancelOrder({
    ticker,
    shard: market.shard,
    exchangeOrderId,
    mayBeSent: () => Promise.resolve(true),
  });
  if (kind !== 'cancelled') return;
  const reason = `${clientOrderId} (${exchangeOrderId}) rested at the exchange without an order behind it.`;
  deps.log.error(
    { clientOrderId, exchangeOrderId },
    'cancelled an order that nothing stands behind',
  );
  const entry = { actor: 'service', action: 'orphan_cancelled', subject: clientOrderId, reason };
  await recordAudit(deps, entry);
  if (order.filledContractMicros === 0n) return;
  await raiseAlert(deps, {
    kind: 'order_unwinding',
    subject: clientOrderId,
    internalDetail: reason,
  });
}
