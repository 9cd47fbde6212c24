import { MICROS, tryParseMicros } from '#lib/money.ts';
import { followSchedules } from '../lifecycle.ts';
import { adoptMarket } from '../listing.ts';
import type { ExchangeMarket } from '../market.ts';
import {
  bringToStage,
  changeGrid,
  changeMakers,
  changePaused,
  changeTakers,
  moveClose,
  movePrice,
  type ReceiptOutcome,
  type Stage,
} from '../marketControl.ts';
import { Refusal } from '../order.ts';
import { saveMarket } from '../persistence.ts';
import type { Exchange } from '../state.ts';
import { TICK_STRUCTURES, type TickStructure } from '../ticks.ts';
import { badParameter, textOf } from './route.ts';

type Fields = Record<string, unknown>;

/** One market's trading: pause, grid, price, makers, close, fees. @throws {Refusal} */
export function marketCommand(exchange: Exchange, fields: Fields): void {
  const market = namedMarket(exchange, fields);
  const now = exchange.clock.now();
  if (typeof fields.paused === 'boolean') changePaused(exchange, market, fields.paused);
  if (typeof fields.structure === 'string' && fields.structure in TICK_STRUCTURES) {
    changeGrid(exchange, market, fields.structure as TickStructure);
  }
  if (fields.priceDollars !== undefined) movePrice(exchange, market, priceIn(fields.priceDollars));
  if (typeof fields.makers === 'boolean') changeMakers(exchange, market, fields.makers);
  if (typeof fields.takers === 'boolean') changeTakers(exchange, market, fields.takers);
  if (typeof fields.payoutYesDollars === 'string') {
    market.state.payoutOverrideMicros = tryParseMicros(fields.payoutYesDollars);
  }
  if (typeof fields.feeWaivedMs === 'number') {
    market.state.feeWaivedUntil = now + fields.feeWaivedMs;
  }
  if (typeof fields.archived === 'boolean') market.state.archived = fields.archived;
  if (fields.close === true) moveClose(exchange, market, now);
  if (fields.reopenMs !== undefined) moveClose(exchange, market, now + Number(fields.reopenMs));
  if (fields.determine === true) bringToStage(exchange, market, 'determined', undefined);
  if (fields.review === 'disputed' || fields.review === 'amended') {
    bringToStage(exchange, market, fields.review, undefined);
  }
  if (fields.finalize === true) bringToStage(exchange, market, 'finalized', undefined);
  market.state.updatedAt = now;
  saveMarket(exchange, market);
  followSchedules(exchange);
}

const STAGES: Stage[] = ['closed', 'determined', 'disputed', 'amended', 'finalized'];

/** Ends a market with a result, at a given stage of its end. @throws {Refusal} */
export function settleCommand(exchange: Exchange, fields: Fields): void {
  const stage = STAGES.find((one) => one === (fields.stage ?? 'finalized'));
  if (!stage) throw badParameter(`stage must be one of ${STAGES.join(', ')}`);
  bringToStage(exchange, namedMarket(exchange, fields), stage, outcomeIn(fields));
}

/** Undefined leaves the result to the simulation. @throws {Refusal} */
function outcomeIn({ result, payoutYesDollars }: Fields): ReceiptOutcome | undefined {
  if (result === undefined) return undefined;
  if (result === 'yes') return { result, payoutYesMicros: MICROS };
  if (result === 'no') return { result, payoutYesMicros: 0n };
  const payoutYesMicros = tryParseMicros(textOf(payoutYesDollars));
  const isShare = payoutYesMicros !== undefined && payoutYesMicros <= MICROS;
  if ((result !== 'scalar' && result !== 'void' && result !== '') || !isShare) {
    throw badParameter(
      'result is yes, no, or scalar, void or empty with payoutYesDollars from 0 to 1',
    );
  }
  return { result, payoutYesMicros };
}

function namedMarket(exchange: Exchange, fields: Fields): ExchangeMarket {
  const market = adoptMarket(exchange, textOf(fields.ticker));
  if (!market) throw new Refusal(404, 'market_not_found', 'no such market');
  return market;
}

/** A price of YES, or undefined for null. @throws {Refusal} */
function priceIn(value: unknown): bigint | undefined {
  if (value === null) return undefined;
  const micros = tryParseMicros(textOf(value));
  if (micros === undefined || micros <= 0n || micros >= MICROS) {
    throw badParameter('priceDollars must be between 0 and 1, or null');
  }
  return micros;
}
