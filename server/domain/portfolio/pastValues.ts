import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Database } from '../../platform/database/client.ts';
import type { MarketRecord } from '../markets/catalogue/types.ts';
import { type PastPrice, readPastPrices } from '../markets/prices/pastPrices.ts';
import { ofSide, worthNowMicros, worthUnmovedMicros } from './valuation.ts';

/** An outcome at a moment; `isNow` asks for what is known now rather than what was recorded. */
export type Moment = { market: MarketRecord; side: OutcomeSide; at: Date; isNow: boolean };

/**
 * What one contract was worth at each of the moments, in dollar micros: the payout once the market
 * was settled, before that the bid, and in between, when nobody can bid, the last price. Null where
 * nobody bid, or nobody knows.
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

/** What the market itself tells; undefined where what was recorded then does. */
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

/** Whoever offers YES bids for NO what is left of the dollar. */
function bidOf({ yesBidMicros, yesAskMicros }: PastPrice, side: OutcomeSide): bigint | null {
  const yes = side === 'yes' ? yesBidMicros : yesAskMicros;
  return yes === null ? null : ofSide(yes, side);
}
