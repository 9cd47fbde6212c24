import { costMicros, divide, MICROS } from '#lib/money.ts';

/** What was bought here and is still held, with what it cost, fees included. */
export type Cost = { contractMicros: bigint; costUsdcMicros: bigint };

/** Per contract. Null for what was not bought here: tokens that came from elsewhere have no cost. */
export function averageCostMicros(cost: Cost | undefined): bigint | null {
  if (!cost || cost.contractMicros === 0n) return null;
  return divide(cost.costUsdcMicros * MICROS, cost.contractMicros, 'nearest');
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
