import { useEffect } from 'react';
import { TradeTicket } from '#components/trade/TradeTicket.tsx';
import { useTileMarket } from './useTileMarket.ts';

export const TICKET_ID = 'workspace-ticket';

/** What a link to a market asks for, such as selling Yes. */
export type TicketStart = { ticker: string; side: 'yes' | 'no'; action: 'buy' | 'sell' };

const BUY_YES = { side: 'yes', action: 'buy' } as const;

type TicketPanelProps = {
  ticker: string | undefined;
  start: TicketStart | undefined;
  /** Goes to the amount of a buy or a sale as soon as the ticket is there. */
  goal: TicketStart['action'] | undefined;
  onReached: () => void;
};

/** The ticket of the focused market. */
export function TicketPanel({ ticker, start, ...aim }: TicketPanelProps) {
  return (
    <section
      id={TICKET_ID}
      aria-label="Ticket"
      className="w-[22rem] shrink-0 overflow-y-auto border-l bg-surface p-5"
    >
      {ticker === undefined ? (
        <p className="text-14 text-ink-2">Choose a market to trade it here.</p>
      ) : (
        <MarketTicket ticker={ticker} start={start?.ticker === ticker ? start : BUY_YES} {...aim} />
      )}
    </section>
  );
}

type MarketTicketProps = Pick<TicketPanelProps, 'goal' | 'onReached'> & {
  ticker: string;
  start: Omit<TicketStart, 'ticker'>;
};

function MarketTicket({ ticker, start, goal, onReached }: MarketTicketProps) {
  const { market } = useTileMarket(ticker);
  const isLoaded = market !== undefined;
  useEffect(() => {
    if (!isLoaded || goal === undefined) return;
    goToTicket(goal);
    onReached();
  }, [isLoaded, goal, onReached]);
  if (!market) return <div className="skeleton h-96" role="status" aria-label="Loading" />;
  return (
    <>
      <h2 className="wrap-anywhere font-semibold text-17">{market.label}</h2>
      <p className="mb-4 line-clamp-2 text-13 text-ink-3">
        {market.title !== market.label && market.title}
      </p>
      <TradeTicket
        key={`${ticker} ${start.side} ${start.action}`}
        market={market}
        initial={start}
      />
    </>
  );
}

/** Presses the ticket's own control, so that typed input is kept, and goes to the amount. */
function goToTicket(action: TicketStart['action']): void {
  const ticket = document.getElementById(TICKET_ID);
  const [buy, sell] = ticket?.querySelectorAll<HTMLInputElement>('input[type="radio"]') ?? [];
  (action === 'buy' ? buy : sell)?.click();
  ticket?.querySelector<HTMLInputElement>('input[inputmode="decimal"]')?.focus();
}
