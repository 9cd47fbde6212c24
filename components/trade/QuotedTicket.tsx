import clsx from 'clsx';
import { PriceAge } from '#components/ui/Durations.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import {
  averagePriceMicros,
  breakEvenMicros,
  priceImpactMicros,
  profitIfRightMicros,
  saleProfitMicros,
  type TicketQuote,
  type TicketWarning,
  ticketWarnings,
} from '#lib/browser/trade/quote.ts';
import {
  centsRounded,
  chance,
  contracts,
  dollars,
  dollarsSigned,
  percentSigned,
} from '#lib/format/money.ts';
import { MICROS } from '#lib/money.ts';
import type { Ticket } from './useTicket.ts';

export function QuotedTicket({ ticket }: { ticket: Ticket }) {
  return (
    <>
      <TicketFigures ticket={ticket} />
      <TicketWarnings ticket={ticket} />
    </>
  );
}

/** The old and new price; nothing has happened until the user accepts it. */
export function PriceMoved({ ticket }: { ticket: Ticket }) {
  const { quote, order, fields } = ticket;
  if (!order.worseThan || !quote) return null;
  const verb = fields.form.action === 'buy' ? 'pay' : 'receive';
  return (
    <Notice tone="caution" title="The price has moved" live>
      You {verb} {dollars(quote.totalUsdcMicros)} instead of{' '}
      {dollars(order.worseThan.totalUsdcMicros)}. No order was placed.
    </Notice>
  );
}

/** The figures of the trade. Old figures stay, dimmed, until new ones load. */
function TicketFigures({ ticket }: { ticket: Ticket }) {
  const { quote, quoteLimit, settling } = ticket;
  const { form } = ticket.fields;
  if (!quote || quoteLimit === undefined || quote.contractMicros === 0n) return null;
  const side = form.side === 'yes' ? 'Yes' : 'No';
  const average = averagePriceMicros(quote, form.action);
  const profit = profitIfRightMicros(quote);
  const buying = form.action === 'buy';
  const impact = priceImpactMicros(quote, form.action);
  const breakEven = breakEvenMicros(quote);
  return (
    <section aria-label="Price" className={clsx('border-t pt-4', settling && 'stale')}>
      <Figures>
        <Figure label="Contracts">{contracts(quote.contractMicros)}</Figure>
        <Figure label="Avg price">{average === undefined ? '–' : centsRounded(average)}</Figure>
        {impact > 0n && <Figure label="Price impact">{centsRounded(impact)}</Figure>}
        <Figure label="Fee">{dollars(quote.feeUsdcMicros)}</Figure>
        <Figure label={buying ? 'You pay' : 'You receive'} strong>
          {dollars(quote.totalUsdcMicros)}
        </Figure>
        {!buying && <SaleProfit ticket={ticket} quote={quote} />}
        {buying && (
          <>
            <Figure label={`Profit if ${side}`}>
              {dollarsSigned(profit)}{' '}
              <span className="text-ink-3">({percentSigned(profit, quote.totalUsdcMicros)})</span>
            </Figure>
            {breakEven !== undefined && breakEven < MICROS && (
              <Figure label="Breakeven price">{chance(breakEven)}</Figure>
            )}
          </>
        )}
      </Figures>
      <p className="mt-3 flex justify-between gap-3 text-13 text-ink-3">
        <span className="nums">
          {buying ? 'Max cost' : 'Min proceeds'} {dollars(quoteLimit)}
        </span>
        <span>
          <PriceAge sinceMs={quote.atMs} />
        </span>
      </p>
      <p className="sr-only" aria-live="polite">
        {settling ? '' : `${buying ? 'You pay' : 'You receive'} ${dollars(quote.totalUsdcMicros)}`}
      </p>
    </section>
  );
}

/** The profit of a sale; undefined if part of the position was not bought here. */
function SaleProfit({ ticket, quote }: { ticket: Ticket; quote: TicketQuote }) {
  const { positions, fields } = ticket;
  const held = positions.find(({ side }) => side === fields.form.side);
  if (!held || held.averageCostMicros === null) return null;
  if (quote.contractMicros > held.contractMicros) return null;
  const profit = saleProfitMicros(quote, held.averageCostMicros);
  return (
    <Figure label="P&L on this sale">
      {dollarsSigned(profit)}{' '}
      <span className="text-ink-3">({percentSigned(profit, quote.totalUsdcMicros - profit)})</span>
    </Figure>
  );
}

/** Warnings before the order; none of them blocks it. */
function TicketWarnings({ ticket }: { ticket: Ticket }) {
  const { quote, context, settling } = ticket;
  if (!quote || settling || !quote.fillable) return null;
  const { action } = ticket.fields.form;
  const words: Record<TicketWarning, string> = {
    largeImpact: `High price impact: this order moves the price by ${centsRounded(priceImpactMicros(quote, action))}.`,
    largeShare: 'This order uses more than half of your cash.',
    hardlyPays: 'Even if you are right, the payout does not exceed the cost.',
  };
  return ticketWarnings(quote, action, context.cashMicros).map((warning) => (
    <Notice key={warning} tone="caution">
      {words[warning]}
    </Notice>
  ));
}
