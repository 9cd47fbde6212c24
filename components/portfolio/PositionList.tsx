'use client';

import { cents, centsRounded, contracts, dollars } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { Amount } from './Amount.tsx';
import { PnL } from './PnL.tsx';
import { PositionAction } from './PositionAction.tsx';
import { PhoneLabel, POSITION_CELL, PositionName, PositionTable } from './PositionTable.tsx';

type PositionListProps = { title: string; positions: PositionView[] };

const COLUMNS = ['Contracts', 'Average cost', 'Now', 'Value', 'Profit'];

/** Positions with what each cost and what it would bring now. */
export function PositionList({ title, positions }: PositionListProps) {
  return (
    <PositionTable title={title} columns={COLUMNS} hasActions>
      {positions.map((position) => (
        <PositionRow key={position.tokenId} position={position} />
      ))}
    </PositionTable>
  );
}

function PositionRow({ position }: { position: PositionView }) {
  const settled = position.status === 'settled';
  return (
    <tr className="border-b last:border-b-0 max-md:grid max-md:gap-1.5 max-md:px-4 max-md:py-4">
      <PositionName position={position} />
      <td className={POSITION_CELL}>
        <PhoneLabel>Contracts</PhoneLabel>
        <Amount>{contracts(position.contractMicros)}</Amount>
      </td>
      <td className={POSITION_CELL}>
        <PhoneLabel>Average cost</PhoneLabel>
        {position.averageCostMicros === null ? '–' : centsRounded(position.averageCostMicros)}
      </td>
      <td className={POSITION_CELL}>
        <PhoneLabel>{settled ? 'Pays' : 'Now'}</PhoneLabel>
        {cents(position.priceMicros)}
      </td>
      <td className={POSITION_CELL}>
        <PhoneLabel>Value</PhoneLabel>
        <Amount>{dollars(position.valueMicros)}</Amount>
      </td>
      <td className={POSITION_CELL}>
        <PhoneLabel>Profit</PhoneLabel>
        <PnL position={position} />
      </td>
      <td className="px-4 py-3 text-right max-md:px-0 max-md:pt-2 max-md:pb-0">
        <PositionAction position={position} />
      </td>
    </tr>
  );
}
