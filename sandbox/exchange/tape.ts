import { divide } from '#lib/money.ts';
import { ladderOf } from './bots.ts';
import { pastTrades, type Trade } from './history.ts';
import { beliefIn, type ExchangeMarket } from './market.ts';
import type { Exchange } from './state.ts';

/** The public record of trades, and candles derived from it. */

type TradeRow = {
  trade_id: string;
  ticker: string;
  created_at: bigint;
  contract_micros: bigint;
  price_micros: bigint;
  taker_side: 'bid' | 'ask';
  open_interest_micros: bigint;
};

/** Trades of one market, or the latest of all, newest first. */
export function tradesOf(
  exchange: Exchange,
  ticker: string | undefined,
  from: number,
  to: number,
): Trade[] {
  const unsaved = exchange.unsavedTrades.filter(
    (trade) => (!ticker || trade.ticker === ticker) && trade.at >= from && trade.at <= to,
  );
  const rows = ticker
    ? exchange.store.all<TradeRow>(
        'select * from trades where ticker = ? and created_at between ? and ? order by created_at desc, rowid desc',
        ticker,
        Math.floor(from),
        Math.floor(to),
      )
    : exchange.store.all<TradeRow>(
        'select * from trades where created_at between ? and ? order by created_at desc, rowid desc limit 10000',
        Math.floor(from),
        Math.floor(to),
      );
  const market = ticker === undefined ? undefined : exchange.world.markets.get(ticker);
  const past = market
    ? pastTrades(market, exchange.genesis).filter((trade) => trade.at >= from && trade.at <= to)
    : [];
  return [...unsaved.reverse(), ...rows.map(fromRow), ...past.toReversed()];
}

function fromRow(row: TradeRow): Trade {
  return {
    tradeId: row.trade_id,
    ticker: row.ticker,
    contractMicros: row.contract_micros,
    priceMicros: row.price_micros,
    takerSide: row.taker_side,
    at: Number(row.created_at),
    openInterestMicros: row.open_interest_micros,
  };
}

export type Candle = {
  endAt: number;
  bid: bigint;
  ask: bigint;
  trades: Trade[];
  meanMicros: bigint | undefined;
  previousMicros: bigint | undefined;
  volumeMicros: bigint;
  openInterestMicros: bigint;
};

/** One candle per period that ends after `from`, oldest first. */
export function candlesOf(
  exchange: Exchange,
  market: ExchangeMarket,
  window: { from: number; to: number; periodMs: number },
): Candle[] {
  const { from, to, periodMs } = window;
  const { openAt, closeAt } = market.state.schedule;
  const first = Math.floor(Math.max(from, openAt) / periodMs) * periodMs;
  const last = Math.min(to, closeAt, exchange.clock.now());
  const trades = tradesOf(exchange, market.ticker, openAt, last).reverse();
  const candles: Candle[] = [];
  let next = 0;
  let previous: Trade | undefined;
  for (let start = first; start < last; start += periodMs) {
    const inside: Trade[] = [];
    for (let trade = trades[next]; trade && trade.at < start + periodMs; trade = trades[next]) {
      if (trade.at >= start) inside.push(trade);
      else previous = trade;
      next += 1;
    }
    candles.push(candle(market, start + periodMs, inside, previous));
    previous = inside.at(-1) ?? previous;
  }
  return candles;
}

function candle(
  market: ExchangeMarket,
  endAt: number,
  trades: Trade[],
  previous: Trade | undefined,
): Candle {
  const at = Math.min(endAt, market.state.schedule.closeAt) - 1;
  const { bids, asks } = ladderOf(market, beliefIn(market, at));
  let volumeMicros = 0n;
  let valueMicros = 0n;
  for (const trade of trades) {
    volumeMicros += trade.contractMicros;
    valueMicros += trade.contractMicros * trade.priceMicros;
  }
  return {
    endAt,
    bid: bids[0]?.priceMicros ?? 0n,
    ask: asks[0]?.priceMicros ?? 1_000_000n,
    trades,
    meanMicros: volumeMicros === 0n ? undefined : divide(valueMicros, volumeMicros, 'nearest'),
    previousMicros: previous?.priceMicros,
    volumeMicros,
    openInterestMicros: (trades.at(-1) ?? previous)?.openInterestMicros ?? 0n,
  };
}
