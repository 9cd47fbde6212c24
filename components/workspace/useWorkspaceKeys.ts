import { type RefObject, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { isTyping } from '#lib/browser/isTyping.ts';
import { type Layout, type LayoutChange, MOST_TILES } from '#lib/browser/workspace/layout.ts';
import { HOLDINGS_ID, type HoldingsTab } from './HoldingsPanel.tsx';
import { tileId } from './MarketTile.tsx';
import { TICKET_ID, type TicketGoal } from './TicketPanel.tsx';

type WorkspaceKeys = {
  layout: Layout;
  change: (change: LayoutChange) => void;
  root: RefObject<HTMLElement | null>;
  goToTicket: (goal: TicketGoal | undefined) => void;
  showHoldings: (tab: HoldingsTab) => void;
  showHelp: () => void;
};

const ROW_STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

const GOALS: Readonly<Record<string, TicketGoal>> = {
  b: { action: 'buy' },
  y: { action: 'buy', side: 'yes' },
  n: { action: 'buy', side: 'no' },
  s: { action: 'sell' },
};

const HOLDINGS: Readonly<Record<string, HoldingsTab>> = { p: 'positions', o: 'open' };

/** The keys of the workspace; while a field has the focus only Escape counts. */
export function useWorkspaceKeys(keys: WorkspaceKeys): void {
  const { layout, change, root, goToTicket, showHoldings, showHelp } = keys;
  const goToTile = (tile: number) => {
    flushSync(() => change({ type: 'focus', tile }));
    document.getElementById(tileId(tile))?.focus();
  };
  const goToHoldings = (tab: HoldingsTab) => {
    flushSync(() => {
      if (layout.hidden.includes('holdings')) change({ type: 'toggle', panel: 'holdings' });
      showHoldings(tab);
    });
    document.getElementById(HOLDINGS_ID)?.focus();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (key === 'Escape') {
      goToTicket(undefined);
      const panel = target instanceof Element && target.closest(`#${TICKET_ID}, #${HOLDINGS_ID}`);
      if (panel) goToTile(layout.focused);
      return;
    }
    if (isTyping(target)) return;
    const tile = Number(key) - 1;
    if (tile >= 0 && tile < MOST_TILES) goToTile(tile);
    if (key === 'x') change({ type: 'close', tile: layout.focused });
    if (key === '?') showHelp();
    const goal = GOALS[key];
    if (goal && layout.tiles[layout.focused] !== undefined) {
      // The key must not be typed into the field that gets the focus.
      event.preventDefault();
      if (layout.hidden.includes('ticket')) change({ type: 'toggle', panel: 'ticket' });
      goToTicket(goal);
    }
    const tab = HOLDINGS[key];
    if (tab) goToHoldings(tab);
    if (ROW_STEPS[key] !== undefined) moveInWatchlist(root.current, event);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** Arrows scroll the page unless the watchlist has the focus. */
function moveInWatchlist(root: HTMLElement | null, event: KeyboardEvent): void {
  const rows = [...(root?.querySelectorAll<HTMLElement>('[data-watched]') ?? [])];
  const now = rows.indexOf(document.activeElement as HTMLElement);
  if (now < 0 && event.key.startsWith('Arrow')) return;
  event.preventDefault();
  rows[Math.max(0, now + (ROW_STEPS[event.key] ?? 0))]?.focus();
}
