import { sql } from 'drizzle-orm';
import type { ServiceStatus } from '#lib/api/schemas/status.ts';
import { countOrphanedRequests } from '#server/domain/orders/lifecycle/backlog.ts';
import type { Chain } from '../../chain/client.ts';
import { listAlerts } from '../../domain/admin/alerts.ts';
import { readSyncState } from '../../domain/markets/sync/syncState.ts';
import { readBacklog } from '../../domain/orders/lifecycle/backlog.ts';
import { readLatestRun } from '../../domain/reconciliation/runs.ts';
import type { Exchange } from '../../exchange/port.ts';
import type { Database } from '../../platform/database/client.ts';

export type StatusDeps = { database: Database; chain: Chain; exchange: Exchange };

type State = ServiceStatus['status'];

/** A part that does not respond within this time counts as down. */
const TIMEOUT_MS = 2_000;
const LATE_SECONDS = 30;
const STUCK_SECONDS = 120;
/** Everything is read again every few minutes. */
const STALE_CATALOGUE_MS = 60 * 60_000;
/** A chain whose newest block is older than this has stopped; the sandbox mines on demand only. */
const STALE_BLOCK_MS = 60_000;

/** The value, or undefined when it does not come in time. */
async function withTimeout<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
  });
  try {
    return await Promise.race([read(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

async function databaseStatus({ database }: StatusDeps): Promise<ServiceStatus['database']> {
  const startedAt = performance.now();
  const answered = await withTimeout(() => database.orm.execute(sql`select 1`));
  if (!answered) return { status: 'down', latencyMs: null };
  return { status: 'ok', latencyMs: Math.round((performance.now() - startedAt) * 10) / 10 };
}

async function exchangeStatus({ exchange }: StatusDeps): Promise<ServiceStatus['exchange']> {
  const reading = await withTimeout(() => exchange.getStatus());
  const shards = (reading?.shards ?? []).map(({ shard, name, tradingActive }) => ({
    shard,
    name,
    tradingActive,
  }));
  const trades =
    reading?.exchangeActive === true &&
    reading.tradingActive &&
    shards.every(({ tradingActive }) => tradingActive);
  return {
    status: !reading ? 'down' : trades ? 'ok' : 'degraded',
    name: exchange.name,
    exchangeActive: reading?.exchangeActive ?? null,
    tradingActive: reading?.tradingActive ?? null,
    shards,
    resumesAt: reading?.resumesAt?.toISOString() ?? null,
  };
}

async function chainStatus({ chain }: StatusDeps): Promise<ServiceStatus['chain']> {
  const block = await withTimeout(() => chain.client.getBlock());
  const minedAt = block ? new Date(Number(block.timestamp) * 1000) : undefined;
  const stale = minedAt !== undefined && Date.now() - minedAt.getTime() > STALE_BLOCK_MS;
  return {
    status: !block ? 'down' : stale && !chain.sandbox ? 'degraded' : 'ok',
    chainId: chain.id,
    sandbox: chain.sandbox,
    blockNumber: block?.number.toString() ?? null,
    blockTime: minedAt?.toISOString() ?? null,
  };
}

async function processorStatus(deps: StatusDeps): Promise<ServiceStatus['processor']> {
  const [backlog, orphaned] = await Promise.all([
    withTimeout(() => readBacklog(deps)),
    withTimeout(() => countOrphanedRequests(deps)),
  ]);
  const strayRequests = orphaned ?? null;
  if (!backlog) {
    const unknown = { openOrders: null, overdueSeconds: null };
    return { status: 'down', ...unknown, failingOrders: null, deadLetters: null, strayRequests };
  }
  const { overdueSeconds } = backlog;
  const late: State = overdueSeconds > LATE_SECONDS ? 'degraded' : 'ok';
  return {
    status: overdueSeconds > STUCK_SECONDS ? 'down' : late,
    ...backlog,
    strayRequests,
  };
}

async function catalogueStatus(deps: StatusDeps): Promise<ServiceStatus['catalogue']> {
  const { underWay, lastFull } = (await withTimeout(() => readSyncState(deps))) ?? {};
  const age = lastFull ? Date.now() - Date.parse(lastFull.finishedAt) : undefined;
  return {
    status: age === undefined ? 'pending' : age > STALE_CATALOGUE_MS ? 'stale' : 'ok',
    mirroredAt: lastFull?.finishedAt ?? null,
    markets: lastFull?.markets ?? null,
    underWay: underWay
      ? { begunAt: underWay.begunAt, markets: underWay.markets, ofMarkets: underWay.ofMarkets }
      : null,
  };
}

async function reconciliationStatus(deps: StatusDeps): Promise<ServiceStatus['reconciliation']> {
  const run = await withTimeout(() => readLatestRun(deps));
  if (!run) return { status: 'pending', checkedAt: null, differences: 0 };
  return {
    status: run.status,
    checkedAt: run.checkedAt.toISOString(),
    differences: run.differences.length,
  };
}

async function openAlerts(deps: StatusDeps): Promise<ServiceStatus['alerts']> {
  const alerts = (await withTimeout(() => listAlerts(deps))) ?? [];
  return alerts.map(({ kind, detail, raisedAt, lastSeenAt }) => ({
    kind,
    detail,
    raisedAt: raisedAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }));
}

function worstOf(states: State[]): State {
  if (states.includes('down')) return 'down';
  return states.includes('degraded') ? 'degraded' : 'ok';
}

/** The current state of every part of the service. Never throws. */
export async function readStatus(deps: StatusDeps, version: string): Promise<ServiceStatus> {
  const [database, exchange, chain, processor, catalogue, reconciliation, alerts] =
    await Promise.all([
      databaseStatus(deps),
      exchangeStatus(deps),
      chainStatus(deps),
      processorStatus(deps),
      catalogueStatus(deps),
      reconciliationStatus(deps),
      openAlerts(deps),
    ]);
  const parts = [database.status, exchange.status, chain.status, processor.status];
  return {
    status: worstOf(alerts.length > 0 ? [...parts, 'degraded'] : parts),
    version,
    time: new Date().toISOString(),
    database,
    exchange,
    chain,
    processor,
    catalogue,
    reconciliation,
    alerts,
  };
}
