import { parseMicros } from '#lib/money.ts';

/** Price grids. Only the ranges matter; the structure's name is a label. */
export type TickRange = { startMicros: bigint; endMicros: bigint; stepMicros: bigint };

const range = (start: string, end: string, step: string): TickRange => ({
  startMicros: parseMicros(start),
  endMicros: parseMicros(end),
  stepMicros: parseMicros(step),
});

const tapered = (edge: string, edgeStep: string, centreStep: string): TickRange[] => {
  const far = (1 - Number(edge)).toFixed(2);
  return [range('0', edge, edgeStep), range(edge, far, centreStep), range(far, '1', edgeStep)];
};

export const TICK_STRUCTURES = {
  linear_cent: [range('0', '1', '0.01')],
  deci_cent: [range('0', '1', '0.001')],
  tapered_deci_cent: tapered('0.10', '0.001', '0.01'),
  center_whole_edge_half_cent: tapered('0.10', '0.005', '0.01'),
  center_whole_edge_quint_cent: tapered('0.10', '0.002', '0.01'),
  center_half_edge_half_cent: [range('0', '1', '0.005')],
  center_half_edge_deci_cent: tapered('0.10', '0.001', '0.005'),
  center_quint_edge_deci_cent: tapered('0.10', '0.001', '0.002'),
  center_deci_edge_centi_cent: tapered('0.01', '0.0001', '0.001'),
  center_centi_edge_centi_cent: [range('0', '1', '0.0001')],
} as const satisfies Record<string, TickRange[]>;

export type TickStructure = keyof typeof TICK_STRUCTURES;

const gridCache = new Map<TickStructure, bigint[]>();

/** Every price of a structure at which orders may rest: strictly between 0 and 1, ascending. */
export function priceGrid(structure: TickStructure): readonly bigint[] {
  const known = gridCache.get(structure);
  if (known) return known;
  const prices = new Set<bigint>();
  for (const { startMicros, endMicros, stepMicros } of TICK_STRUCTURES[structure]) {
    for (let price = startMicros; price <= endMicros; price += stepMicros) {
      if (price > 0n && price < 1_000_000n) prices.add(price);
    }
  }
  const grid = [...prices].sort((a, b) => (a < b ? -1 : 1));
  gridCache.set(structure, grid);
  return grid;
}

export function isOnGrid(structure: TickStructure, priceMicros: bigint): boolean {
  if (priceMicros <= 0n || priceMicros >= 1_000_000n) return false;
  return TICK_STRUCTURES[structure].some(
    ({ startMicros, endMicros, stepMicros }) =>
      priceMicros >= startMicros &&
      priceMicros <= endMicros &&
      (priceMicros - startMicros) % stepMicros === 0n,
  );
}

/** Index of the highest grid price at or below `priceMicros`; -1 when there is none. */
export function gridIndexBelow(grid: readonly bigint[], priceMicros: bigint): number {
  let low = 0;
  let high = grid.length - 1;
  let found = -1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((grid[middle] ?? 0n) <= priceMicros) {
      found = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found;
}
