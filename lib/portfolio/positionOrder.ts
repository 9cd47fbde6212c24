import type { PositionView } from './positionView.ts';

/** The columns that holdings can be sorted by; the first is what they are sorted by unasked. */
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

/** Which way a column is sorted at first: amounts from the largest, names from A. */
export function usualOrder(sort: PositionSort): SortOrder {
  return sort === 'name' ? 'asc' : 'desc';
}

/** What choosing a column leads to: its usual order, or the other way round when it is sorted so. */
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
 * The positions in that order. What is not known is last either way: it is neither small nor large.
 * Equals follow their names whichever way is chosen, so that they do not change places by themselves.
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

/** Compares two amounts of one unit for sorting; null is after everything in both orders. */
export function compareAmounts(a: bigint | null, b: bigint | null, order: SortOrder): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return byOrder(a < b ? -1 : Number(a > b), order);
}

/** Compares two titles for sorting; the numbers in them count as numbers. */
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
