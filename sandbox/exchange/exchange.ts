import { type ExchangeKey, loadAccounts, openAccounts } from './accounts.ts';
import { loadApiKeys } from './apiKeys.ts';
import { USUAL_AGES } from './archive.ts';
import { createBenchmark } from './catalogue/benchmark.ts';
import { SERIES_TEMPLATES } from './catalogue/templates.ts';
import { type Clock, createClock } from './clock.ts';
import { reserveAllCollateral } from './collateral.ts';
import { createFaults } from './faults.ts';
import { sweepGroups } from './groupSweep.ts';
import { PROFESSIONAL_LIMITS } from './http/rateLimit.ts';
import { advanceMarkets, followSchedules, refreshWorld, settle } from './lifecycle.ts';
import { followMaintenance } from './maintenance.ts';
import { statusOf } from './market.ts';
import {
  advanceFaultPeriods,
  createMisbehaviour,
  restoreAfterFaultPeriod,
  SPELL_TURN_MS,
} from './misbehaviour.ts';
import { loadOperatorState } from './operatorState.ts';
import { cancelPausedOrders, expireOrders } from './orderEnds.ts';
import { loadGroups } from './orderGroups.ts';
import { flushLazily, loadMarketStates, loadRestingOrders } from './persistence.ts';
import { freshShardStates } from './shards.ts';
import { finishTransfers, loadPendingTransfers } from './shardTransfers.ts';
import { createSignals } from './signals.ts';
import type { Exchange } from './state.ts';
import { openStore } from './store.ts';
import { restAgain } from './trading.ts';
import { welcome } from './welcome.ts';
import { createWorld } from './world.ts';

export type ExchangeOptions = {
  dataDir: string;
  seed: number;
  keys: ExchangeKey[];
  clock?: Clock;
  /** Number of generated benchmark markets; 0 by default. */
  benchmarkMarkets?: number;
  /** Balances move in steps of this; direct members have 100. */
  precisionMicros?: bigint;
  /** Allowed difference of a signature's time, in seconds; 30 by default. */
  signatureToleranceSeconds?: number;
  hasMaintenance?: boolean;
};

/** The exchange publishes no number. */
const MARKETS_PER_SUBSCRIPTION = 1_000;
const ROWS_TTL_MS = 7 * 86_400_000;

/** Opens the exchange on its data; everything acknowledged before is restored. */
export function openExchange(options: ExchangeOptions): Exchange {
  const store = openStore(options.dataDir);
  const seed = Number(cachedMeta(store, 'seed', String(options.seed)));
  const offset = Number(cachedMeta(store, 'clock_offset_ms', '0'));
  const clock = options.clock ?? createClock(offset);
  const genesis = Number(cachedMeta(store, 'genesis', String(clock.now())));
  const exchange: Exchange = {
    clock,
    store,
    signals: createSignals(),
    world: createWorld(seed, SERIES_TEMPLATES),
    benchmark: createBenchmark(options.benchmarkMarkets ?? 0, seed),
    faults: createFaults(),
    misbehaviour: createMisbehaviour({}),
    seed,
    genesis,
    exchangeActive: true,
    tradingActive: true,
    archiveAges: USUAL_AGES,
    limits: PROFESSIONAL_LIMITS,
    marketsPerSubscription: MARKETS_PER_SUBSCRIPTION,
    regionExpiresAt: undefined,
    shards: freshShardStates(),
    pendingTransfers: new Map(),
    hasMaintenance: options.hasMaintenance ?? false,
    isInMaintenance: false,
    precisionMicros: options.precisionMicros ?? 100n,
    signatureToleranceMs: (options.signatureToleranceSeconds ?? 30) * 1_000,
    accounts: new Map(),
    apiKeys: new Map(),
    resting: new Map(),
    orderGroups: new Map(),
    touchedEvents: new Set(),
    feeOverrides: new Map(),
    feeChanges: [],
    eventFeeChanges: [],
    dirtyMarkets: new Set(),
    unsavedTrades: [],
  };
  loadOperatorState(exchange);
  loadGroups(exchange);
  loadAccounts(exchange);
  loadApiKeys(exchange);
  loadPendingTransfers(exchange);
  exchange.world.refresh(clock.now(), (event) => exchange.touchedEvents.has(event.ticker));
  for (const event of exchange.world.events.values()) welcome(exchange, event);
  loadMarketStates(exchange);
  restoreAfterFaultPeriod(exchange);
  openAccounts(exchange, options.keys);
  catchUp(exchange);
  return exchange;
}

/** Starts the exchange's simulation; the returned function stops it and closes the store. */
export function runExchange(exchange: Exchange): () => void {
  const every = (milliseconds: number, work: () => void) => {
    const timer = setInterval(work, milliseconds);
    return () => clearInterval(timer);
  };
  const stops = [
    every(250, () => {
      advanceMarkets(exchange, 40);
      sweepGroups(exchange);
      finishTransfers(exchange);
    }),
    every(500, () => {
      followMaintenance(exchange);
      followSchedules(exchange);
      expireOrders(exchange);
      cancelPausedOrders(exchange);
    }),
    every(SPELL_TURN_MS, () => advanceFaultPeriods(exchange)),
    every(5_000, () => refreshWorld(exchange)),
    every(3_000, () => flushLazily(exchange)),
    every(3_600_000, () => deleteOldRows(exchange)),
  ];
  return () => {
    for (const stop of stops) stop();
    flushLazily(exchange);
    exchange.store.close();
  };
}

/** Moves the exchange's time; kept across restarts. */
export function advanceClock(exchange: Exchange, milliseconds: number): void {
  exchange.clock.advance(milliseconds);
  exchange.store.run(
    'insert or replace into meta values (?, ?)',
    'clock_offset_ms',
    String(Math.round(exchange.clock.offsetMs)),
  );
  refreshWorld(exchange);
  followSchedules(exchange);
}

function cachedMeta(store: Exchange['store'], key: string, fresh: string): string {
  const [row] = store.all<{ value: string }>('select value from meta where key = ?', key);
  if (row) return row.value;
  store.run('insert into meta values (?, ?)', key, fresh);
  return fresh;
}

/** Catches up on events that were due while the exchange was off. */
function catchUp(exchange: Exchange): void {
  const now = exchange.clock.now();
  for (const order of loadRestingOrders(exchange)) restAgain(exchange, order);
  reserveAllCollateral(exchange);
  for (const market of exchange.world.markets.values()) {
    market.seen = statusOf(market, now);
    if (market.seen === 'finalized') settle(exchange, market);
  }
}

function deleteOldRows(exchange: Exchange): void {
  exchange.store.run(
    `delete from market_states where close_at < ?
     and ticker not in (select ticker from positions)`,
    exchange.clock.now() - ROWS_TTL_MS,
  );
  exchange.store.run('delete from trades where created_at < ?', exchange.clock.now() - ROWS_TTL_MS);
}
