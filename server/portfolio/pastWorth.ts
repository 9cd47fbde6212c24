import { MICROS } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Database } from '../db/client.ts';
import { type PastPrice, readPastPrices } from '../markets/pastPrices.ts';
import type { MarketRecord } from '../markets/types.ts';

/** An outcome at a moment; `isNow` asks for what is known now rather than what was recorded. */
export type Moment = { market: MarketRecord; side: OutcomeSide; at: Date; isNow: boolean };

/**
 * What one contract was worth at each of the moments, in dollar micros: the payout once the market
 * was settled, before that the bid. Null where nobody bid or nothing is recorded.
 */
export async function readPastWorth(
  deps: { database: Database },
  moments: readonly Moment[],
): Promise<(bigint | null)[]> {
  const payouts = moments.map(payoutAt);
  const recorded = moments.filter((one, index) => payouts[index] === null && !one.isNow);
  const prices = await readPastPrices(
    deps,
    recorded.map(({ market, at }) => ({ ticker: market.ticker, at })),
  );
  const priceOf = new Map(recorded.map((moment, index) => [moment, prices[index]]));
  return moments.map((moment, index) => {
    const payout = payouts[index] ?? null;
    if (payout !== null) return payout;
    const price: PastPrice | undefined = moment.isNow ? moment.market : priceOf.get(moment);
    return price ? bidOf(price, moment.side) : null;
  });
}

function payoutAt({ market, side, at, isNow }: Moment): bigint | null {
  const { payoutYesMicros, settledAt } = market;
  if (payoutYesMicros === null) return null;
  if (!isNow && (settledAt === null || at < settledAt)) return null;
  return side === 'yes' ? payoutYesMicros : MICROS - payoutYesMicros;
}

/** Whoever offers YES bids for NO what is left of the dollar. */
function bidOf({ yesBidMicros, yesAskMicros }: PastPrice, side: OutcomeSide): bigint | null {
  if (side === 'yes') return yesBidMicros;
  return yesAskMicros === null ? null : MICROS - yesAskMicros;
}
