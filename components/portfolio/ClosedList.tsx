'use client';

import { buttonStyle } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Moment } from '#components/ui/Times.tsx';
import { contracts, dollars, dollarsSigned, percentSigned } from '#lib/format/money.ts';
import type { ClosedView } from '#lib/portfolio/closedView.ts';
import { Amount } from './Amount.tsx';
import { PhoneLabel, POSITION_CELL, PositionName, PositionTable } from './PositionTable.tsx';

const COLUMNS = ['Contracts', 'Paid', 'Brought', 'Profit', 'Closed'];

/** Positions that are over, with what each made. */
export function ClosedList({ positions }: { positions: ClosedView[] }) {
  if (positions.length === 0) {
    return (
      <EmptyState
        title="Nothing closed yet"
        action={
          <a href="/portfolio" className={buttonStyle('outline')}>
            What you hold
          </a>
        }
      >
        Positions that you sell or redeem in whole are listed here with what they made.
      </EmptyState>
    );
  }
  return (
    <PositionTable title="Closed" columns={COLUMNS}>
      {positions.map((position) => (
        <ClosedRow key={position.id} position={position} />
      ))}
    </PositionTable>
  );
}

function ClosedRow({ position }: { position: ClosedView }) {
  const { profitMicros: profit } = position;
  const tone = profit > 0n ? 'text-yes' : profit < 0n ? 'text-no' : 'text-ink-2';
  return (
    <tr className="border-b last:border-b-0 max-md:grid max-md:gap-1.5 max-md:px-4 max-md:py-4">
      <PositionName position={position} />
      <td className={POSITION_CELL}>
        <PhoneLabel>Contracts</PhoneLabel>
        <Amount>{contracts(position.contractMicros)}</Amount>
      </td>
      <td className={POSITION_CELL}>
        <PhoneLabel>Paid</PhoneLabel>
        <Amount>{dollars(position.costMicros)}</Amount>
      </td>
      <td className={POSITION_CELL}>
        <PhoneLabel>Brought</PhoneLabel>
        <Amount>{dollars(position.proceedsMicros)}</Amount>
      </td>
      <td className={POSITION_CELL}>
        <PhoneLabel>Profit</PhoneLabel>
        <span className={tone}>
          <Amount>{dollarsSigned(profit)}</Amount>{' '}
          <span className="text-[13px]">{percentSigned(profit, position.costMicros)}</span>
        </span>
      </td>
      <td className={`${POSITION_CELL} whitespace-nowrap text-ink-3`}>
        <PhoneLabel>Closed</PhoneLabel>
        {position.closedAt ? <Moment at={position.closedAt} format="date" /> : '–'}
      </td>
    </tr>
  );
}
