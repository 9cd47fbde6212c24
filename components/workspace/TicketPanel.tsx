import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { TradeTicket } from '#components/trade/TradeTicket.tsx';
import { marketQuery } from '#lib/browser/queries/markets.ts';
import { marketViewOf } from '#lib/market/convertMarket.ts';

export const TICKET_ID = 'workspace-ticket';

/** What a link to a market asks for, such as selling Yes. */
export type TicketStart = { ticker: string; side: 'yes' | 'no'; action: 'buy' | 'sell' };

const BUY_YES = { side: 'yes', action: 'buy' } as const;

type TicketPanelProps = { ticker: string | undefined; start: TicketStart | undefined };

/** The ticket of the focused market. */
export function TicketPanel({ ticker, start }: TicketPanelProps) {
  return (
    <section
      id={TICKET_ID}
      aria-label="Ticket"
      className="w-[22rem] shrink-0 overflow-y-auto border-l bg-surface p-5"
    >
      {ticker === undefined ? (
        <p className="text-14 text-ink-2">Choose a market to trade it here.</p>
      ) : (
        <MarketTicket ticker={ticker} start={start?.ticker === ticker ? start : BUY_YES} />
      )}
    </section>
  );
}

type MarketTicketProps = { ticker: string; start: Omit<TicketStart, 'ticker'> };

function MarketTicket({ ticker, start }: MarketTicketProps) {
  const { api } = useApp();
  const { data } = useQuery(marketQuery(api, ticker));
  if (!data) return <div className="skeleton h-96" role="status" aria-label="Loading" />;
  const market = marketViewOf(data.market);
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
export function goToTicket(action: 'buy' | 'sell'): void {
  const ticket = document.getElementById(TICKET_ID);
  const [buy, sell] = ticket?.querySelectorAll<HTMLInputElement>('input[type="radio"]') ?? [];
  (action === 'buy' ? buy : sell)?.click();
  ticket?.querySelector<HTMLInputElement>('input[inputmode="decimal"]')?.focus();
}
