'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { cents, chance } from '#lib/format/money.ts';
import { impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { ChanceRule } from './ChanceRule.tsx';

type OutcomeRowsProps = {
  markets: MarketView[];
  chosen: string | undefined;
  onChoose: (ticker: string, side: 'yes' | 'no') => void;
};

export function OutcomeRows({ markets, chosen, onChoose }: OutcomeRowsProps) {
  return (
    <ul className="sheet divide-y" aria-label="Outcomes">
      {markets.map((market) => {
        const implied = impliedChance(market);
        return (
          <li
            key={market.ticker}
            className={clsx(
              'outcome-row px-4 py-3 md:px-5',
              market.ticker === chosen && 'shadow-[inset_3px_0_0_var(--ink)]',
            )}
          >
            <Link
              href={`/markets/${market.ticker}`}
              className="block min-w-0 truncate text-[15px] [grid-area:label] hover:underline hover:underline-offset-4"
            >
              {market.label}
            </Link>
            <div className="[grid-area:rule]">
              <ChanceRule market={market} />
            </div>
            <div className="nums text-right font-semibold text-[18px] [grid-area:chance]">
              {implied === null ? '–' : chance(implied)}
            </div>
            <div className="flex gap-1.5 [grid-area:prices]">
              <PriceButton market={market} side="yes" onChoose={onChoose} />
              <PriceButton market={market} side="no" onChoose={onChoose} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

type PriceButtonProps = {
  market: MarketView;
  side: 'yes' | 'no';
  onChoose: OutcomeRowsProps['onChoose'];
};

function PriceButton({ market, side, onChoose }: PriceButtonProps) {
  const ask = side === 'yes' ? market.yesAskMicros : market.noAskMicros;
  const word = side === 'yes' ? 'Yes' : 'No';
  return (
    <button
      type="button"
      disabled={market.status !== 'open'}
      onClick={() => onChoose(market.ticker, side)}
      className={clsx(
        'nums inline-flex h-11 min-w-[74px] items-center justify-center gap-1.5 rounded-m px-2 font-medium text-[14px] md:h-9',
        'disabled:bg-sunken disabled:text-ink-3',
        side === 'yes'
          ? 'bg-yes-soft text-yes enabled:hover:bg-yes-solid enabled:hover:text-on-solid'
          : 'bg-no-soft text-no enabled:hover:bg-no-solid enabled:hover:text-on-solid',
      )}
    >
      <span>{word}</span>
      <span>{ask === null ? '–' : cents(ask)}</span>
      <span className="sr-only">, {market.label}</span>
    </button>
  );
}
