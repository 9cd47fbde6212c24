import { createBrowserStore } from '../storage/browserStore.ts';

export const MOST_TILES = 4;

export const PANELS = ['watchlist', 'ticket', 'holdings'] as const;
export type Panel = (typeof PANELS)[number];

/** What the workspace shows. `undefined` is a tile without a market; there is always a tile. */
export type Layout = {
  tiles: readonly (string | undefined)[];
  /** The tile that the keys, the ticket and opened markets refer to. */
  focused: number;
  hidden: readonly Panel[];
};

export type LayoutChange =
  | { type: 'open'; ticker: string }
  | { type: 'close'; tile: number }
  | { type: 'focus'; tile: number }
  | { type: 'focusEmpty' }
  | { type: 'setTiles'; count: number }
  | { type: 'toggle'; panel: Panel };

export const FIRST_LAYOUT: Layout = { tiles: [undefined], focused: 0, hidden: [] };

export function changeLayout(layout: Layout, change: LayoutChange): Layout {
  switch (change.type) {
    case 'open':
      return opened(layout, change.ticker);
    case 'close':
      return { ...layout, tiles: layout.tiles.with(change.tile, undefined) };
    case 'focus':
      return { ...layout, tiles: atLeast(layout.tiles, change.tile + 1), focused: change.tile };
    case 'focusEmpty':
      return emptyFocused(layout);
    case 'setTiles':
      return resized(layout, change.count);
    case 'toggle':
      return { ...layout, hidden: toggled(layout.hidden, change.panel) };
  }
}

/** A market is shown once: a second request focuses its tile. */
function opened(layout: Layout, ticker: string): Layout {
  const shown = layout.tiles.indexOf(ticker);
  if (shown >= 0) return { ...layout, focused: shown };
  return { ...layout, tiles: layout.tiles.with(layout.focused, ticker) };
}

/** Focuses a tile without a market, added if there is none. A full workspace stays as it is. */
function emptyFocused(layout: Layout): Layout {
  const { tiles, focused } = layout;
  if (tiles[focused] === undefined) return layout;
  const empty = tiles.indexOf(undefined);
  const tile = empty < 0 ? tiles.length : empty;
  return tile < MOST_TILES ? changeLayout(layout, { type: 'focus', tile }) : layout;
}

function atLeast(tiles: Layout['tiles'], count: number): Layout['tiles'] {
  return [...tiles, ...Array.from({ length: count - tiles.length }, () => undefined)];
}

/** Fewer tiles lose empty ones first, then the last ones, but never the focused market. */
function resized({ tiles, focused, hidden }: Layout, count: number): Layout {
  const order = tiles.map((_, tile) => tile);
  const weight = (tile: number) => (tiles[tile] === undefined ? 2 : tile === focused ? 0 : 1);
  const kept = order
    .toSorted((a, b) => weight(a) - weight(b) || a - b)
    .slice(0, count)
    .toSorted((a, b) => a - b);
  return {
    tiles: atLeast(
      kept.map((tile) => tiles[tile]),
      count,
    ),
    focused: Math.max(0, kept.indexOf(focused)),
    hidden,
  };
}

function toggled(hidden: Layout['hidden'], panel: Panel): Layout['hidden'] {
  return hidden.includes(panel) ? hidden.filter((one) => one !== panel) : [...hidden, panel];
}

/** The layout that the browser stored; undefined when it is not one. */
export function readLayout(value: unknown): Layout | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { tiles, focused, hidden } = value as Record<keyof Layout, unknown>;
  if (!Array.isArray(tiles) || tiles.length < 1 || tiles.length > MOST_TILES) return undefined;
  const read = tiles.map((one) => (typeof one === 'string' && one !== '' ? one : undefined));
  const isDouble = read.some((one, tile) => one !== undefined && read.indexOf(one) !== tile);
  if (isDouble || !Number.isInteger(focused)) return undefined;
  return {
    tiles: read,
    focused: Math.min(Math.max(Number(focused), 0), read.length - 1),
    hidden: Array.isArray(hidden) ? PANELS.filter((panel) => hidden.includes(panel)) : [],
  };
}

export const layoutStore = createBrowserStore('crossbook.workspace', FIRST_LAYOUT, readLayout);
