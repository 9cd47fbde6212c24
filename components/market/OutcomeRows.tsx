'use client';

import clsx from 'clsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { cents, chance, contracts, contractsShort } from '#lib/format/money.ts';
import { changePoints, impliedChance, type MarketView } from '#lib/market/marketView.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { ChanceBar } from './ChanceBar.tsx';
import { MarketResult } from './MarketResult.tsx';
import { PriceChange } from './PriceChange.tsx';

export type OutcomeRowsProps = {
  label?: string;
  markets: MarketView[];
  chosen: string | undefined;
  /** The visitor's positions in all of these markets. */
  positions: PositionView[];
  onChoose: (ticker: string, side: 'yes' | 'no') => void;
};

export function OutcomeRows(props: OutcomeRowsProps) {
  const { markets, chosen, positions, onChoose, label = 'Outcomes' } = props;
  return (
    <ul className="@container sheet divide-y" aria-label={label}>
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
            <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5 [grid-area:label]">
              <PageLink
                href={`/markets/${market.ticker}`}
                className="line-clamp-2 min-w-0 text-15 hover:underline hover:underline-offset-4"
              >
                {market.label}
              </PageLink>
              <PriceChange points={changePoints(market) || null} className="text-13" />
              <span className="nums text-13 text-ink-3">
                {contractsShort(market.volumeContractMicros)}
                <span className="sr-only"> contracts</span> traded
              </span>
              <Held positions={positions} ticker={market.ticker} />
            </div>
            <div className="[grid-area:rule]">
              <ChanceBar market={market} />
            </div>
            <div className="nums text-right font-semibold text-18 [grid-area:chance]">
              {implied === null ? '–' : chance(implied)}
            </div>
            <div className="flex gap-1.5 [grid-area:prices]">
              {market.status === 'settled' ? (
                <MarketResult payoutYesMicros={market.payoutYesMicros} />
              ) : (
                <>
                  <PriceButton market={market} side="yes" onChoose={onChoose} />
                  <PriceButton market={market} side="no" onChoose={onChoose} />
                </>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Held({ positions, ticker }: { positions: PositionView[]; ticker: string }) {
  return positions
    .filter((position) => position.marketId === ticker)
    .map((position) => (
      <span
        key={position.side}
        className={clsx(
          'nums rounded-sm px-1.5 text-13',
          position.side === 'yes' ? 'bg-yes-soft text-yes' : 'bg-no-soft text-no',
        )}
      >
        You hold {contracts(position.contractMicros)} {position.side === 'yes' ? 'Yes' : 'No'}
      </span>
    ));
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
        'nums inline-flex min-h-11 min-w-[4.625rem] items-center justify-center gap-1.5 rounded-md px-2 font-medium text-14 md:min-h-9',
        'disabled:bg-sunken disabled:text-ink-3',
        ask === null
          ? 'bg-sunken text-ink-2 enabled:hover:text-ink'
          : side === 'yes'
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
