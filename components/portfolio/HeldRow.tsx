'use client';

import { cents, centsRounded, contracts, dollars } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { Amount } from './Amount.tsx';
import { PnL } from './PnL.tsx';
import { PositionAction } from './PositionAction.tsx';
import { PositionCell, PositionRow } from './PositionTable.tsx';

type HeldRowProps = {
  position: PositionView;
  /** The market's name in this row; its title by default. */
  words?: { name: string; subtitle: string };
};

/** A position with its cost and current value. */
export function HeldRow({ position, words }: HeldRowProps) {
  return (
    <PositionRow
      position={{ ...position, ...words }}
      note={
        position.status !== 'settled' && (
          <>
            max payout <Amount>{dollars(position.contractMicros)}</Amount>
          </>
        )
      }
    >
      <PositionCell label="Contracts">
        <Amount>{contracts(position.contractMicros)}</Amount>
      </PositionCell>
      <PositionCell label="Avg cost">
        {position.averageCostMicros === null ? '–' : centsRounded(position.averageCostMicros)}
      </PositionCell>
      <PositionCell label={position.status === 'settled' ? 'Payout' : 'Price'}>
        {position.isUnpriced ? '–' : cents(position.priceMicros)}
        {position.isLastPrice && (
          <span className="block whitespace-nowrap text-12 text-ink-3">last price</span>
        )}
      </PositionCell>
      <PositionCell label="Value">
        {position.isUnpriced ? '–' : <Amount>{dollars(position.valueMicros)}</Amount>}
      </PositionCell>
      <PositionCell label="P&L">
        <PnL {...position} />
      </PositionCell>
      <td className="py-3 pr-4 pl-2 text-right lg:pl-4 max-md:self-end max-md:p-0">
        <PositionAction position={position} />
      </td>
    </PositionRow>
  );
}
