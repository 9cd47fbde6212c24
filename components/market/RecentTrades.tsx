'use client';

import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useApp } from '#components/app/useApp.ts';
import { FigureTable } from '#components/ui/FigureTable.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { Trade } from '#lib/api/schemas/market.ts';
import { tradesQuery } from '#lib/browser/queries/markets.ts';
import { cents, contractsWhole } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';

/** The last trades at the exchange, newest first. */
export function RecentTrades({ ticker, label }: { ticker: string; label?: string }) {
  const { api } = useApp();
  const trades = useQuery(tradesQuery(api, ticker));
  return (
    <section aria-labelledby="trades-heading" className="xl:only:col-span-full">
      {/* As high as the book's head beside it. */}
      <div className="mb-3 flex min-h-11 items-center">
        <h2 id="trades-heading" className="min-w-0 font-semibold text-17">
          Trades
          {label && <span className="block truncate font-normal text-14 text-ink-2">{label}</span>}
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
