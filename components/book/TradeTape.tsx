import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useApp } from '#components/app/useApp.ts';
import { FigureTable } from '#components/ui/FigureTable.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { Trade } from '#lib/api/schemas/market.ts';
import { tradesQuery } from '#lib/browser/queries/markets.ts';
import { cents, contractsWhole } from '#lib/format/money.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { parseMicros } from '#lib/money.ts';
import { BookHeading } from './BookHeading.tsx';

/** The last trades of all participants, newest first. */
export function TradeTape({ ticker, label }: { ticker: string; label: string | undefined }) {
  const { api } = useApp();
  const { data, isPending, isError } = useQuery(tradesQuery(api, ticker));
  return (
    <section aria-labelledby={`trades-${ticker}`}>
      <BookHeading id={`trades-${ticker}`} title="Trades" label={label} />
      {isPending && <div className="skeleton h-73" />}
      {isError && !data && (
        <p className="text-14 text-ink-3">Trades could not be loaded. Retrying…</p>
      )}
      {data?.trades.length === 0 && <p className="text-14 text-ink-3">No recent trades.</p>}
      {data && data.trades.length > 0 && (
        <FigureTable columns={['Bought', 'Price', 'Contracts', 'Time']} caption="Last trades">
          <tbody>
            {data.trades.map((trade) => (
              <TradeRow key={trade.id} trade={trade} />
            ))}
          </tbody>
        </FigureTable>
      )}
    </section>
  );
}

function TradeRow({ trade }: { trade: Trade }) {
  const { takerSide, yesPriceDollars, noPriceDollars, contracts, at } = trade;
  return (
    <tr className="nth-[n+9]:hidden [&>td]:border-t">
      <td className={clsx('font-medium', takerSide === 'yes' ? 'text-yes' : 'text-no')}>
        {sideWord(takerSide)}
      </td>
      <td className="text-right">
        {cents(parseMicros(takerSide === 'yes' ? yesPriceDollars : noPriceDollars))}
      </td>
      <td className="text-right">{contractsWhole(parseMicros(String(contracts)))}</td>
      <td className="text-right text-ink-2">
        <LocalTime at={at} format="clock" />
      </td>
    </tr>
  );
}
