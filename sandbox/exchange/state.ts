import type { ApiKey } from './apiKeys.ts';
import type { ArchiveAges } from './archive.ts';
import type { Benchmark } from './catalogue/benchmark.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { FeeSchedule } from './fees.ts';
import { heldAfter, pastLastPrice, pastVolume, type Trade } from './history.ts';
import type { AccountLimits } from './http/rateLimit.ts';
import type { Account } from './ledger.ts';
import type { ExchangeEvent, ExchangeMarket } from './market.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import type { Order } from './order.ts';
import type { OrderGroup } from './orderGroups.ts';
import type { ShardState } from './shards.ts';
import type { ShardTransfer } from './shardTransfers.ts';
import type { Signals } from './signals.ts';
import type { Store } from './store.ts';
import type { World } from './world.ts';

/** Everything one running exchange knows. */
export type Exchange = {
  clock: Clock;
  store: Store;
  signals: Signals;
  world: World;
  benchmark: Benchmark;
  faults: Faults;
  misbehaviour: Misbehaviour;
  seed: number;
  /** When this sandbox first ran; earlier trades are simulated. */
  genesis: number;
  exchangeActive: boolean;
  tradingActive: boolean;
  archiveAges: ArchiveAges;
  limits: AccountLimits;
  /** Of a socket's subscription that names its markets. */
  marketsPerSubscription: number;
  /** When the accounts' location attestation expires; undefined when there is none. */
  regionExpiresAt: number | undefined;
  shards: Map<number, ShardState>;
  /** Cash that has left one shard and not reached the other, by id. */
  pendingTransfers: Map<string, ShardTransfer>;
  /** Whether trading pauses for the daily maintenance, and whether it does now. */
  hasMaintenance: boolean;
  isInMaintenance: boolean;
  /** Balances move in steps of this. */
  precisionMicros: bigint;
  /** The allowed difference of a signature's time from the machine's clock. */
  signatureToleranceMs: number;
  accounts: Map<string, Account>;
  /** By id of the key. */
  apiKeys: Map<string, ApiKey>;
  resting: Map<string, Order>;
  orderGroups: Map<string, OrderGroup>;
  /** Events that an account ever held a position in; they stay listed. */
  touchedEvents: Set<string>;
  /** Set by the control endpoint, by event. */
  feeOverrides: Map<string, FeeSchedule>;
  /** Announced by the control endpoint, in order of effect. */
  feeChanges: FeeChange[];
  eventFeeChanges: EventFeeChange[];
  /** Markets and trades to be written with the next lazy flush. */
  dirtyMarkets: Set<ExchangeMarket>;
  unsavedTrades: Trade[];
};

/** An announced change of a series' fees, in the response's format. */
export type FeeChange = {
  id: string;
  series_ticker: string;
  fee_type: string;
  fee_multiplier: number;
  scheduled_ts: string;
};

/** The same of one event; nulls remove the event's own fees. */
export type EventFeeChange = {
  id: string;
  event_ticker: string;
  series_ticker: string;
  fee_type_override: string | null;
  fee_multiplier_override: number | null;
  scheduled_ts: string;
};

/** Fees of a market at a moment; a multiplier of zero means that they are waived. */
export function feesOf(exchange: Exchange, market: ExchangeMarket, now: number): FeeSchedule {
  if ((market.state.feeWaivedUntil ?? 0) > now)
    return { feeType: 'quadratic', multiplierMicros: 0n };
  return eventFeesOf(exchange, market.event, now) ?? seriesFeesOf(exchange, market.event, now);
}

/** The event's own fees, if any. */
export function eventFeesOf(
  exchange: Exchange,
  event: ExchangeEvent,
  now: number,
): FeeSchedule | undefined {
  const change = exchange.eventFeeChanges.findLast(
    (one) => one.event_ticker === event.ticker && Date.parse(one.scheduled_ts) <= now,
  );
  if (!change) return exchange.feeOverrides.get(event.ticker);
  if (change.fee_type_override === null) return undefined;
  return schedule(change.fee_type_override, change.fee_multiplier_override ?? 1);
}

export function seriesFeesOf(
  exchange: Exchange,
  { template }: Pick<ExchangeEvent, 'template'>,
  now: number,
): FeeSchedule {
  const change = exchange.feeChanges.findLast(
    (one) => one.series_ticker === template.ticker && Date.parse(one.scheduled_ts) <= now,
  );
  if (change) return schedule(change.fee_type, change.fee_multiplier);
  return schedule(template.feeType ?? 'quadratic', template.feeMultiplier ?? 1);
}

export function schedule(feeType: string, multiplier: number): FeeSchedule {
  return { feeType, multiplierMicros: BigInt(Math.round(multiplier * 1_000_000)) };
}

/** Gives new markets the volume and price of their simulated past. */
export function givePast(exchange: Exchange, event: ExchangeEvent): void {
  const until = exchange.genesis;
  if (event.life.openAt >= until) return;
  for (const market of event.markets) {
    const { totalMicros, hourly } = pastVolume(market, until);
    const { state } = market;
    state.liveVolumeMicros = totalMicros;
    state.hourly = hourly;
    state.openInterestMicros = heldAfter(totalMicros);
    state.lastPriceMicros = pastLastPrice(market, until);
    state.liveDollarMicros = totalMicros / 2n;
  }
}
