import { PnL } from '#components/portfolio/Amount.tsx';
import { PositionAction } from '#components/portfolio/PositionAction.tsx';
import { centsRounded, contractsRounded, dollarsDown } from '#lib/format/money.ts';
import type { MarketView } from '#lib/market/marketView.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { groupOf, type PositionView } from '#lib/portfolio/positionView.ts';
import { withMarket } from '#lib/portfolio/withMarket.ts';

type HeldPositionProps = { position: PositionView; market: MarketView };

export function HeldPosition({ position: reported, market }: HeldPositionProps) {
  // The market's end and its result are known here before they are in the portfolio.
  const position = withMarket(reported, market);
  const isLost = groupOf(position) === 'lost';
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 text-14">
      <p className="nums font-medium">
        You {isLost ? 'held' : 'hold'} {contractsRounded(position.contractMicros)}{' '}
        <span className={position.side === 'yes' ? 'text-yes' : 'text-no'}>
          {sideWord(position.side)}
        </span>
      </p>
      {position.averageCostMicros !== null && (
        <p className="nums text-ink-2">avg cost {centsRounded(position.averageCostMicros)}</p>
      )}
      {position.isUnpriced ? (
        <p className="nums text-ink-2">max payout {dollarsDown(position.contractMicros)}</p>
      ) : (
        <>
          <p className="nums text-ink-2">
            {position.status === 'settled' ? 'payout' : 'value'} {dollarsDown(position.valueMicros)}
            {position.isLastPrice && ' at the last price'}
          </p>
          <PnL {...position} />
        </>
      )}
      <span className="ml-auto">
        <PositionAction position={position} />
      </span>
    </div>
  );
}
