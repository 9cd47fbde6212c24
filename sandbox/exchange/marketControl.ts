import { requote } from './bots.ts';
import { followSchedules, leaveTrading, settle } from './lifecycle.ts';
import { type ExchangeMarket, type MarketResult, statusOf } from './market.ts';
import { Refusal } from './order.ts';
import { saveMarket } from './persistence.ts';
import type { Exchange } from './state.ts';
import type { TickStructure } from './ticks.ts';

/** Commands of the control endpoint, or of random faults, on one market. */

export function changePaused(exchange: Exchange, market: ExchangeMarket, paused: boolean): void {
  if (market.state.paused === paused) return;
  market.state.paused = paused;
  if (!paused) leaveTrading(exchange, market, 'HaltCancel');
  market.seen = statusOf(market, exchange.clock.now());
  const eventType = paused ? 'deactivated' : 'activated';
  exchange.signals.emit({ kind: 'lifecycle', market, eventType });
  note(exchange, market);
}

export function changeGrid(
  exchange: Exchange,
  market: ExchangeMarket,
  structure: TickStructure,
): void {
  leaveTrading(exchange, market, 'HaltCancel');
  market.state.structure = structure;
  exchange.signals.emit({ kind: 'lifecycle', market, eventType: 'price_level_structure_updated' });
  note(exchange, market);
}

/** Moves the close and everything after it; a market that has paid stays closed. */
export function moveClose(exchange: Exchange, market: ExchangeMarket, closeAt: number): void {
  const { schedule } = market.state;
  const { template } = market.event;
  if (market.state.settled || schedule.closeAt === closeAt) return;
  schedule.closeAt = closeAt;
  schedule.determinedAt = closeAt + template.determineAfterMs;
  schedule.finalAt = schedule.determinedAt + template.settlementTimerSeconds * 1000;
  exchange.signals.emit({ kind: 'lifecycle', market, eventType: 'close_date_updated' });
  note(exchange, market);
}

/** Sets the price around which the makers quote; undefined returns to the simulated belief. */
export function movePrice(
  exchange: Exchange,
  market: ExchangeMarket,
  priceMicros: bigint | undefined,
): void {
  market.state.beliefOverrideMicros = priceMicros;
  market.quotedFair = undefined;
  requote(exchange, market);
  exchange.signals.emit({ kind: 'ticker', market });
  note(exchange, market);
}

/** Whether the makers quote; without them the book holds only accounts' orders. */
export function changeMakers(exchange: Exchange, market: ExchangeMarket, quote: boolean): void {
  market.state.withoutMakers = !quote;
  requote(exchange, market);
  exchange.signals.emit({ kind: 'ticker', market });
  note(exchange, market);
}

/** Whether simulated takers trade, also with the orders of accounts. */
export function changeTakers(exchange: Exchange, market: ExchangeMarket, trade: boolean): void {
  market.state.withoutTakers = !trade;
  note(exchange, market);
}

export type Stage = 'closed' | 'determined' | 'disputed' | 'amended' | 'finalized';
export type ReceiptOutcome = {
  result: MarketResult;
  /** The payout of one YES. */
  payoutYesMicros: bigint;
};

/**
 * Brings a market to a stage of its end, with a result. Before `finalized` the result can be
 * replaced, as when a determination is disputed and amended.
 * @throws {Refusal} when the market has paid already
 */
export function bringToStage(
  exchange: Exchange,
  market: ExchangeMarket,
  stage: Stage,
  outcome: ReceiptOutcome | undefined,
): void {
  const { state } = market;
  if (state.settled) throw new Refusal(409, 'already_settled', 'the market has paid already');
  const now = exchange.clock.now();
  if (outcome) {
    state.payoutOverrideMicros = outcome.payoutYesMicros;
    state.resultOverride = outcome.result;
  }
  if (state.schedule.closeAt > now) moveClose(exchange, market, now);
  const timerMs = market.event.template.settlementTimerSeconds * 1000;
  if (stage !== 'closed') {
    state.schedule.determinedAt = Math.min(state.schedule.determinedAt, now);
    state.schedule.finalAt = stage === 'finalized' ? now : now + timerMs;
    state.review = stage === 'disputed' || stage === 'amended' ? stage : undefined;
  }
  if (statusOf(market, now) === 'finalized') settle(exchange, market);
  note(exchange, market);
  followSchedules(exchange);
}

function note(exchange: Exchange, market: ExchangeMarket): void {
  market.state.updatedAt = exchange.clock.now();
  saveMarket(exchange, market);
}
