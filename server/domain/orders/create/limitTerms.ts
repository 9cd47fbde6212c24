import type { LimitOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import { sideRanges, snapToTick } from '#lib/market/ticks.ts';
import {
  CONTRACT_STEP_MICROS,
  costMicros,
  formatMicros,
  MICROS,
  MicrosError,
  maxMicros,
  parseMicros,
  snap,
} from '#lib/money.ts';
import type { OutcomeSide, TradeAction } from '#server/exchange/port.ts';
import type { TimeInForce } from '#server/platform/database/schema/orders.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { exactTakerFee, takerFeeMicros } from '../../markets/quotes/feeCharge.ts';
import { unknownFee } from '../../markets/quotes/quote.ts';
import type { TradingMarket } from '../../markets/quotes/tradingMarket.ts';
import { readQuantity, stepProblem } from './validateTrade.ts';

/** What a limit order adds to a trade; the columns of its row. */
export type LimitTerms = {
  orderType: 'limit';
  limitPriceMicros: bigint;
  timeInForce: TimeInForce;
  isPostOnly: boolean;
  isReduceOnly: boolean;
  /** Null for an order that never rests. */
  restsUntil: Date | null;
  restingContractMicros: bigint;
};

type SizedLimit = { contractMicros: bigint; quoteLimitUsdcMicros: bigint; limit: LimitTerms };

const DAY_MS = 86_400_000;
const LEAST_REST_MS = 60_000;
const MOST_REST_MS = 89 * DAY_MS;
/** The vault takes orders of 90 days at most. */
const VAULT_TTL_MS = 90 * DAY_MS;
/**
 * From the end at the exchange to the vault's expiry: more than the half hour in which a fill of
 * the last second must still be deliverable.
 */
export const DELIVERY_MARGIN_MS = 45 * 60_000;
/** The lock's transaction may be mined later than the order was created, never earlier. */
const CLOCK_MARGIN_MS = 15 * 60_000;

/**
 * Price, size and lock of a limit order: a buy locks its quantity at the limit price with the
 * highest fee of it, a sale locks its tokens and brings at least the limit price less that fee.
 * @throws {ServiceError} price_not_allowed, quantity_not_allowed, deadline_not_allowed, fee_unknown
 */
export function readLimitTerms(
  { market, fee }: TradingMarket,
  request: LimitOrderRequest,
  { action, side, now }: { action: TradeAction; side: OutcomeSide; now: Date },
): SizedLimit {
  const { order } = request;
  if (fee.kind === 'unknown') throw unknownFee(market.ticker);
  const limitPriceMicros = readTickPrice(market, side, order.limitPrice, '/order/limitPrice');
  const contractMicros =
    order.baseQuantity === undefined
      ? affordable(
          order.maxQuoteQuantityIn ?? '',
          (count) => lockOf(action, count, limitPriceMicros, fee),
          { fee, limitPriceMicros },
        )
      : readQuantity(order.baseQuantity);
  const unevenSize = stepProblem(contractMicros);
  if (unevenSize) throw unevenSize;
  const quoteLimitUsdcMicros = lockOf(action, contractMicros, limitPriceMicros, fee);
  return {
    contractMicros,
    quoteLimitUsdcMicros,
    limit: {
      orderType: 'limit',
      limitPriceMicros,
      timeInForce: order.timeInForce,
      isPostOnly: order.postOnly,
      isReduceOnly: order.reduceOnly,
      restsUntil: readRestsUntil(order, now),
      restingContractMicros: contractMicros,
    },
  };
}

type KnownFee = Exclude<TradingMarket['fee'], { kind: 'unknown' }>;

/**
 * A buy: the most it can cost, fee included. A sale: the least it brings after the fee. Every price
 * within the limit keeps to it (see markets/quotes/limitPrice.ts).
 */
function lockOf(
  action: TradeAction,
  contractMicros: bigint,
  priceMicros: bigint,
  fee: KnownFee,
): bigint {
  const feeMicros = takerFeeMicros(fee, action, contractMicros, priceMicros) ?? 0n;
  return action === 'buy'
    ? costMicros(contractMicros, priceMicros, 'up') + feeMicros
    : maxMicros(costMicros(contractMicros, priceMicros, 'down') - feeMicros, 0n);
}

/** The most contracts, in steps, whose lock the amount covers. */
function affordable(
  text: string,
  lockFor: (contractMicros: bigint) => bigint,
  { fee, limitPriceMicros }: { fee: KnownFee; limitPriceMicros: bigint },
): bigint {
  const refuse = (detail: string) =>
    new ServiceError('quantity_not_allowed', `The amount ${detail}.`, {
      errors: [{ pointer: '/order/maxQuoteQuantityIn', detail }],
    });
  const amountMicros = parseWith(text, refuse);
  const { numerator, denominator } = exactTakerFee(fee, 1n, limitPriceMicros);
  const perMicro = limitPriceMicros * (denominator / MICROS) + numerator;
  let contractMicros = snap((amountMicros * denominator) / perMicro, CONTRACT_STEP_MICROS, 'down');
  // The exact fee is below the charged one by its rounding: a step or two.
  while (contractMicros > 0n && lockFor(contractMicros) > amountMicros) {
    contractMicros -= CONTRACT_STEP_MICROS;
  }
  if (contractMicros === 0n) throw refuse('buys less than 0.01 contracts at this price');
  return readQuantity(formatMicros(contractMicros));
}

/**
 * A price of one side of a market that the exchange accepts.
 * @throws {ServiceError} price_not_allowed
 */
export function readTickPrice(
  { priceRanges }: Pick<TradingMarket['market'], 'priceRanges'>,
  side: OutcomeSide,
  text: string,
  pointer: string,
): bigint {
  const refuse = (detail: string) =>
    new ServiceError('price_not_allowed', `The limit price ${detail}.`, {
      errors: [{ pointer, detail }],
    });
  const priceMicros = parseWith(text, refuse);
  if (priceMicros <= 0n || priceMicros >= MICROS) throw refuse('must be between 0 and 1');
  const grid = sideRanges(priceRanges, side);
  const below = snapToTick(grid, priceMicros, 'down');
  if (below === priceMicros) return priceMicros;
  const above = snapToTick(grid, priceMicros, 'up');
  const near = [below, above].flatMap((price) => (price === undefined ? [] : formatMicros(price)));
  throw refuse(`must be a tick of the market, such as ${near.join(' or ')}`);
}

function readRestsUntil(order: LimitOrderRequest['order'], now: Date): Date | null {
  if (order.timeInForce === 'IOC' || order.timeInForce === 'FOK') return null;
  if (order.expiresAt === undefined) {
    return wholeSecond(now.getTime() + VAULT_TTL_MS - DELIVERY_MARGIN_MS - CLOCK_MARGIN_MS);
  }
  const until = wholeSecond(Date.parse(order.expiresAt));
  const aheadMs = until.getTime() - now.getTime();
  if (aheadMs >= LEAST_REST_MS && aheadMs <= MOST_REST_MS) return until;
  const detail = 'must be a minute to 89 days ahead';
  throw new ServiceError('deadline_not_allowed', `expiresAt ${detail}. Nothing was created.`, {
    errors: [{ pointer: '/order/expiresAt', detail }],
  });
}

function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1_000) * 1_000);
}

function parseWith(text: string, refuse: (detail: string) => ServiceError): bigint {
  try {
    return parseMicros(text);
  } catch (error) {
    if (error instanceof MicrosError) throw refuse(error.message);
    throw error;
  }
}
