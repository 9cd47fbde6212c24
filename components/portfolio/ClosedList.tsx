'use client';

import { EmptyState } from '#components/ui/EmptyState.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { ClosedView } from '#lib/browser/portfolio/closedView.ts';
import { contracts, dollars } from '#lib/format/money.ts';
import { Amount } from './Amount.tsx';
import { PnL } from './PnL.tsx';
import {
  PlainHeads,
  PositionCell,
  PositionRow,
  PositionRows,
  PositionTable,
} from './PositionTable.tsx';

const COLUMNS = ['Contracts', 'Paid', 'Brought', 'Profit', 'Closed'];

/** Positions that are over, with what each made. */
export function ClosedList({ positions }: { positions: ClosedView[] }) {
  if (positions.length === 0) {
    return (
      <EmptyState title="Nothing closed yet" link={{ href: '/portfolio', label: 'What you hold' }}>
        Positions that you sell or redeem in whole are listed here with what they made.
      </EmptyState>
    );
  }
  return (
    <PositionTable title="Closed" heads={<PlainHeads columns={COLUMNS} />}>
      <PositionRows>
        {positions.map((position) => (
          <PositionRow key={position.id} position={position}>
            <PositionCell label="Contracts">
              <Amount>{contracts(position.contractMicros)}</Amount>
            </PositionCell>
            <PositionCell label="Paid">
              <Amount>{dollars(position.costMicros)}</Amount>
            </PositionCell>
            <PositionCell label="Brought">
              <Amount>{dollars(position.proceedsMicros)}</Amount>
            </PositionCell>
            <PositionCell label="Profit">
              <PnL {...position} />
            </PositionCell>
            <PositionCell label="Closed">
              <span className="whitespace-nowrap text-ink-3">
                {position.closedAt ? <LocalTime at={position.closedAt} format="date" /> : '–'}
              </span>
            </PositionCell>
          </PositionRow>
        ))}
      </PositionRows>
    </PositionTable>
  );
}
