import { MICROS } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { MarketView } from './marketView.ts';

export type Priced = Pick<
  MarketView,
  'status' | 'payoutYesMicros' | 'yesBidMicros' | 'noBidMicros' | 'lastPriceMicros'
>;

/**
 * The current value of one contract: its payout, else the bid. A closed market has no bids,
 * regardless of its future result: its last traded price counts.
 */
export function worthNowMicros(market: Priced, side: OutcomeSide): bigint | null {
  const { payoutYesMicros, yesBidMicros, noBidMicros, lastPriceMicros } = market;
  if (payoutYesMicros !== null) return ofSide(payoutYesMicros, side);
  const bid = side === 'yes' ? yesBidMicros : noBidMicros;
  if (bid !== null || market.status !== 'closed' || lastPriceMicros === null) return bid;
  return ofSide(lastPriceMicros, side);
}

/** Converts a Yes price to that side: No is a dollar less Yes. */
export function ofSide(yesMicros: bigint, side: OutcomeSide): bigint {
  return side === 'yes' ? yesMicros : MICROS - yesMicros;
}
