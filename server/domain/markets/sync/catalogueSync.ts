import { randomUUID } from 'node:crypto';
import type { CatalogueChange } from '#server/exchange/catalogue.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { deleteMarketChanges } from '../catalogue/changes/noteChanges.ts';
import { maintainPricePartitions } from '../prices/priceRetention.ts';
import { renewEventAggregates } from './eventAggregates.ts';
import { holdLease, LEASE_SECONDS, releaseLease } from './lease.ts';
import { savePrices } from './livePrices.ts';
import { syncMetadata } from './metadata.ts';
import { recordEarlierResults } from './mirror.ts';
import { createPushedPrices, type PushedPrices } from './pushedPrices.ts';
import {
  listOverdue,
  type SyncDeps,
  syncAll,
  syncChanges,
  syncEvents,
  syncLiquidity,
  syncMarkets,
} from './tasks.ts';

const TURN_MS = 1_000;
const CHANGES_EVERY_MS = 20_000;
/** The feed may lose messages, so everything is read again at this interval. */
const SWEEP_EVERY_MS = 5 * 60_000;
const SWEEP_AFTER_GAP_MS = 30_000;
const LIQUIDITY_EVERY_MS = 20_000;
const LIQUIDITY_A_ROUND = 500;
/** Two events a second: the busiest events have their style within a minute. */
const METADATA_EVERY_MS = 5_000;
const METADATA_A_ROUND = 10;
const OVERDUE_EVERY_MS = 3_000;
const PRUNE_EVERY_MS = 60 * 60_000;
const FORGET_EVERY_MS = 60_000;
const OVERLAP_MS = 2 * 60_000;
const FIRST_LOOKBACK_MS = 24 * 60 * 60_000;

export type CatalogueSyncOptions = {
  database: Database;
  exchange: Exchange;
  log: Log;
  signal: AbortSignal;
};

/**
 * Keeps the mirror of the exchange's listings until the signal aborts. Errors are logged and
 * retried; none of them may end the processor.
 */
export async function startCatalogueSync(options: CatalogueSyncOptions): Promise<void> {
  const holder = randomUUID();
  while (!options.signal.aborted) {
    try {
      if (await holdLease(options.database, holder)) await runMirror(options, holder);
      else await pause((LEASE_SECONDS * 1000) / 3, options.signal);
    } catch (error) {
      if (options.signal.aborted) break;
      options.log.warn({ err: error }, 'catalogue sync interrupted, retrying');
      await pause(2_000, options.signal);
    }
  }
  await releaseLease(options.database, holder).catch(() => undefined);
}

/** Announced changes that are not written yet. */
type Inbox = {
  prices: PushedPrices;
  markets: Set<string>;
  events: Set<string>;
  hasGap: boolean;
};

async function runMirror(options: CatalogueSyncOptions, holder: string): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const deps: SyncDeps = { ...options, catalogue: options.exchange.catalogue, signal };
  const inbox: Inbox = {
    prices: createPushedPrices(),
    markets: new Set(),
    events: new Set(),
    hasGap: false,
  };
  const renewal = setInterval(
    () => {
      holdLease(options.database, holder)
        .then((held) => held || stop.abort())
        .catch(() => undefined);
    },
    (LEASE_SECONDS * 1000) / 3,
  );
  try {
    // Subscribes first, so that no change falls between the full read and the feed.
    deps.catalogue.watch({
      onChange: (change) => receive(inbox, change),
      onGap: (reason) => {
        deps.log.debug({ reason }, 'catalogue feed may have missed changes');
        inbox.hasGap = true;
      },
      signal,
    });
    await recordEarlierResults(deps.database);
    await readAll(deps, inbox);
    inbox.hasGap = false;
    await follow(deps, inbox);
  } finally {
    clearInterval(renewal);
    stop.abort();
  }
}

function receive(inbox: Inbox, change: CatalogueChange): void {
  if (change.kind === 'prices') inbox.prices.add(change);
  else if (change.kind === 'market') inbox.markets.add(change.ticker);
  else inbox.events.add(change.eventTicker);
}

async function readAll(deps: SyncDeps, { prices }: Inbox): Promise<void> {
  prices.deleteBefore(performance.now());
  await syncAll(deps, {
    async betweenPages() {
      await renewEventAggregates(deps.database.orm, await savePrices(deps.database, prices.take()));
    },
    pushedSince(moment) {
      prices.deleteBefore(moment);
      return prices.pushedSince(moment);
    },
  });
}

async function follow(deps: SyncDeps, inbox: Inbox): Promise<void> {
  const touched = new Set<string>();
  const touch = (events: string[]) => {
    for (const event of events) touched.add(event);
  };
  let since = new Date(Date.now() - FIRST_LOOKBACK_MS);
  let liquidityFrom = 0;
  const due = createTimetable();
  while (!deps.signal.aborted) {
    touch(await savePrices(deps.database, inbox.prices.take()));
    await syncEvents(deps, takeSet(inbox.events));
    touch(await syncMarkets(deps, takeSet(inbox.markets)));
    if (due('overdue', OVERDUE_EVERY_MS)) {
      touch(await syncMarkets(deps, await listOverdue(deps.database, 500)));
    }
    if (due('changes', CHANGES_EVERY_MS)) {
      const begun = Date.now();
      touch(await syncChanges(deps, since));
      since = new Date(begun - OVERLAP_MS);
    }
    if (due('sweep', inbox.hasGap ? SWEEP_AFTER_GAP_MS : SWEEP_EVERY_MS, 'later')) {
      inbox.hasGap = false;
      await readAll(deps, inbox);
    }
    if (due('liquidity', LIQUIDITY_EVERY_MS)) {
      const { events, read } = await syncLiquidity(deps, liquidityFrom, LIQUIDITY_A_ROUND);
      liquidityFrom = read < LIQUIDITY_A_ROUND ? 0 : liquidityFrom + read;
      touch(events);
    }
    await renewEventAggregates(deps.database.orm, takeSet(touched));
    if (due('metadata', METADATA_EVERY_MS)) await syncMetadata(deps, METADATA_A_ROUND);
    if (due('forget', FORGET_EVERY_MS)) await deleteMarketChanges(deps.database);
    if (due('prune', PRUNE_EVERY_MS)) await maintainPricePartitions(deps.database);
    await pause(TURN_MS, deps.signal);
  }
}

/** Returns whether a task is due; tasks marked "later" also wait before their first run. */
function createTimetable(): (task: string, everyMs: number, first?: 'later') => boolean {
  const begun = performance.now();
  const last = new Map<string, number>();
  return (task, everyMs, first) => {
    const now = performance.now();
    const previous = last.get(task) ?? (first === 'later' ? begun : Number.NEGATIVE_INFINITY);
    if (now - previous < everyMs) return false;
    last.set(task, now);
    return true;
  };
}

function takeSet(items: Set<string>): string[] {
  const taken = [...items];
  items.clear();
  return taken;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
