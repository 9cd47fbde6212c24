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

const COLUMNS = ['Contracts', 'Cost', 'Proceeds', 'P&L', 'Closed'];

/** Closed positions with their profit. */
export function ClosedList({ positions }: { positions: ClosedView[] }) {
  if (positions.length === 0) {
    return (
      <EmptyState
        title="No closed positions"
        link={{ href: '/portfolio', label: 'Open positions' }}
      >
        Positions you sell or redeem in full appear here with their realized P&L.
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
            <PositionCell label="Cost">
              <Amount>{dollars(position.costMicros)}</Amount>
            </PositionCell>
            <PositionCell label="Proceeds">
              <Amount>{dollars(position.proceedsMicros)}</Amount>
            </PositionCell>
            <PositionCell label="P&L">
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
