import type { ArchiveAges } from './archive.ts';
import type { FeeSchedule } from './fees.ts';
import type { ExchangeMarket } from './market.ts';
import type { ShardState } from './shards.ts';
import type { EventFeeChange, Exchange, FeeChange } from './state.ts';
import type { TickStructure } from './ticks.ts';

/** Commands of the control endpoint for the whole exchange, kept across restarts. */

type FeesStored = {
  feeChanges: FeeChange[];
  eventFeeChanges: EventFeeChange[];
  /** By event. */
  overrides: [string, { feeType: string; multiplierMicros: string }][];
};

export function savePauses(exchange: Exchange): void {
  const { exchangeActive, tradingActive, regionExpiresAt } = exchange;
  write(exchange, 'pauses', { exchangeActive, tradingActive, regionExpiresAt });
  write(exchange, 'shards', [...exchange.shards]);
}

export function saveFees(exchange: Exchange): void {
  const overrides = [...exchange.feeOverrides].map(([ticker, fees]) => [
    ticker,
    { feeType: fees.feeType, multiplierMicros: fees.multiplierMicros.toString() },
  ]);
  const { feeChanges, eventFeeChanges } = exchange;
  write(exchange, 'fees', { feeChanges, eventFeeChanges, overrides });
}

export function saveArchiveAges(exchange: Exchange): void {
  write(exchange, 'archive', exchange.archiveAges);
}

export function loadOperatorState(exchange: Exchange): void {
  exchange.archiveAges = read<ArchiveAges>(exchange, 'archive') ?? exchange.archiveAges;
  const pauses = read<{
    exchangeActive: boolean;
    tradingActive: boolean;
    regionExpiresAt?: number;
  }>(exchange, 'pauses');
  Object.assign(exchange, pauses ?? {});
  for (const [shard, state] of read<[number, ShardState][]>(exchange, 'shards') ?? []) {
    exchange.shards.set(shard, state);
  }
  const fees = read<FeesStored>(exchange, 'fees');
  if (fees) {
    exchange.feeChanges = fees.feeChanges;
    exchange.eventFeeChanges = fees.eventFeeChanges;
    exchange.feeOverrides = new Map(
      fees.overrides.map(([ticker, { feeType, multiplierMicros }]): [string, FeeSchedule] => [
        ticker,
        { feeType, multiplierMicros: BigInt(multiplierMicros) },
      ]),
    );
  }
}

/** A market's state before a fault period, so that a kill does not make the fault permanent. */
export type BeforeSpell = { ticker: string; closeAt: number; structure: TickStructure };

export function recordOutageWindow(exchange: Exchange, market: ExchangeMarket): void {
  const { schedule, structure } = market.state;
  const before: BeforeSpell = { ticker: market.ticker, closeAt: schedule.closeAt, structure };
  write(exchange, 'spell', before);
}

export function endOutageWindow(exchange: Exchange): void {
  exchange.store.run('delete from meta where key = ?', 'spell');
}

export function readSpell(exchange: Exchange): BeforeSpell | undefined {
  return read<BeforeSpell>(exchange, 'spell');
}

function write(exchange: Exchange, key: string, value: unknown): void {
  exchange.store.run('insert or replace into meta values (?, ?)', key, JSON.stringify(value));
}

function read<T>(exchange: Exchange, key: string): T | undefined {
  const [row] = exchange.store.all<{ value: string }>('select value from meta where key = ?', key);
  return row && (JSON.parse(row.value) as T);
}
