import type { ReactNode } from 'react';
import { PageLink } from '#components/ui/PageLink.tsx';
import { contractsShort } from '#lib/format/money.ts';
import type { MarketView } from '#lib/market/marketView.ts';
import {
  LiveChance,
  LiveMarketPrices,
  LivePriceChange,
  LiveTimeLeft,
} from './LiveMarketFields.tsx';

type EventTableRowProps = {
  href: string;
  title: string;
  detail: string;
  volumeContractMicros: bigint;
  leading: MarketView;
  /** Prices of the last day. */
  line: ReactNode;
  renderedAtMs: number;
};

/** One row per event, with its most informative outcome and live numbers. */
export function EventTableRow(props: EventTableRowProps) {
  const { leading } = props;
  return (
    <tr className="border-b last:border-b-0 hover:bg-sunken max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto_auto] max-md:items-center max-md:gap-x-3 max-md:px-4 max-md:py-2 md:[&>td]:px-3 md:[&>td]:py-1.5 md:[&>th]:px-3 md:[&>th]:py-1.5">
      <th scope="row" className="max-w-[26.25rem] text-left font-normal max-md:max-w-none">
        <PageLink
          href={props.href}
          className="line-clamp-2 font-medium hover:underline hover:underline-offset-4 md:line-clamp-1"
        >
          {props.title}
        </PageLink>
        <span className="block truncate text-13 text-ink-3">{props.detail}</span>
      </th>
      <td className="text-right font-semibold text-15">
        <LiveChance market={leading} />
      </td>
      <td className="text-right text-13 max-md:w-[4.5rem]">
        <div className="flex items-center justify-end gap-2.5 max-md:flex-col max-md:items-end max-md:gap-0">
          {props.line}
          <span className="md:w-[2rem]">
            <LivePriceChange market={leading} />
          </span>
        </div>
      </td>
      <td className="text-right text-ink-2 max-md:hidden">
        {contractsShort(props.volumeContractMicros)}
      </td>
      <td className="whitespace-nowrap text-right text-ink-2 max-md:hidden">
        <LiveTimeLeft market={leading} renderedAtMs={props.renderedAtMs} />
      </td>
      <td className="max-md:hidden">
        <div className="flex justify-end gap-1.5">
          <LiveMarketPrices market={leading} />
        </div>
      </td>
    </tr>
  );
}
