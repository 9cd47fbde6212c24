import dynamic from 'next/dynamic';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { typedPrice } from '#lib/browser/trade/limitPrice.ts';
import { outlookWords, stopWords } from '#lib/browser/trade/limitWords.ts';
import { profitIfRightMicros } from '#lib/browser/trade/quoteFigures.ts';
import {
  cents,
  contracts,
  dollars,
  dollarsDown,
  dollarsSigned,
  percentSigned,
} from '#lib/format/money.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { LimitOptions } from './LimitOptions.tsx';
import { PriceStepper } from './PriceStepper.tsx';
import { StopFields, StopType } from './StopFields.tsx';
import { TicketAmount, TicketPayout } from './TicketAmount.tsx';
import { asksForGrant, TicketFooter, TicketGrant } from './TicketFooter.tsx';
import { TicketFrame } from './TicketFrame.tsx';
import { useLimitOptions } from './useLimitOptions.ts';
import { type LimitTicketState, useLimitTicket } from './useLimitTicket.ts';
import type { Ticket } from './useTicket.ts';

const CallList = dynamic(() => import('./CallList.tsx').then((m) => m.CallList), { ssr: false });

type LimitTicketProps = {
  ticket: Ticket;
  /** Chosen in the book. */
  picked: { priceText: string; count: number } | undefined;
  /** Whether it waits for a price before it goes to the exchange. */
  isStop: boolean;
};

/** Price, amount and terms of an order that may rest. */
export function LimitTicket({ ticket, picked, isStop }: LimitTicketProps) {
  const options = useLimitOptions();
  const { action, side } = ticket.fields.form;
  return (
    <LimitOrder
      // Another outcome or direction has another price, and is another order.
      key={`${action} ${side} ${picked?.count} ${isStop}`}
      ticket={ticket}
      options={options}
      pickedText={picked?.priceText}
      isStop={isStop}
    />
  );
}

type LimitOrderProps = {
  ticket: Ticket;
  options: ReturnType<typeof useLimitOptions>;
  pickedText: string | undefined;
  isStop: boolean;
};

function LimitOrder({ ticket: base, options, pickedText, isStop }: LimitOrderProps) {
  const limit = useLimitTicket(base, options, pickedText, isStop);
  const { ticket, text, grid, type, trigger, isMarket } = limit;
  return (
    <TicketFrame ticket={ticket}>
      {trigger && (
        <>
          <StopFields trigger={trigger} grid={grid} />
          <StopType limit={limit} worstMicros={trigger.limitMicros} />
        </>
      )}
      {!isMarket && (
        <PriceStepper label="Limit price" text={text} grid={grid} onChange={type}>
          {!trigger && <Shortcuts limit={limit} />}
        </PriceStepper>
      )}
      <TicketAmount ticket={ticket} />
      {!asksForGrant(ticket) && (
        <>
          <TicketPayout ticket={ticket} />
          <LimitFigures limit={limit} />
        </>
      )}
      <LimitOptions limit={limit} />
      {ticket.order.prepared && (
        <CallList
          key={ticket.order.prepared.id}
          order={ticket.order.prepared}
          progress={ticket.order.progress}
        />
      )}
      <TicketGrant ticket={ticket} />
      <TicketFooter ticket={ticket} />
    </TicketFrame>
  );
}

/** The prices of the moment, each of which a press takes over. */
function Shortcuts({ limit: { shortcuts, type } }: { limit: LimitTicketState }) {
  const { bid, middle, ask } = shortcuts;
  const prices = [
    { name: 'Bid', micros: bid },
    { name: 'Mid', micros: middle },
    { name: 'Ask', micros: ask },
  ];
  return (
    <div className="nums flex text-13">
      {prices.map(({ name, micros }) => (
        <button
          key={name}
          type="button"
          disabled={micros === undefined}
          onClick={() => micros !== undefined && type(typedPrice(micros))}
          className="min-h-11 rounded-sm px-1.5 text-ink-2 hover:bg-sunken hover:text-ink disabled:text-ink-3 md:min-h-8"
        >
          {name} {micros === undefined ? '–' : cents(micros)}
        </button>
      ))}
    </div>
  );
}

function LimitFigures({ limit }: { limit: LimitTicketState }) {
  const { ticket, terms, outlook, trigger, isMarket } = limit;
  const { quote, fields } = ticket;
  const { action, side } = fields.form;
  if (!quote || quote.contractMicros === 0n) return null;
  const profit = profitIfRightMicros(quote);
  const words =
    trigger?.state === 'ok'
      ? stopWords(action, trigger, { limitMicros: terms.priceMicros, isMarket })
      : outlook && outlookWords(terms, outlook);
  return (
    <section aria-label="Order" className="border-t pt-4">
      {words && (
        <p
          className="nums mb-3 min-h-10 text-14 text-ink-2"
          aria-live="polite"
          data-testid="limit-outlook"
        >
          {words}
        </p>
      )}
      <Figures>
        {fields.form.askedUnit === 'dollars' && (
          <Figure label={isMarket ? 'Contracts at least' : 'Contracts'}>
            {contracts(quote.contractMicros)}
          </Figure>
        )}
        <Figure label="Highest fee">{dollars(quote.feeUsdcMicros)}</Figure>
        {action === 'buy' ? (
          <>
            <Figure label="Locked until filled" strong>
              {dollars(quote.totalUsdcMicros)}
            </Figure>
            {!ticket.market.isScalar && (
              <Figure label={`Profit if ${sideWord(side)}`}>
                {dollarsSigned(profit)}{' '}
                <span className="text-ink-3">({percentSigned(profit, quote.totalUsdcMicros)})</span>
              </Figure>
            )}
          </>
        ) : (
          <>
            <Figure label="Locked until filled" strong>
              {contracts(quote.contractMicros)} {sideWord(side)}
            </Figure>
            <Figure label="You receive at least">{dollarsDown(quote.totalUsdcMicros)}</Figure>
          </>
        )}
      </Figures>
    </section>
  );
}
