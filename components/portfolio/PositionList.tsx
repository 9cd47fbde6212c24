import type { PositionView } from '#lib/portfolio/positionView.ts';
import { HeldRow } from './HeldRow.tsx';
import { PositionRows, PositionTable } from './PositionTable.tsx';
import type { PortfolioFilter } from './portfolioFilter.ts';
import { SortHeads } from './SortHeads.tsx';

type PositionListProps = { title: string; positions: PositionView[]; filter: PortfolioFilter };

/** Held positions under one title. */
export function PositionList({ title, positions, filter }: PositionListProps) {
  return (
    <PositionTable title={title} heads={<SortHeads filter={filter} />}>
      <PositionRows>
        {positions.map((position) => (
          <HeldRow key={position.tokenId} position={position} />
        ))}
      </PositionRows>
    </PositionTable>
  );
}
