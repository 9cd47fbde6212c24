import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useOwnRests } from '#components/order/useOpenOrders.ts';
import { Notice } from '#components/ui/Notice.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import { orderBookQuery, tradesQuery } from '#lib/browser/queries/markets.ts';
import { cents } from '#lib/format/money.ts';
import { groupSizes, ladderOf, type Side } from '#lib/market/ladder.ts';
import { ofSide } from '#lib/market/worthNow.ts';
import { parseMicros } from '#lib/money.ts';
import { BookHeading } from './BookHeading.tsx';
import { LadderTable } from './LadderTable.tsx';
import { useGrid } from './useGrid.ts';

type OrderBookProps = { ticker: string; label: string | undefined };

/** All resting orders of one side: asks above, bids below, best nearest to the middle. */
export function OrderBook({ ticker, label }: OrderBookProps) {
  const { api } = useApp();
  const [side, setSide] = useState<Side>('yes');
  const [chosen, setGroup] = useState<bigint>();
  const book = useQuery(orderBookQuery(api, ticker));
  const trades = useQuery(tradesQuery(api, ticker));
  const rests = useOwnRests(ticker);
  const sizes = groupSizes(useGrid(ticker));
  const group = sizes.find((size) => size === chosen) ?? sizes[0] ?? 10_000n;
  const last = trades.data?.trades[0]?.yesPriceDollars;
  return (
    <section aria-labelledby={`book-${ticker}`}>
      <BookHeading id={`book-${ticker}`} title="Order book" label={label}>
        <div className="flex items-center gap-2">
          <GroupSelect sizes={sizes} value={group} onChange={setGroup} />
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
      </BookHeading>
      {book.isPending && <div className="ladder-room skeleton" />}
      {book.isError && !book.data && (
        <Notice tone="problem" title="The order book could not be loaded">
          {book.error.message}
        </Notice>
      )}
      {book.data && (
        <LadderTable
          ticker={ticker}
          side={side}
          ladder={ladderOf(book.data, side, group)}
          groupMicros={group}
          rests={rests}
          lastMicros={last === undefined ? undefined : ofSide(parseMicros(last), side)}
          // Neither live nor read in the last seconds.
          staleSince={book.isError ? book.data.asOf : undefined}
        />
      )}
    </section>
  );
}

type GroupSelectProps = {
  sizes: readonly bigint[];
  value: bigint;
  onChange: (size: bigint) => void;
};

function GroupSelect({ sizes, value, onChange }: GroupSelectProps) {
  return (
    <select
      aria-label="Group prices by"
      value={String(value)}
      onChange={(event) => onChange(BigInt(event.target.value))}
      className="nums min-h-11 rounded-md border border-line bg-surface px-3 text-14 hover:border-line-strong"
    >
      {sizes.map((size) => (
        <option key={String(size)} value={String(size)}>
          {cents(size)}
        </option>
      ))}
    </select>
  );
}
