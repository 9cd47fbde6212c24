import type { PositionView } from './positionView.ts';

/** The sortable columns of holdings; the first is the default. */
export const POSITION_SORTS = [
  { value: 'value', label: 'Value' },
  { value: 'profit', label: 'P&L' },
  { value: 'name', label: 'Market' },
  { value: 'contracts', label: 'Contracts' },
  { value: 'cost', label: 'Avg cost' },
  { value: 'now', label: 'Price' },
] as const;

export type PositionSort = (typeof POSITION_SORTS)[number]['value'];
export type SortOrder = 'asc' | 'desc';
export type Sorting = { sort: PositionSort; order: SortOrder };

/** The default direction of a column: amounts from the largest, names from A. */
export function usualOrder(sort: PositionSort): SortOrder {
  return sort === 'name' ? 'asc' : 'desc';
}

/** The result of choosing a column: its default order, or the reverse if already sorted by it. */
export function nextSorting(current: Sorting, sort: PositionSort): Sorting {
  if (current.sort !== sort) return { sort, order: usualOrder(sort) };
  return { sort, order: current.order === 'asc' ? 'desc' : 'asc' };
}

const AMOUNTS: Record<Exclude<PositionSort, 'name'>, (position: PositionView) => bigint | null> = {
  value: (position) => position.valueMicros,
  profit: (position) => position.profitMicros,
  contracts: (position) => position.contractMicros,
  cost: (position) => position.averageCostMicros,
  now: (position) => position.priceMicros,
};

/**
 * The positions in that order. Unknown values are last in both directions. Equal values are ordered
 * by name in both directions, so that rows do not jump.
 */
export function sortPositions(
  positions: readonly PositionView[],
  { sort, order }: Sorting,
): PositionView[] {
  if (sort === 'name') {
    return positions.toSorted((a, b) => byOrder(compareNames(a, b), order) || byToken(a, b));
  }
  const amount = AMOUNTS[sort];
  return positions.toSorted(
    (a, b) => compareAmounts(amount(a), amount(b), order) || compareNames(a, b) || byToken(a, b),
  );
}

/** Compares two amounts of one unit for sorting; null is last in both directions. */
export function compareAmounts(a: bigint | null, b: bigint | null, order: SortOrder): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return byOrder(a < b ? -1 : Number(a > b), order);
}

/** Compares two titles for sorting; numbers in them compare as numbers. */
export function compareTitles(a: string, b: string, order: SortOrder): number {
  return byOrder(a.localeCompare(b, undefined, { numeric: true }), order);
}

function compareNames(a: PositionView, b: PositionView): number {
  return compareTitles(a.name, b.name, 'asc') || compareTitles(a.subtitle, b.subtitle, 'asc');
}

function byToken(a: PositionView, b: PositionView): number {
  return a.tokenId < b.tokenId ? -1 : Number(a.tokenId > b.tokenId);
}

function byOrder(compared: number, order: SortOrder): number {
  return order === 'asc' ? compared : -compared;
}
