import { AllOpenOrders } from '#components/order/AllOpenOrders.tsx';
import { OrderTable } from '#components/order/OrderTable.tsx';
import {
  HeldRow,
  PlainHeads,
  PositionRows,
  PositionTable,
} from '#components/portfolio/PositionList.tsx';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { Segmented } from '#components/ui/Segmented.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';

const TABS = [
  { value: 'positions', label: 'Positions' },
  { value: 'open', label: 'Open orders' },
  { value: 'orders', label: 'Orders' },
] as const;

export const HOLDINGS_ID = 'workspace-holdings';

export type HoldingsTab = (typeof TABS)[number]['value'];

type HoldingsPanelProps = { tab: HoldingsTab; onTab: (tab: HoldingsTab) => void };

/** Positions or orders of all markets; a row opens its market in the focused tile. */
export function HoldingsPanel({ tab, onTab }: HoldingsPanelProps) {
  return (
    <section
      id={HOLDINGS_ID}
      tabIndex={-1}
      aria-label="Positions and orders"
      className="[&_:is(td,th)]:py-1.5 relative h-[clamp(14rem,27dvh,22rem)] overflow-y-auto border-t px-4 pb-4"
    >
      <div className="sticky top-0 z-1 flex bg-paper py-2">
        <Segmented legend="Show" size="s" value={tab} onChange={onTab} options={TABS} />
      </div>
      {tab === 'positions' ? (
        <ConnectPrompt what="your positions">
          <Positions />
        </ConnectPrompt>
      ) : tab === 'open' ? (
        <ConnectPrompt what="your open orders">
          <AllOpenOrders />
        </ConnectPrompt>
      ) : (
        <OrderTable filter={ALL_ORDERS} />
      )}
    </section>
  );
}

const ALL_ORDERS = { type: 'all', status: 'any' } as const;

const COLUMNS = ['Contracts', 'Avg cost', 'Price', 'Value', 'P&L', 'Action'];

function Positions() {
  const positions = usePositions();
  if (!positions) return <div className="skeleton h-32" role="status" aria-label="Loading" />;
  if (positions.length === 0) {
    return <p className="text-14 text-ink-2">No positions yet. What you buy appears here.</p>;
  }
  return (
    <div className="[&_section>h2]:sr-only">
      <PositionTable title="Positions" heads={<PlainHeads columns={COLUMNS} />}>
        <PositionRows>
          {positions.map((position) => (
            <HeldRow key={position.tokenId} position={position} />
          ))}
        </PositionRows>
      </PositionTable>
    </div>
  );
}
