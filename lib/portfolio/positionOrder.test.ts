import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareAmounts,
  nextSorting,
  POSITION_SORTS,
  type PositionSort,
  sortPositions,
  usualOrder,
} from './positionOrder.ts';
import { type PositionView, positionView } from './positionView.ts';
import { portfolioEntry } from './testing/portfolioEntry.ts';
import { anyPositions } from './testing/positions.ts';

const held = (
  name: string,
  tokenId: string,
  part: { amount?: string; cost?: string | null; bid?: string } = {},
) =>
  positionView(
    portfolioEntry({
      tokenId,
      market: { name, bidPriceDollars: part.bid ?? '0.4000' },
      item: {
        amount: part.amount ?? '10',
        averageFillCost: part.cost === undefined ? '0.42' : part.cost,
      },
    }),
  );

const names = (positions: readonly PositionView[]) => positions.map(({ name }) => name);

describe('holdings', () => {
  const few = held('Few', '1', { amount: '1', cost: '0.10', bid: '0.9000' });
  const many = held('Many', '2', { amount: '100', cost: '0.30', bid: '0.2000' });
  const gift = held('Gift', '3', { amount: '5', cost: null, bid: '0.5000' });

  it.each<[PositionSort, string[]]>([
    ['value', ['Many', 'Gift', 'Few']],
    ['profit', ['Few', 'Many', 'Gift']],
    ['name', ['Few', 'Gift', 'Many']],
    ['contracts', ['Many', 'Gift', 'Few']],
    ['cost', ['Many', 'Few', 'Gift']],
    ['now', ['Few', 'Gift', 'Many']],
  ])('are sorted by %s, by default %j', (sort, expected) => {
    expect(names(sortPositions([gift, few, many], { sort, order: usualOrder(sort) }))).toEqual(
      expected,
    );
  });

  it('given reversed order, keep the unknown last', () => {
    const sorted = sortPositions([gift, few, many], { sort: 'cost', order: 'asc' });
    expect(names(sorted)).toEqual(['Few', 'Many', 'Gift']);
  });

  it('compare the numbers in a name as numbers', () => {
    const sorted = sortPositions([held('Above 10', '1'), held('Above 9', '2')], {
      sort: 'name',
      order: 'asc',
    });
    expect(names(sorted)).toEqual(['Above 9', 'Above 10']);
  });
});

describe('given any holdings', () => {
  const amountOf: Record<PositionSort, (position: PositionView) => bigint | null> = {
    value: (position) => position.valueMicros,
    profit: (position) => position.profitMicros,
    contracts: (position) => position.contractMicros,
    cost: (position) => position.averageCostMicros,
    now: (position) => position.priceMicros,
    name: () => null,
  };
  const sorts = fc.constantFrom(...POSITION_SORTS.map(({ value }) => value));
  const orders = fc.constantFrom('asc' as const, 'desc' as const);

  it('all are present, in order, with the unknown last', () => {
    fc.assert(
      fc.property(anyPositions, sorts, orders, (positions, sort, order) => {
        const sorted = sortPositions(positions, { sort, order });
        expect(new Set(sorted)).toEqual(new Set(positions));
        expect(sorted).toHaveLength(positions.length);
        for (const [index, one] of sorted.entries()) {
          const before = sorted[index - 1];
          if (!before) continue;
          const [a, b] = [amountOf[sort](before), amountOf[sort](one)];
          expect(a === null && b !== null).toBe(false);
          if (a !== null && b !== null) expect(order === 'asc' ? a <= b : a >= b).toBe(true);
        }
      }),
    );
  });

  it('the result does not depend on the input order', () => {
    const shuffled = anyPositions.chain((positions) =>
      fc.tuple(
        fc.constant(positions),
        fc.shuffledSubarray(positions, { minLength: positions.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, sorts, orders, ([positions, others], sort, order) => {
        expect(sortPositions(others, { sort, order })).toEqual(
          sortPositions(positions, { sort, order }),
        );
      }),
    );
  });

  it('reversing the direction reverses amounts but keeps the unknown last', () => {
    const amount = fc.option(fc.bigInt(-5n, 5n));
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const sum = compareAmounts(a, b, 'asc') + compareAmounts(a, b, 'desc');
        expect(sum === 0).toBe(a === b || (a !== null && b !== null));
      }),
    );
  });
});

describe('choosing a column', () => {
  it('starts with its default order, then reverses it', () => {
    const first = nextSorting({ sort: 'value', order: 'asc' }, 'name');
    expect(first).toEqual({ sort: 'name', order: 'asc' });
    expect(nextSorting(first, 'name')).toEqual({ sort: 'name', order: 'desc' });
    expect(nextSorting(nextSorting(first, 'name'), 'name')).toEqual(first);
  });
});
