import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Database } from '../../platform/database/client.ts';
import type { MarketRecord } from '../markets/catalogue/types.ts';
import { type PastPrice, readPastPrices } from '../markets/prices/pastPrices.ts';
import { ofSide, worthNowMicros, worthUnmovedMicros } from './valuation.ts';

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
