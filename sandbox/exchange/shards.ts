import type { SeriesTemplate } from './catalogue/template.ts';
import type { Account, Purse } from './ledger.ts';
import type { ExchangeMarket } from './market.ts';
import { badShard } from './order.ts';
import type { Exchange } from './state.ts';

/** The parts of the exchange; each has its own markets, collateral and pauses. */
export const SHARDS = [
  { shard: 0, description: 'Default' },
  { shard: 1, description: 'Entertainment' },
  { shard: 2, description: 'Crypto and financials' },
  { shard: 3, description: 'Sports' },
] as const;

const SHARD_OF_CATEGORY = new Map([
  ['Entertainment', 1],
  ['Crypto', 2],
  ['Financials', 2],
  ['Sports', 3],
]);

/** What a shard does now; the exchange's own pauses apply to all of them. */
export type ShardState = {
  exchangeActive: boolean;
  tradingActive: boolean;
  transfersActive: boolean;
};

export function freshShardStates(): Map<number, ShardState> {
  return new Map(
    SHARDS.map(({ shard }) => [
      shard,
      { exchangeActive: true, tradingActive: true, transfersActive: true },
    ]),
  );
}

export function isShard(shard: number): boolean {
  return SHARDS.some((known) => known.shard === shard);
}

/** All markets of a series are on one shard. */
export function shardOfSeries({ category }: Pick<SeriesTemplate, 'category'>): number {
  return SHARD_OF_CATEGORY.get(category) ?? 0;
}

export function shardOfMarket({ event }: Pick<ExchangeMarket, 'event'>): number {
  return shardOfSeries(event.template);
}

/** The same of a market that may have left the list. */
export function shardOfTicker({ world }: Exchange, ticker: string): number {
  const template = world.templates.get(ticker.split('-')[0] ?? '');
  return template ? shardOfSeries(template) : 0;
}

/** The account's cash on one shard. */
export function purseOf(account: Pick<Account, 'purses'>, shard: number): Purse {
  const known = account.purses.get(shard);
  if (known) return known;
  const fresh = { balanceMicros: 0n, lockedMicros: 0n };
  account.purses.set(shard, fresh);
  return fresh;
}

export function purseFor(account: Account, market: ExchangeMarket): Purse {
  return purseOf(account, shardOfMarket(market));
}

/** Spreads cash evenly over the shards; the first one gets what is left over. */
export function spreadCash(totalMicros: bigint): Map<number, Purse> {
  const count = BigInt(SHARDS.length);
  const each = totalMicros / count;
  return new Map(
    SHARDS.map(({ shard }, index) => [
      shard,
      { balanceMicros: index === 0 ? totalMicros - each * (count - 1n) : each, lockedMicros: 0n },
    ]),
  );
}

/** The account's cash on all shards together. */
export function totalCash({ purses }: Pick<Account, 'purses'>): bigint {
  return [...purses.values()].reduce((sum, purse) => sum + purse.balanceMicros, 0n);
}

export function freeCash({ balanceMicros, lockedMicros }: Purse): bigint {
  return balanceMicros - lockedMicros;
}

/** The state of a shard with the exchange's own pauses. */
export function stateOfShard(exchange: Exchange, shard: number): ShardState {
  const own = exchange.shards.get(shard);
  if (!own) throw badShard(shard);
  const exchangeActive = exchange.exchangeActive && own.exchangeActive;
  return {
    exchangeActive,
    tradingActive: exchangeActive && exchange.tradingActive && own.tradingActive,
    transfersActive: exchangeActive && own.transfersActive,
  };
}

export function tradesOnShardOf(exchange: Exchange, market: ExchangeMarket): boolean {
  return stateOfShard(exchange, shardOfMarket(market)).tradingActive;
}
