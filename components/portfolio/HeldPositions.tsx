'use client';

import dynamic from 'next/dynamic';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { withoutSmall } from '#lib/browser/portfolio/smallPositions.ts';
import { sortPositions } from '#lib/portfolio/positionOrder.ts';
import { groupOf, type PositionGroup, type PositionView } from '#lib/portfolio/positionView.ts';
import { PositionList } from './PositionList.tsx';
import { type PortfolioFilter, portfolioHref } from './portfolioFilter.ts';

// Few visitors group by event: the code for it loads with that list.
const EventList = dynamic(() => import('./EventList.tsx').then((m) => m.EventList));

const GROUPS: readonly { group: PositionGroup; title: string }[] = [
  { group: 'redeemable', title: 'Won' },
  { group: 'open', title: 'Positions' },
  { group: 'awaiting', title: 'Awaiting result' },
  { group: 'lost', title: 'Lost' },
];

type HeldPositionsProps = { positions: PositionView[]; filter: PortfolioFilter };

/** Held positions, sorted, grouped and filtered by the URL. */
export function HeldPositions({ positions, filter }: HeldPositionsProps) {
  if (positions.length === 0) {
    return (
      <EmptyState
        title="No positions"
        link={{ href: '/', label: 'Find a market', tone: 'primary' }}
      >
        Your positions appear here with their cost and current value.
      </EmptyState>
    );
  }
  const listed = filter.small === 'hidden' ? withoutSmall(positions).positions : positions;
  if (listed.length === 0) {
    return (
      <EmptyState
        title="All positions hidden"
        link={{ href: portfolioHref(filter, { small: 'shown' }), label: 'Show all positions' }}
      >
        All positions are worth less than 1¢ and hidden.
      </EmptyState>
    );
  }
  const sorted = sortPositions(listed, filter);
  if (filter.group === 'event') return <EventList positions={sorted} filter={filter} />;
  return GROUPS.map(({ group, title }) => {
    const members = sorted.filter((position) => groupOf(position) === group);
    return (
      members.length > 0 && (
        <PositionList key={group} title={title} positions={members} filter={filter} />
      )
    );
  });
}
