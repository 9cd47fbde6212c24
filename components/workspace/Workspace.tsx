import { useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { toggleWatched, useWatchlist } from '#lib/browser/market/watchlist.ts';
import { eventQuery } from '#lib/browser/queries/markets.ts';
import { linkHandler } from '#lib/browser/workspace/linkHandler.ts';
import { eventViewOf } from '#lib/market/convertMarket.ts';
import { mostInformative } from '#lib/market/marketView.ts';
import { HoldingsPanel, type HoldingsTab } from './HoldingsPanel.tsx';
import { MarketTile } from './MarketTile.tsx';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { type TicketGoal, TicketPanel, type TicketStart } from './TicketPanel.tsx';
import { useLayout } from './useLayout.ts';
import { useWorkspaceKeys } from './useWorkspaceKeys.ts';
import { WatchPanel } from './WatchPanel.tsx';
import { WorkspaceBar } from './WorkspaceBar.tsx';

/** Watchlist, markets, ticket, positions and orders of one screen. */
export function Workspace({ open }: { open: string | undefined }) {
  const { layout, change } = useLayout(open);
  const [start, setStart] = useState<TicketStart>();
  const [goal, setGoal] = useState<TicketGoal>();
  const [tab, setTab] = useState<HoldingsTab>('positions');
  const [showsHelp, setShowsHelp] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const watched = useWatchlist();
  const { api } = useApp();
  const cache = useQueryClient();
  const ticker = layout.tiles[layout.focused];
  useLiveMarkets(layout.tiles.filter((one) => one !== undefined));
  const onReached = useCallback(() => setGoal(undefined), []);
  useWorkspaceKeys({
    layout,
    change,
    root,
    goToTicket: setGoal,
    showHoldings: setTab,
    showHelp: () => setShowsHelp(true),
  });

  /** Opens what most people look for in an event; its other outcomes are in the watchlist. */
  const openEvent = async (eventTicker: string) => {
    if (!watched.includes(eventTicker)) toggleWatched(eventTicker);
    const found = await cache.fetchQuery(eventQuery(api, eventTicker)).catch(() => undefined);
    const [market] = found ? mostInformative(eventViewOf(found.event), 1) : [];
    if (market) change({ type: 'open', ticker: market.ticker });
  };

  const openHere = useEffectEvent((href: string): boolean => {
    const [, kind, name] = /^\/(markets|events)\/([^/?#]+)/.exec(href) ?? [];
    if (kind === undefined || name === undefined) return false;
    const found = decodeURIComponent(name);
    if (kind === 'markets') {
      setStart({ ticker: found, ...startOf(href) });
      change({ type: 'open', ticker: found });
    } else void openEvent(found);
    return true;
  });
  useEffect(() => {
    linkHandler.set((href) => openHere(href));
    return () => linkHandler.set(undefined);
  }, []);

  const shows = (panel: (typeof layout.hidden)[number]) => !layout.hidden.includes(panel);
  return (
    <div
      ref={root}
      onClickCapture={(event) => openLink(event, openHere)}
      className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]"
    >
      <WorkspaceBar layout={layout} change={change} showHelp={() => setShowsHelp(true)} />
      <div className="flex min-h-0">
        <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto]">
          <div className="flex min-h-0">
            {shows('watchlist') && (
              <WatchPanel
                shown={layout.tiles}
                onOpen={(chosen) => change({ type: 'open', ticker: chosen })}
              />
            )}
            <div className="relative grid min-w-0 flex-1 auto-cols-[minmax(20rem,1fr)] grid-flow-col grid-rows-[minmax(0,1fr)] gap-px overflow-x-auto bg-line">
              {layout.tiles.map((shown, tile) => (
                <MarketTile
                  key={shown ?? `empty ${tile}`}
                  tile={tile}
                  ticker={shown}
                  isFocused={tile === layout.focused}
                  onFocus={() => change({ type: 'focus', tile })}
                  onClose={() => change({ type: 'close', tile })}
                />
              ))}
            </div>
          </div>
          {shows('holdings') && <HoldingsPanel tab={tab} onTab={setTab} />}
        </div>
        {shows('ticket') && (
          <TicketPanel ticker={ticker} start={start} goal={goal} onReached={onReached} />
        )}
      </div>
      {showsHelp && <ShortcutsDialog onClose={() => setShowsHelp(false)} />}
    </div>
  );
}

function startOf(href: string): Omit<TicketStart, 'ticker'> {
  const asked = new URL(href, window.location.origin).searchParams;
  return {
    side: asked.get('side') === 'no' ? 'no' : 'yes',
    action: asked.get('action') === 'sell' ? 'sell' : 'buy',
  };
}

/** Opens a link's market here, unless the link or the visitor asks for another tab. */
function openLink(event: MouseEvent, open: (href: string) => boolean): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link?.target !== '' || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (open(link.getAttribute('href') ?? '')) event.preventDefault();
}
