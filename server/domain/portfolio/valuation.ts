import { ofSide, type Priced, worthNowMicros } from '#lib/market/worthNow.ts';
import { costMicros, divide, MICROS } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { MarketRecord } from '../markets/catalogue/types.ts';
import { type PastPrice, readPastPrices } from '../markets/prices/pastPrices.ts';

/** Contracts that were bought here and are still held, with their cost, fees included. */
export type Cost = { contractMicros: bigint; costUsdcMicros: bigint };

/** Per contract. Null for tokens that were not bought here: their cost is unknown. */
export function averageCostMicros(cost: Cost | undefined): bigint | null {
  if (!cost || cost.contractMicros === 0n) return null;
  return divide(cost.costUsdcMicros * MICROS, cost.contractMicros, 'nearest');
}

/**
 * The value of one contract before its first recorded price. Prices are recorded when they change,
 * so it equals today's price. Null once the result is known, because the price is then lost.
 */
export function worthUnmovedMicros(market: Priced, side: OutcomeSide): bigint | null {
  return market.payoutYesMicros === null ? worthNowMicros(market, side) : null;
}

/**
 * The profit of selling the holding at `worthEachMicros`. Null without a price, and when more is
 * held than was bought here, because the cost of the rest is unknown.
 */
export function unrealizedMicros(
  heldContractMicros: bigint,
  cost: Cost | undefined,
  worthEachMicros: bigint | null,
): bigint | null {
  if (worthEachMicros === null || !cost || heldContractMicros > cost.contractMicros) return null;
  if (cost.contractMicros === 0n) return null;
  const worth = costMicros(heldContractMicros, worthEachMicros, 'down');
  const paid = divide(cost.costUsdcMicros * heldContractMicros, cost.contractMicros, 'nearest');
  return worth - paid;
}

/** An outcome at a moment; `isNow` requests current instead of recorded values. */
export type Moment = { market: MarketRecord; side: OutcomeSide; at: Date; isNow: boolean };

/**
 * The value of one contract at each of the moments, in dollar micros: the payout after settlement,
 * the bid before it, and the last price in between, when trading is closed. Null without a bid or a
 * recorded price.
 */
export async function readPastWorth(
  deps: { database: Database },
  moments: readonly Moment[],
): Promise<(bigint | null)[]> {
  const settled = moments.map(worthOf);
  const recorded = moments.filter((_, index) => settled[index] === undefined);
  const prices = await readPastPrices(
    deps,
    recorded.map(({ market, at }) => ({ ticker: market.ticker, at })),
  );
  const priceOf = new Map(recorded.map((moment, index) => [moment, prices[index]]));
  return moments.map((moment, index) => {
    const worth = settled[index];
    if (worth !== undefined) return worth;
    const price = priceOf.get(moment);
    return price ? bidOf(price, moment.side) : worthUnmovedMicros(moment.market, moment.side);
  });
}

/** The value that follows from the market itself; undefined when a recorded price applies. */
function worthOf({ market, side, at, isNow }: Moment): bigint | null | undefined {
  if (isNow) return worthNowMicros(market, side);
  const { payoutYesMicros, settledAt, status, closeAt, lastPriceMicros } = market;
  if (payoutYesMicros !== null && settledAt !== null && at >= settledAt) {
    return ofSide(payoutYesMicros, side);
  }
  const hadEnded = (status === 'closed' || status === 'settled') && at >= closeAt;
  if (!hadEnded) return undefined;
  return lastPriceMicros === null ? null : ofSide(lastPriceMicros, side);
}

/** An offer of Yes is a bid for No at a dollar less the price. */
function bidOf({ yesBidMicros, yesAskMicros }: PastPrice, side: OutcomeSide): bigint | null {
  const yes = side === 'yes' ? yesBidMicros : yesAskMicros;
  return yes === null ? null : ofSide(yes, side);
}
