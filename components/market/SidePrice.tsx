import clsx from 'clsx';
import { Flashing } from '#components/ui/Flashing.tsx';
import { cents } from '#lib/format/money.ts';
import type { MarketPrices } from '#lib/market/marketView.ts';

type Side = 'yes' | 'no';

function askOf(market: MarketPrices, side: Side): bigint | null {
  return side === 'yes' ? market.yesAskMicros : market.noAskMicros;
}

/** The style of a side's price. Without sellers it still leads to the ticket, which explains it. */
export function priceStyle(market: MarketPrices, side: Side): string {
  const tone =
    side === 'yes'
      ? 'bg-yes-soft text-yes not-disabled:hover:bg-yes-solid not-disabled:hover:text-on-solid'
      : 'bg-no-soft text-no not-disabled:hover:bg-no-solid not-disabled:hover:text-on-solid';
  return clsx(
    'nums inline-flex min-h-11 min-w-[4.625rem] items-center justify-center gap-1.5 rounded-md px-2 font-medium text-14 md:min-h-9',
    askOf(market, side) === null ? 'bg-sunken text-ink-2 not-disabled:hover:text-ink' : tone,
  );
}

type SidePriceProps = { market: MarketPrices & { label: string }; side: Side; verb?: string };

/** "Yes 62¢"; screen readers also hear the verb and the market. */
export function SidePrice({ market, side, verb }: SidePriceProps) {
  const ask = askOf(market, side);
  return (
    <>
      <span>
        {verb && <span className="sr-only">{verb}</span>}
        {side === 'yes' ? 'Yes' : 'No'}
      </span>
      <Flashing value={ask}>{ask === null ? '–' : cents(ask)}</Flashing>
      <span className="sr-only">, {market.label}</span>
    </>
  );
}
