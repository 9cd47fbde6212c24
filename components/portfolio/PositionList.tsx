'use client';

import { cents, centsRounded, contracts, dollars } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { Amount } from './Amount.tsx';
import { PnL } from './PnL.tsx';
import { PositionAction } from './PositionAction.tsx';
import { PositionCell, PositionRow, PositionTable } from './PositionTable.tsx';

type PositionListProps = { title: string; positions: PositionView[] };

const COLUMNS = ['Contracts', 'Average cost', 'Now', 'Value', 'Profit'];

/** Positions with what each cost and what it would bring now. */
export function PositionList({ title, positions }: PositionListProps) {
  return (
    <PositionTable title={title} columns={COLUMNS} hasActions>
      {positions.map((position) => (
        <PositionRow key={position.tokenId} position={position}>
          <PositionCell label="Contracts">
            <Amount>{contracts(position.contractMicros)}</Amount>
          </PositionCell>
          <PositionCell label="Average cost">
            {position.averageCostMicros === null ? '–' : centsRounded(position.averageCostMicros)}
          </PositionCell>
          <PositionCell label={position.status === 'settled' ? 'Pays' : 'Now'}>
            {cents(position.priceMicros)}
          </PositionCell>
          <PositionCell label="Value">
            <Amount>{dollars(position.valueMicros)}</Amount>
          </PositionCell>
          <PositionCell label="Profit">
            <PnL {...position} />
          </PositionCell>
          <td className="px-4 py-3 text-right max-md:px-0 max-md:pt-2 max-md:pb-0">
            <PositionAction position={position} />
          </td>
        </PositionRow>
      ))}
    </PositionTable>
  );
}
