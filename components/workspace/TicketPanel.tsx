import { Suspense, useEffect, useRef } from 'react';
import { type TicketHandle, TradeTicket } from '#components/trade/TradeTicket.tsx';
import { useTileMarket } from './useTileMarket.ts';

export const TICKET_ID = 'workspace-ticket';

/** What a link to a market asks for, such as selling Yes. */
export type TicketStart = { ticker: string; side: 'yes' | 'no'; action: 'buy' | 'sell' };

const BUY_YES = { side: 'yes', action: 'buy' } as const;

/** What a key asks for: a buy, of the ticket's side unless it names one, or a sale. */
export type TicketGoal = { action: 'buy'; side?: 'yes' | 'no' } | { action: 'sell' };

type TicketPanelProps = {
  ticker: string | undefined;
  start: TicketStart | undefined;
  /** What the ticket enters when it opens. */
  goal: TicketGoal | undefined;
  onReached: () => void;
};

/** The ticket of the focused market. */
export function TicketPanel({ ticker, start, ...aim }: TicketPanelProps) {
  return (
    <section
      id={TICKET_ID}
      aria-label="Ticket"
      className="relative w-[22rem] shrink-0 overflow-y-auto border-l bg-surface p-5"
    >
      {ticker === undefined ? (
        <p className="text-14 text-ink-2">Choose a market to trade it here.</p>
      ) : (
        <Suspense fallback={LOADING}>
          <MarketTicket
            ticker={ticker}
            start={start?.ticker === ticker ? start : BUY_YES}
            {...aim}
          />
        </Suspense>
      )}
    </section>
  );
}

const LOADING = <div className="skeleton h-96" role="status" aria-label="Loading" />;

type MarketTicketProps = Pick<TicketPanelProps, 'goal' | 'onReached'> & {
  ticker: string;
  start: Omit<TicketStart, 'ticker'>;
};

function MarketTicket({ ticker, start, goal, onReached }: MarketTicketProps) {
  const { market } = useTileMarket(ticker);
  const ticket = useRef<TicketHandle>(null);
  const panel = useRef<HTMLDivElement>(null);
  const isLoaded = market !== undefined;
  useEffect(() => {
    if (!isLoaded || goal === undefined) return;
    if (goal.action === 'buy') ticket.current?.buy(goal.side);
    else ticket.current?.sell();
    panel.current?.querySelector<HTMLInputElement>('input[inputmode="decimal"]')?.focus();
    onReached();
  }, [isLoaded, goal, onReached]);
  if (!market) return LOADING;
  return (
    <div ref={panel}>
      <h2 className="wrap-anywhere font-semibold text-17">{market.label}</h2>
      <p className="mb-4 line-clamp-2 text-13 text-ink-3">
        {market.title !== market.label && market.title}
      </p>
      <TradeTicket
        key={`${ticker} ${start.side} ${start.action}`}
        ref={ticket}
        market={market}
        initial={start}
      />
    </div>
  );
}
