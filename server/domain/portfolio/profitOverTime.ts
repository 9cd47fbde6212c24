import { applyFlow, NOTHING_HELD, type PositionFlow } from './positionCost.ts';
import { unrealizedMicros } from './valuation.ts';

/** What changed a holding, and when. */
export type TimedFlow = { flow: PositionFlow; at: Date };

/** The flows of one token of one holder in the chain's order, and what one was worth at each time. */
export type TradedOverTime = {
  flows: readonly TimedFlow[];
  worthEachMicros: readonly (bigint | null)[];
};

/**
 * What was made or lost by each of the times, which are in order, in USDC micros with all fees:
 * taken by selling and redeeming, and open at what a contract was worth then. Money and tokens that
 * only come and go change nothing; a position without a price has made nothing yet.
 */
export function profitOverTime(
  times: readonly Date[],
  positions: readonly TradedOverTime[],
): bigint[] {
  const sums = times.map(() => 0n);
  for (const { flows, worthEachMicros } of positions) {
    let cost = NOTHING_HELD;
    let next = 0;
    for (const [index, time] of times.entries()) {
      for (let one = flows[next]; one && one.at <= time; one = flows[next]) {
        cost = applyFlow(cost, one.flow);
        next += 1;
      }
      const open = unrealizedMicros(cost.contractMicros, cost, worthEachMicros[index] ?? null);
      sums[index] = (sums[index] ?? 0n) + cost.realisedUsdcMicros + (open ?? 0n);
    }
  }
  return sums;
}
