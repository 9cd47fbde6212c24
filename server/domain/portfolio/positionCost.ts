import { divide, maxMicros, minMicros } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';

/** A change of a holding: trades and redemptions have a price, plain transfers have none. */
export type PositionFlow =
  | { kind: 'buy' | 'sell'; contractMicros: bigint; quoteUsdcMicros: bigint }
  | { kind: 'in' | 'out'; contractMicros: bigint };

export type PositionCost = {
  /** Contracts with a known cost: bought through the service and neither sold nor transferred. */
  contractMicros: bigint;
  /** Their average cost, fees included. */
  costUsdcMicros: bigint;
  /** Contracts received by a plain transfer, at an unknown cost. */
  foreignContractMicros: bigint;
  /** Proceeds less cost of contracts that were bought here and sold or redeemed. */
  realisedUsdcMicros: bigint;
};

export const NOTHING_HELD: PositionCost = {
  contractMicros: 0n,
  costUsdcMicros: 0n,
  foreignContractMicros: 0n,
  realisedUsdcMicros: 0n,
};

/**
 * Average-cost accounting over a holding's flows in chain order. Sales take contracts bought here
 * first; transfers take foreign ones first. Tokens of unknown cost realise nothing.
 */
export function positionAfter(flows: readonly PositionFlow[]): PositionCost {
  return flows.reduce(applyFlow, NOTHING_HELD);
}

export function applyFlow(position: PositionCost, flow: PositionFlow): PositionCost {
  switch (flow.kind) {
    case 'buy':
      return {
        ...position,
        contractMicros: position.contractMicros + flow.contractMicros,
        costUsdcMicros: position.costUsdcMicros + flow.quoteUsdcMicros,
      };
    case 'in':
      return {
        ...position,
        foreignContractMicros: position.foreignContractMicros + flow.contractMicros,
      };
    case 'out': {
      const foreign = minMicros(flow.contractMicros, position.foreignContractMicros);
      const rest = without(position, flow.contractMicros - foreign);
      return { ...rest, foreignContractMicros: position.foreignContractMicros - foreign };
    }
    case 'sell': {
      const known = minMicros(flow.contractMicros, position.contractMicros);
      const rest = without(position, known);
      const cost = position.costUsdcMicros - rest.costUsdcMicros;
      const proceeds = divide(flow.quoteUsdcMicros * known, flow.contractMicros, 'nearest');
      const foreign = minMicros(flow.contractMicros - known, position.foreignContractMicros);
      return {
        ...rest,
        foreignContractMicros: position.foreignContractMicros - foreign,
        realisedUsdcMicros: position.realisedUsdcMicros + proceeds - cost,
      };
    }
  }
}

/**
 * What the Yes side of a merge counts as sold for; the No side has the rest of the dollars. The two
 * share a pair's dollar as they cost, so neither shows a loss where the pair made a profit. With an
 * unknown cost on one side the other is closed at its own.
 */
export function yesShareOfMerge(
  contractMicros: bigint,
  { yes, no }: Record<OutcomeSide, PositionCost>,
): bigint {
  const [ofYes, ofNo] = [costOf(yes, contractMicros), costOf(no, contractMicros)];
  if (ofYes === null && ofNo === null) return contractMicros / 2n;
  if (ofYes === null) return maxMicros(contractMicros - (ofNo ?? 0n), 0n);
  if (ofNo === null) return minMicros(ofYes, contractMicros);
  const both = ofYes + ofNo;
  return both === 0n ? contractMicros / 2n : divide(contractMicros * ofYes, both, 'nearest');
}

/** The average cost of so many contracts; null if none was bought here. */
function costOf(position: PositionCost, contractMicros: bigint): bigint | null {
  const { contractMicros: known, costUsdcMicros } = position;
  return known === 0n ? null : divide(costUsdcMicros * contractMicros, known, 'nearest');
}

/** Totals of contracts that were bought here and fully traded away; USDC with all fees. */
export type ClosedCost = {
  contractMicros: bigint;
  costUsdcMicros: bigint;
  proceedsUsdcMicros: bigint;
};

/**
 * The totals of a closed holding: at least partly bought here, nothing left, every bought contract
 * sold or redeemed. Undefined for any other, including one that was transferred away.
 */
export function closedCost(flows: readonly PositionFlow[]): ClosedCost | undefined {
  const end = positionAfter(flows);
  if (end.contractMicros > 0n || end.foreignContractMicros > 0n) return undefined;
  const sum = { contractMicros: 0n, costUsdcMicros: 0n, left: 0n };
  let position = NOTHING_HELD;
  for (const flow of flows) {
    const next = applyFlow(position, flow);
    if (flow.kind === 'buy') {
      sum.contractMicros += flow.contractMicros;
      sum.costUsdcMicros += flow.quoteUsdcMicros;
    }
    if (flow.kind === 'out') sum.left += position.contractMicros - next.contractMicros;
    position = next;
  }
  if (sum.contractMicros === 0n || sum.left > 0n) return undefined;
  const { contractMicros, costUsdcMicros } = sum;
  return {
    contractMicros,
    costUsdcMicros,
    proceedsUsdcMicros: costUsdcMicros + end.realisedUsdcMicros,
  };
}

/** The position after contracts bought here have left, with their share of the cost. */
function without(position: PositionCost, contractMicros: bigint): PositionCost {
  const held = position.contractMicros;
  const leaving = minMicros(contractMicros, held);
  if (leaving === 0n) return position;
  const cost = divide(position.costUsdcMicros * leaving, held, 'nearest');
  return {
    ...position,
    contractMicros: held - leaving,
    costUsdcMicros: position.costUsdcMicros - cost,
  };
}
