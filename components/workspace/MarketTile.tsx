import clsx from 'clsx';
import { ExternalLink, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { BookPanel } from '#components/book/BookPanel.tsx';
import { HeldPosition } from '#components/market/HeldPosition.tsx';
import { StarIcon } from '#components/market/icons.tsx';
import { MarketHistory } from '#components/market/MarketHistory.tsx';
import { MarketResult } from '#components/market/MarketResult.tsx';
import { PriceChartPanel } from '#components/market/PriceChartPanel.tsx';
import { ShardPause } from '#components/market/ShardPause.tsx';
import { StatusBadge } from '#components/market/StatusBadge.tsx';
import { WatchStar } from '#components/market/WatchStar.tsx';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { openPalette } from '#components/search/palette.ts';
import { Button } from '#components/ui/Button.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import { cents, estimate } from '#lib/format/money.ts';
import { impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { useTileMarket } from './useTileMarket.ts';

type MarketTileProps = {
  tile: number;
  ticker: string | undefined;
  isFocused: boolean;
  onFocus: () => void;
  onClose: () => void;
};

export const tileId = (tile: number) => `tile-${tile}`;

/** One market of the workspace; a press anywhere in it focuses it. */
export function MarketTile({ tile, ticker, isFocused, onFocus, onClose }: MarketTileProps) {
  return (
    <section
      id={tileId(tile)}
      tabIndex={-1}
      aria-label={`Market ${tile + 1}`}
      aria-current={isFocused ? 'true' : undefined}
      onFocus={() => {
        if (!isFocused) onFocus();
      }}
      className={clsx(
        'relative grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] border-t-2 bg-paper outline-none',
        isFocused ? 'border-t-ink' : 'border-t-transparent',
      )}
    >
      {ticker === undefined ? (
        <EmptyTile tile={tile} />
      ) : (
        <Loaded ticker={ticker} tile={tile} onClose={onClose} />
      )}
    </section>
  );
}

function EmptyTile({ tile }: { tile: number }) {
  return (
    <div className="row-span-2 grid place-content-center justify-items-center gap-3 p-6 text-center">
      <h2 className="font-medium text-17">Panel {tile + 1} is empty</h2>
      <p className="max-w-xs text-14 text-ink-2">
        Choose a market from your watchlist or your positions, or search for one.
      </p>
      <Button onClick={openPalette}>Search markets</Button>
    </div>
  );
}

type LoadedProps = { ticker: string; tile: number; onClose: () => void };

function Loaded({ ticker, tile, onClose }: LoadedProps) {
  const { market, pausedShard, isError } = useTileMarket(ticker);
  const [renderedAtMs] = useState(() => Date.now());
  const [view, setView] = useState<(typeof VIEWS)[number]['value']>('chart');
  const held = (usePositions() ?? []).filter((position) => position.marketId === ticker);
  return (
    <>
      <TileHead ticker={ticker} tile={tile} market={market} onClose={onClose} />
      {!market && isError && (
        <p className="px-4 text-14 text-ink-2">This market could not be loaded. Retrying…</p>
      )}
      {!market && !isError && (
        <div className="skeleton mx-4 h-64" role="status" aria-label="Loading" />
      )}
      {market && (
        // The size of a tile, not of the window, decides what is beside the chart, and how many
        // levels of the book are in view.
        <div className="overflow-y-auto [container-type:size]">
          <div className="grid @min-[48rem]:h-full @min-[48rem]:grid-cols-[minmax(0,1fr)_19rem] @min-[88rem]:grid-cols-[minmax(0,1fr)_42rem] grid-cols-[minmax(0,1fr)] @min-[48rem]:grid-rows-[minmax(0,1fr)] gap-x-1 gap-y-3 @max-[48rem]:px-4 @max-[48rem]:pt-2 @max-[48rem]:pb-4 @min-[48rem]:pl-4">
            <div className="@min-[48rem]:hidden">
              <Segmented
                legend={`Show of ${market.label}`}
                size="s"
                value={view}
                onChange={setView}
                options={VIEWS}
              />
            </div>
            <div
              className={clsx(
                // What is held is in view below the chart.
                held.length > 0
                  ? '[--chart-height:clamp(160px,100cqh-19rem,460px)]'
                  : '[--chart-height:clamp(180px,100cqh-14.5rem,460px)]',
                COLUMN,
                view !== 'chart' && '@max-[48rem]:hidden',
              )}
            >
              {pausedShard && <ShardPause shard={pausedShard} />}
              <Suspense fallback={<div className="skeleton h-80" />}>
                <PriceChartPanel market={market} label={market.label} renderedAtMs={renderedAtMs} />
              </Suspense>
              {held.length > 0 && (
                <div className="sheet divide-y">
                  {held.map((position) => (
                    <HeldPosition key={position.side} position={position} market={market} />
                  ))}
                </div>
              )}
              <MarketHistory ticker={ticker} label={market.label} />
            </div>
            <div className={clsx('tile-book', COLUMN, view !== 'book' && '@max-[48rem]:hidden')}>
              <div className="@container [&_h2>span]:sr-only [&>div]:grid-cols-[minmax(0,1fr)]! @min-[40rem]:[&>div]:grid-cols-2!">
                <BookPanel market={market} label={market.label} />
              </div>
            </div>
          </div>
        </div>
      )}
    </>
  );
}

/** A tile too narrow for both side by side shows one of them. */
const VIEWS = [
  { value: 'chart', label: 'Chart' },
  { value: 'book', label: 'Book' },
] as const;

/** A part of a wide tile, which scrolls by itself: the book stays in view beside the chart. */
const COLUMN =
  'grid grid-cols-[minmax(0,1fr)] content-start gap-5 @min-[48rem]:overflow-y-auto @min-[48rem]:py-3 @min-[48rem]:pr-4 @min-[48rem]:[scrollbar-width:thin]';

type TileHeadProps = LoadedProps & { market: MarketView | undefined };

function TileHead({ ticker, tile, market, onClose }: TileHeadProps) {
  return (
    <header className="border-b px-4 py-2.5">
      <div className="flex items-start gap-2">
        <span
          aria-hidden
          className="nums mt-1 rounded border border-line px-1.5 font-mono text-12 text-ink-3"
        >
          {tile + 1}
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="wrap-anywhere font-semibold text-15" title={market?.label}>
            {market?.label ?? ticker}
          </h2>
          <p className="truncate text-12 text-ink-3" title={market?.title}>
            {market && market.title !== market.label ? market.title : '\u00a0'}
          </p>
        </div>
        {market && (
          <WatchStar eventTicker={market.eventTicker} title={market.title} className="-mr-2">
            <StarIcon />
          </WatchStar>
        )}
        <PageLink
          href={`/markets/${ticker}`}
          target="_blank"
          aria-label={`Open the page of ${market?.label ?? ticker}`}
          className="grid size-8 place-items-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink"
        >
          <ExternalLink aria-hidden className="size-4" />
        </PageLink>
        <button
          type="button"
          aria-label={`Close ${market?.label ?? ticker}`}
          onClick={onClose}
          className="-ml-2 grid size-8 place-items-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
      <p className="nums flex min-h-7 items-baseline gap-3 text-13 text-ink-2">
        {market && <Prices market={market} />}
      </p>
    </header>
  );
}

function Prices({ market }: { market: MarketView }) {
  const implied = impliedChance(market);
  if (market.status === 'settled') return <MarketResult market={market} />;
  return (
    <>
      <b className="text-19 text-ink">{implied === null ? '–' : estimate(market, implied)}</b>
      <span>{market.isScalar ? 'expected payout' : 'chance'} of Yes</span>
      <span className="ml-auto whitespace-nowrap">
        {market.status !== 'open' ? (
          <StatusBadge status={market.status} />
        ) : (
          <>
            bid {priceOf(market.yesBidMicros)} · ask {priceOf(market.yesAskMicros)}
          </>
        )}
      </span>
    </>
  );
}

const priceOf = (micros: bigint | null) => (micros === null ? '–' : cents(micros));
