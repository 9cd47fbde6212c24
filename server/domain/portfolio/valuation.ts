import { costMicros, divide, MICROS } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { MarketRecord } from '../markets/catalogue/types.ts';

/** What was bought here and is still held, with what it cost, fees included. */
export type Cost = { contractMicros: bigint; costUsdcMicros: bigint };

/** Per contract. Null for what was not bought here: tokens that came from elsewhere have no cost. */
export function averageCostMicros(cost: Cost | undefined): bigint | null {
  if (!cost || cost.contractMicros === 0n) return null;
  return divide(cost.costUsdcMicros * MICROS, cost.contractMicros, 'nearest');
}

type Priced = Pick<
  MarketRecord,
  'status' | 'payoutYesMicros' | 'yesBidMicros' | 'noBidMicros' | 'lastPriceMicros'
>;

/**
 * What one contract counts as now: what it pays, else what somebody bids. Once trading has ended
 * nobody bids, whatever the result will be: then it is the price at which it was traded last.
 */
export function worthNowMicros(market: Priced, side: OutcomeSide): bigint | null {
  const { payoutYesMicros, yesBidMicros, noBidMicros, lastPriceMicros } = market;
  if (payoutYesMicros !== null) return ofSide(payoutYesMicros, side);
  const bid = side === 'yes' ? yesBidMicros : noBidMicros;
  if (bid !== null || market.status !== 'closed' || lastPriceMicros === null) return bid;
  return ofSide(lastPriceMicros, side);
}

/**
 * What one contract counted as at a moment before anything was recorded of its price. Prices are
 * recorded when they move: it had not moved yet. Once the result is known, nobody knows it any more.
 */
export function worthUnmovedMicros(market: Priced, side: OutcomeSide): bigint | null {
  return market.payoutYesMicros === null ? worthNowMicros(market, side) : null;
}

/** A price of YES for that side: NO is what is left of the dollar. */
export function ofSide(yesMicros: bigint, side: OutcomeSide): bigint {
  return side === 'yes' ? yesMicros : MICROS - yesMicros;
}

/**
 * What selling the holding at `worthEachMicros` would bring over what it cost. Null while a price
 * is missing, and when more is held than was bought here, whose cost nobody knows.
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
