import { divide, minMicros } from '#lib/money.ts';

/** What changed a holding: trades and redemptions with their price, plain transfers without one. */
export type PositionFlow =
  | { kind: 'buy' | 'sell'; contractMicros: bigint; quoteUsdcMicros: bigint }
  | { kind: 'in' | 'out'; contractMicros: bigint };

export type PositionCost = {
  /** Contracts whose cost is known: bought through the service and not sold or sent on. */
  contractMicros: bigint;
  /** What those cost, at their average, fees included. */
  costUsdcMicros: bigint;
  /** Contracts that came by a plain transfer; nobody here knows what they cost. */
  foreignContractMicros: bigint;
  /** Proceeds over cost of what was bought here and sold or redeemed. */
  realisedUsdcMicros: bigint;
};

export const NOTHING_HELD: PositionCost = {
  contractMicros: 0n,
  costUsdcMicros: 0n,
  foreignContractMicros: 0n,
  realisedUsdcMicros: 0n,
};

/**
 * Average-cost accounting over a holding's flows in their order on the chain. What was bought here
 * is sold first; what came from elsewhere leaves first when tokens are sent on. Tokens of unknown
 * cost realise nothing.
 */
export function positionAfter(flows: readonly PositionFlow[]): PositionCost {
  return flows.reduce(applyFlow, NOTHING_HELD);
}

/** The position after one more flow. */
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

/** What was bought here and has left again by trades, in whole; USDC with all fees. */
export type ClosedCost = {
  contractMicros: bigint;
  costUsdcMicros: bigint;
  proceedsUsdcMicros: bigint;
};

/**
 * The sum of a holding that is over: bought here at least in part, nothing left, everything that
 * was bought sold or redeemed. Undefined for any other, also for one that was sent away.
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

/** The position after some of what was bought here has left, with its share of the cost. */
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
