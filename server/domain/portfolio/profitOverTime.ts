import { applyFlow, NOTHING_HELD, type PositionFlow } from './positionCost.ts';
import { unrealizedMicros } from './valuation.ts';

/** A change of a holding, and its time. */
export type TimedFlow = { flow: PositionFlow; at: Date };

/** The flows of one token of one holder in chain order, and its value at each time. */
export type TradedOverTime = {
  flows: readonly TimedFlow[];
  worthEachMicros: readonly (bigint | null)[];
};

/**
 * The profit or loss by each of the ascending times, in USDC micros with all fees: realised by
 * sales and redemptions, unrealised at the contract's value at that time. Deposits and transfers
 * change nothing; a position without a price has no unrealised profit.
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
