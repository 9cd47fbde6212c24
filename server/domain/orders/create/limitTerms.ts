import type { LimitOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import { affordableMicros, type LimitOffer, limitLockMicros } from '#lib/market/limitLock.ts';
import { sideRanges, snapToTick } from '#lib/market/ticks.ts';
import { formatMicros, MICROS } from '#lib/money.ts';
import type { OutcomeSide, TradeAction } from '#server/exchange/port.ts';
import type { TimeInForce } from '#server/platform/database/schema/orders.ts';
import { collectProblems, ServiceError } from '#server/platform/errors.ts';
import { feeFactors } from '../../markets/quotes/feeCharge.ts';
import { unknownFee } from '../../markets/quotes/quote.ts';
import type { TradingMarket } from '../../markets/quotes/tradingMarket.ts';
import { readMicros, readQuantity, stepProblem } from './validateTrade.ts';

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

export type SizedLimit = {
  contractMicros: bigint;
  quoteLimitUsdcMicros: bigint;
  limit: LimitTerms;
};

const AMOUNT_POINTER = '/order/maxQuoteQuantityIn';
const DAY_MS = 86_400_000;
/**
 * A price at which an order of ours rests is closed to all others of ours that would meet it. An
 * order that rests must be worth that.
 */
const LEAST_RESTING_CONTRACT_MICROS = MICROS;
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
 * Price, size and lock of a limit order, and every problem of them: a buy locks its quantity at the
 * limit price with the highest fee of it, a sale locks its tokens and brings at least the limit
 * price less that fee.
 * @param contractMicros its quantity, where it is given and valid
 */
export function parseLimitTerms(
  { market, fee }: TradingMarket,
  order: LimitOrderRequest['order'],
  trade: {
    tradeAction: TradeAction;
    side: OutcomeSide;
    contractMicros: bigint | undefined;
    now: Date;
  },
): { sized: SizedLimit | undefined; problems: ServiceError[] } {
  const { problems, attempt } = collectProblems();
  const { tradeAction: action, side, now } = trade;
  const { limitPrice, maxQuoteQuantityIn: amount } = order;
  const priceMicros = attempt(() => readTickPrice(market, side, limitPrice, '/order/limitPrice'));
  if (fee.kind === 'unknown') problems.push(unknownFee(market.ticker));
  const offer =
    fee.kind === 'unknown' || priceMicros === undefined
      ? undefined
      : { action, priceMicros, fee: feeFactors(fee) };
  const contractMicros =
    amount === undefined
      ? trade.contractMicros
      : offer && attempt(() => readAffordable(offer, amount));
  const neverRests = order.timeInForce === 'IOC' || order.timeInForce === 'FOK';
  if (contractMicros !== undefined) {
    const pointer = amount === undefined ? undefined : AMOUNT_POINTER;
    const tooSmall = neverRests ? undefined : restingSizeProblem(contractMicros, pointer);
    const unfit = stepProblem(contractMicros) ?? tooSmall;
    if (unfit) problems.push(unfit);
  }
  const restsUntil = neverRests
    ? null
    : (attempt(() => readDeadline(order.expiresAt, now)) ?? null);
  if (!offer || contractMicros === undefined) return { sized: undefined, problems };
  const limit: LimitTerms = {
    orderType: 'limit',
    limitPriceMicros: offer.priceMicros,
    timeInForce: order.timeInForce,
    isPostOnly: order.postOnly,
    isReduceOnly: order.reduceOnly,
    restsUntil,
    restingContractMicros: contractMicros,
  };
  const quoteLimitUsdcMicros = limitLockMicros(offer, contractMicros);
  return { sized: { contractMicros, quoteLimitUsdcMicros, limit }, problems };
}

/**
 * Why so few contracts may not rest.
 * @param remainingMicros what would rest
 */
export function restingSizeProblem(
  remainingMicros: bigint,
  pointer = '/order/baseQuantity',
): ServiceError | undefined {
  if (remainingMicros >= LEAST_RESTING_CONTRACT_MICROS) return undefined;
  const detail = 'must let at least one contract rest';
  return new ServiceError(
    'quantity_not_allowed',
    `The quantity ${detail}: its price is closed to other orders of Crossbook meanwhile. Use IOC ` +
      'or a market order for less. Nothing was changed.',
    { errors: [{ pointer, detail }] },
  );
}

/** The most contracts, in steps, whose lock the amount covers. */
function readAffordable(offer: LimitOffer, text: string): bigint {
  const refuse = (detail: string) =>
    new ServiceError('quantity_not_allowed', `The amount ${detail}.`, {
      errors: [{ pointer: AMOUNT_POINTER, detail }],
    });
  const contractMicros = affordableMicros(offer, readMicros(text, refuse));
  if (contractMicros === 0n) throw refuse('buys less than 0.01 contracts at this price');
  return readQuantity(formatMicros(contractMicros), AMOUNT_POINTER);
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
    new ServiceError('price_not_allowed', `The price ${detail}.`, {
      errors: [{ pointer, detail }],
    });
  const priceMicros = readMicros(text, refuse);
  if (priceMicros <= 0n || priceMicros >= MICROS) throw refuse('must be between 0 and 1');
  const grid = sideRanges(priceRanges, side);
  const below = snapToTick(grid, priceMicros, 'down');
  if (below === priceMicros) return priceMicros;
  const above = snapToTick(grid, priceMicros, 'up');
  const near = [below, above].flatMap((price) => (price === undefined ? [] : formatMicros(price)));
  throw refuse(`must be a tick of the market, such as ${near.join(' or ')}`);
}

/**
 * Until when an order rests or waits; as long as the vault allows where the request says nothing.
 * @throws {ServiceError} deadline_not_allowed
 */
export function readDeadline(expiresAt: string | undefined, now: Date): Date {
  if (expiresAt === undefined) {
    return wholeSecond(now.getTime() + VAULT_TTL_MS - DELIVERY_MARGIN_MS - CLOCK_MARGIN_MS);
  }
  const until = wholeSecond(Date.parse(expiresAt));
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
