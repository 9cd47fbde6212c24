import { describe, expect, it } from 'vitest';
import { changeLayout, FIRST_LAYOUT, type Layout, readLayout } from './layout.ts';

const layout = (tiles: Layout['tiles'], focused = 0): Layout => ({ tiles, focused, hidden: [] });

describe('changeLayout', () => {
  it('given a market, shows it in the focused tile', () => {
    const next = changeLayout(layout(['A', 'B'], 1), { type: 'open', ticker: 'C' });
    expect(next).toEqual(layout(['A', 'C'], 1));
  });

  it('given a market that is shown already, focuses its tile', () => {
    const next = changeLayout(layout(['A', 'B'], 1), { type: 'open', ticker: 'A' });
    expect(next).toEqual(layout(['A', 'B'], 0));
  });

  it('given a closed tile, keeps it empty in its place', () => {
    const next = changeLayout(layout(['A', 'B'], 1), { type: 'close', tile: 0 });
    expect(next).toEqual(layout([undefined, 'B'], 1));
  });

  it('given the number of a tile that is missing, adds tiles up to it', () => {
    const next = changeLayout(layout(['A']), { type: 'focus', tile: 2 });
    expect(next).toEqual(layout(['A', undefined, undefined], 2));
  });

  it('given the number of an existing tile, focuses it', () => {
    const next = changeLayout(layout(['A', 'B']), { type: 'focus', tile: 1 });
    expect(next).toEqual(layout(['A', 'B'], 1));
  });

  it.each([
    ['focuses the empty tile', layout(['A', undefined]), layout(['A', undefined], 1)],
    ['keeps the focus of an empty one', layout([undefined, undefined], 1), undefined],
    ['adds one where all have markets', layout(['A', 'B']), layout(['A', 'B', undefined], 2)],
    ['keeps a full workspace', layout(['A', 'B', 'C', 'D'], 1), undefined],
  ])('given another market is wanted, %s', (_, from, to = from) => {
    expect(changeLayout(from, { type: 'focusEmpty' })).toEqual(to);
  });

  it.each([
    ['drops an empty tile before a market', layout([undefined, 'B', 'C'], 0), layout(['B', 'C'])],
    [
      'drops the last market, but not the focused one',
      layout(['A', 'B', 'C'], 2),
      layout(['A', 'C'], 1),
    ],
  ])('given fewer tiles, %s', (_, from, to) => {
    expect(changeLayout(from, { type: 'setTiles', count: 2 })).toEqual(to);
  });

  it('given more tiles, adds empty ones', () => {
    const next = changeLayout(layout(['A']), { type: 'setTiles', count: 3 });
    expect(next).toEqual(layout(['A', undefined, undefined]));
  });

  it('hides a panel and shows it again', () => {
    const hidden = changeLayout(FIRST_LAYOUT, { type: 'toggle', panel: 'watchlist' });
    expect(hidden.hidden).toEqual(['watchlist']);
    expect(changeLayout(hidden, { type: 'toggle', panel: 'watchlist' })).toEqual(FIRST_LAYOUT);
  });
});

describe('readLayout', () => {
  it('restores a stored layout with an empty tile', () => {
    const stored = { tiles: ['A', undefined, 'C'], focused: 2, hidden: ['ticket'] };
    expect(readLayout(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });

  it.each([
    null,
    7,
    'text',
    {},
    { tiles: [], focused: 0, hidden: [] },
    { tiles: ['A', 'B', 'C', 'D', 'E'], focused: 0, hidden: [] },
    { tiles: ['A', 'A'], focused: 0, hidden: [] },
    { tiles: ['A'], focused: 'first', hidden: [] },
    { tiles: 'A', focused: 0, hidden: [] },
  ])('given %j, restores nothing', (value) => {
    expect(readLayout(value)).toBeUndefined();
  });

  it('given a focus beyond the tiles and unknown panels, repairs both', () => {
    const value = { tiles: ['A', 5], focused: 9, hidden: ['news', 'holdings'] };
    expect(readLayout(value)).toEqual({
      tiles: ['A', undefined],
      focused: 1,
      hidden: ['holdings'],
    });
  });
});
