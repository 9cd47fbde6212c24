import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Activity, useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useLiveBook } from '#components/app/useLive.ts';
import { FigureTable } from '#components/ui/FigureTable.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import type { MarketStatus, Trade } from '#lib/api/schemas/market.ts';
import { orderBookQuery, tradesQuery } from '#lib/browser/queries/markets.ts';
import { cents, contractsWhole, dollars } from '#lib/format/money.ts';
import { hasBook } from '#lib/market/hasBook.ts';
import { costMicros, parseMicros } from '#lib/money.ts';

type BookAndTradesProps = {
  market: { ticker: string; status: MarketStatus };
  /** The market's name, if the page shows several markets. */
  label?: string;
};

export function BookAndTrades({ market, label }: BookAndTradesProps) {
  useLiveBook(market.ticker);
  const named = label === undefined ? {} : { label };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-8 xl:grid-cols-2">
      <Activity>
        {hasBook(market.status) && <OrderBookLadder ticker={market.ticker} {...named} />}
      </Activity>
      <Activity>
        <RecentTrades ticker={market.ticker} {...named} />
      </Activity>
    </div>
  );
}

type Level = { priceDollars: string; contracts: number };

const DEPTH = 6;

type OrderBookLadderProps = {
  ticker: string;
  /** The market's name, if the page shows several markets. */
  label?: string;
};

/** The resting orders of one side: offers above, bids below, best nearest to the middle. */
function OrderBookLadder({ ticker, label }: OrderBookLadderProps) {
  const { api } = useApp();
  const [side, setSide] = useState<'yes' | 'no'>('yes');
  const book = useQuery(orderBookQuery(api, ticker));
  const asks = (side === 'yes' ? book.data?.yesAsks : book.data?.noAsks)?.slice(0, DEPTH) ?? [];
  const bids = (side === 'yes' ? book.data?.yesBids : book.data?.noBids)?.slice(0, DEPTH) ?? [];
  const most = Math.max(1, ...asks.map((l) => l.contracts), ...bids.map((l) => l.contracts));
  return (
    <section aria-labelledby={`book-${ticker}`}>
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id={`book-${ticker}`} className="min-w-0 font-semibold text-17">
          Order book
          {label && (
            <span className="wrap-anywhere block font-normal text-14 text-ink-2">{label}</span>
          )}
        </h2>
        <Segmented
          legend="Order book side"
          value={side}
          onChange={setSide}
          options={[
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
        />
      </div>
      {book.isPending && <div className="skeleton h-[470px]" />}
      {book.isError && !book.data && (
        <Notice tone="problem" title="The order book could not be loaded">
          {book.error.message}
        </Notice>
      )}
      {book.data && (
        <FigureTable
          columns={['Price', 'Contracts', 'Total']}
          caption={`Asks and bids for ${side === 'yes' ? 'Yes' : 'No'}, best prices in the middle`}
        >
          <LevelRows levels={[...asks].reverse()} kind="ask" most={most} />
          <SpreadRow ask={asks[0]} bid={bids[0]} />
          <LevelRows levels={bids} kind="bid" most={most} />
        </FigureTable>
      )}
    </section>
  );
}

function SpreadRow({ ask, bid }: { ask: Level | undefined; bid: Level | undefined }) {
  const spread =
    ask && bid ? cents(parseMicros(ask.priceDollars) - parseMicros(bid.priceDollars)) : '–';
  return (
    <tbody>
      <tr>
        <td colSpan={3} className="border-t bg-sunken text-13 text-ink-2">
          Spread {spread}
        </td>
      </tr>
    </tbody>
  );
}

function LevelRows({ levels, kind, most }: { levels: Level[]; kind: 'ask' | 'bid'; most: number }) {
  const tone = kind === 'ask' ? 'var(--no-soft)' : 'var(--yes-soft)';
  return (
    <tbody>
      {kind === 'ask' && <BlankRows count={DEPTH - levels.length} kind={kind} />}
      {levels.map((level) => {
        const price = parseMicros(level.priceDollars);
        const size = parseMicros(String(level.contracts));
        const share = (level.contracts / most) * 100;
        return (
          <tr
            key={level.priceDollars}
            style={{
              background: `linear-gradient(to left, ${tone} ${share}%, transparent ${share}%)`,
            }}
          >
            <td className={clsx('border-t font-medium', kind === 'ask' ? 'text-no' : 'text-yes')}>
              <span className="sr-only">{kind === 'ask' ? 'Ask' : 'Bid'} </span>
              {cents(price)}
            </td>
            <td className="border-t text-right">{contractsWhole(size)}</td>
            <td className="border-t text-right text-ink-2">
              {dollars(costMicros(size, price, 'nearest'))}
            </td>
          </tr>
        );
      })}
      {kind === 'bid' && <BlankRows count={DEPTH - levels.length} kind={kind} />}
    </tbody>
  );
}

/** Keeps the ladder's height while levels appear and disappear. */
function BlankRows({ count, kind }: { count: number; kind: 'ask' | 'bid' }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blank rows have no identity
    <tr key={index}>
      <td colSpan={3} className="border-t text-ink-3">
        {count === DEPTH && index === 0 ? (kind === 'ask' ? 'No asks' : 'No bids') : '\u00a0'}
      </td>
    </tr>
  ));
}

function RecentTrades({ ticker, label }: { ticker: string; label?: string }) {
  const { api } = useApp();
  const trades = useQuery(tradesQuery(api, ticker));
  return (
    <section aria-labelledby={`trades-${ticker}`} className="xl:only:col-span-full">
      {/* As high as the book's head beside it. */}
      <div className="mb-3 flex min-h-11 items-center">
        <h2 id={`trades-${ticker}`} className="min-w-0 font-semibold text-17">
          Trades
          {label && (
            <span className="wrap-anywhere block font-normal text-14 text-ink-2">{label}</span>
          )}
        </h2>
      </div>
      {trades.isPending && <div className="skeleton h-[292px] xl:h-[470px]" />}
      {trades.isError && !trades.data && (
        <p className="text-14 text-ink-3">Trades could not be loaded. Retrying…</p>
      )}
      {trades.data?.trades.length === 0 && <p className="text-14 text-ink-3">No recent trades.</p>}
      {trades.data && trades.data.trades.length > 0 && <TradeTable trades={trades.data.trades} />}
    </section>
  );
}

function TradeTable({ trades }: { trades: Trade[] }) {
  return (
    <FigureTable columns={['Bought', 'Price', 'Contracts', 'Time']}>
      <tbody>
        {trades.map((trade) => (
          <tr key={trade.id} className="max-xl:nth-[n+9]:hidden [&>td]:border-t">
            <td className={clsx('font-medium', trade.takerSide === 'yes' ? 'text-yes' : 'text-no')}>
              {trade.takerSide === 'yes' ? 'Yes' : 'No'}
            </td>
            <td className="text-right">
              {cents(
                parseMicros(
                  trade.takerSide === 'yes' ? trade.yesPriceDollars : trade.noPriceDollars,
                ),
              )}
            </td>
            <td className="text-right">{contractsWhole(parseMicros(String(trade.contracts)))}</td>
            <td className="text-right text-ink-2">
              <LocalTime at={trade.at} format="clock" />
            </td>
          </tr>
        ))}
      </tbody>
    </FigureTable>
  );
}
