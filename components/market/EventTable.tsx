import Link from 'next/link';
import { Until } from '#components/ui/Times.tsx';
import { chance, contractsShort } from '#lib/format/money.ts';
import {
  changePoints,
  type EventView,
  impliedChance,
  type MarketView,
  telling,
} from '#lib/market/marketView.ts';
import { ChangeMark } from './ChangeMark.tsx';
import { MarketResult } from './MarketResult.tsx';
import { PriceLink } from './PriceLink.tsx';
import { STATUS_WORDS } from './StatusBadge.tsx';

type EventTableProps = { events: EventView[]; renderedAtMs: number };

/** The dense list: one line for an event, with the outcome that says most. */
export function EventTable({ events, renderedAtMs }: EventTableProps) {
  return (
    <div className="sheet overflow-hidden">
      <table className="nums w-full text-[14px] max-md:block">
        <caption className="sr-only">Events with their leading outcome</caption>
        <thead className="max-md:sr-only">
          <tr className="border-b text-left text-[13px] text-ink-3 [&>th]:px-3 [&>th]:py-2 [&>th]:font-normal">
            <th scope="col">Event</th>
            <th scope="col" className="text-right">
              Chance
            </th>
            <th scope="col" className="text-right">
              24 h
            </th>
            <th scope="col" className="text-right">
              Traded
            </th>
            <th scope="col" className="text-right">
              Closes in
            </th>
            <th scope="col">
              <span className="sr-only">Prices</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {events.map((event) => (
            <EventRow key={event.eventTicker} event={event} renderedAtMs={renderedAtMs} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EventRow({ event, renderedAtMs }: { event: EventView; renderedAtMs: number }) {
  const [leading] = telling(event, 1);
  if (!leading) return null;
  const implied = impliedChance(leading);
  const single = event.marketCount === 1;
  return (
    <tr className="border-b last:border-b-0 hover:bg-sunken max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto_auto] max-md:items-center max-md:gap-x-3 max-md:px-4 max-md:py-2 md:[&>td]:px-3 md:[&>td]:py-1.5 md:[&>th]:px-3 md:[&>th]:py-1.5">
      <th scope="row" className="max-w-[420px] text-left font-normal max-md:max-w-none">
        <Link
          href={single ? `/markets/${leading.ticker}` : `/events/${event.eventTicker}`}
          className="block truncate font-medium hover:underline hover:underline-offset-4"
        >
          {event.title}
        </Link>
        <span className="block truncate text-[13px] text-ink-3">
          {single ? event.category : `${leading.label} and ${event.marketCount - 1} more`}
        </span>
      </th>
      <td className="text-right font-semibold text-[15px]">
        {implied === null ? '–' : chance(implied)}
      </td>
      <td className="text-right text-[13px] max-md:w-9">
        <ChangeMark points={changePoints(leading)} />
      </td>
      <td className="text-right text-ink-2 max-md:hidden">
        {contractsShort(event.volumeContractMicros)}
      </td>
      <td className="whitespace-nowrap text-right text-ink-2 max-md:hidden">
        {leading.status === 'open' ? (
          <Until at={leading.closeTime} renderedAtMs={renderedAtMs} />
        ) : (
          STATUS_WORDS[leading.status]
        )}
      </td>
      <td className="max-md:hidden">
        <Prices market={leading} />
      </td>
    </tr>
  );
}

function Prices({ market }: { market: MarketView }) {
  if (market.status === 'settled') return <MarketResult payoutYesMicros={market.payoutYesMicros} />;
  const href = `/markets/${market.ticker}`;
  return (
    <div className="flex justify-end gap-1.5">
      <PriceLink
        href={`${href}?side=yes`}
        side="yes"
        askMicros={market.yesAskMicros}
        marketLabel={market.label}
      />
      <PriceLink
        href={`${href}?side=no`}
        side="no"
        askMicros={market.noAskMicros}
        marketLabel={market.label}
      />
    </div>
  );
}
