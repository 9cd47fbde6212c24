import { PnL } from '#components/portfolio/Amount.tsx';
import { PositionAction } from '#components/portfolio/PositionAction.tsx';
import { centsRounded, contracts, dollars } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';

export function HeldPosition({ position }: { position: PositionView }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 text-14">
      <p className="nums font-medium">
        You hold {contracts(position.contractMicros)}{' '}
        <span className={position.side === 'yes' ? 'text-yes' : 'text-no'}>
          {position.side === 'yes' ? 'Yes' : 'No'}
        </span>
      </p>
      {position.averageCostMicros !== null && (
        <p className="nums text-ink-2">avg price {centsRounded(position.averageCostMicros)}</p>
      )}
      {position.isUnpriced ? (
        <p className="nums text-ink-2">max payout {dollars(position.contractMicros)}</p>
      ) : (
        <>
          <p className="nums text-ink-2">
            value {dollars(position.valueMicros)}
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
