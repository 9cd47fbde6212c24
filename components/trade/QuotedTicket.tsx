import clsx from 'clsx';
import { useEffect, useState } from 'react';
import { PriceAge } from '#components/ui/Durations.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import {
  isFillable,
  payoutMicros,
  type TicketQuote,
  type TradeSide,
} from '#lib/browser/trade/quote.ts';
import {
  averagePriceMicros,
  breakEvenMicros,
  priceImpactMicros,
  profitIfRightMicros,
  saleProfitMicros,
  type TicketWarning,
  ticketWarnings,
} from '#lib/browser/trade/quoteFigures.ts';
import { contractsOf } from '#lib/format/contractsOf.ts';
import {
  centsRounded,
  chance,
  contracts,
  dollars,
  dollarsSigned,
  percentSigned,
} from '#lib/format/money.ts';
import { impliedChance } from '#lib/market/marketView.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { ofSide } from '#lib/market/worthNow.ts';
import { costMicros, MICROS } from '#lib/money.ts';
import type { Ticket } from './useTicket.ts';

export function QuotedTicket({ ticket }: { ticket: Ticket }) {
  return (
    <>
      <TicketFigures ticket={ticket} />
      <TicketWarnings ticket={ticket} />
    </>
  );
}

/** Above the button: what the next press does, when the price or the order needs a second look. */
export function OrderCheck({ ticket }: { ticket: Ticket }) {
  const { quote, quoteLimit, order, fields, reason } = ticket;
  const { phase } = order;
  if (!quote || quoteLimit === undefined) return null;
  const buying = fields.form.action === 'buy';
  if (phase.at === 'worse') {
    const price = (one: TicketQuote) =>
      centsRounded(averagePriceMicros(one, fields.form.action) ?? 0n);
    return (
      <Notice tone="caution" title="The price has moved" live>
        From {price(phase.than)} to {price(quote)} on average.{' '}
        {paidInstead(phase.than, quote, buying)}. No order was placed.
      </Notice>
    );
  }
  if (phase.at !== 'confirming' || reason !== 'place' || fields.form.onePress) return null;
  return (
    <div className="flex items-center justify-between gap-3 text-14">
      <p className="nums text-ink-2" role="status">
        {buying ? 'You pay at most' : 'You receive at least'} <b>{dollars(quoteLimit)}</b>
        {ticket.context.limit && ' once filled'}, fee included.
      </p>
      <button
        type="button"
        onClick={order.back}
        className="min-h-11 shrink-0 rounded-sm px-2 text-ink-2 underline underline-offset-4 hover:text-ink md:min-h-9"
      >
        Back
      </button>
    </div>
  );
}

function paidInstead(than: TicketQuote, now: TicketQuote, buying: boolean): string {
  return now.capUsdcMicros === undefined
    ? `You ${buying ? 'pay' : 'receive'} ${dollars(now.totalUsdcMicros)} instead of ${dollars(than.totalUsdcMicros)}`
    : `You get ${contracts(now.contractMicros)} contracts instead of ${contracts(than.contractMicros)}`;
}

/** Less is shown as nothing. */
const SHOWN_IMPACT_MICROS = 500n;

/** The figures of the trade. Old figures stay, dimmed, until new ones load. */
function TicketFigures({ ticket }: { ticket: Ticket }) {
  const { quote, quoteLimit, settling } = ticket;
  const { form } = ticket.fields;
  if (!quote || quoteLimit === undefined || quote.contractMicros === 0n) return null;
  const average = averagePriceMicros(quote, form.action);
  const buying = form.action === 'buy';
  const impact = priceImpactMicros(quote, form.action);
  return (
    <section aria-label="Price" className={clsx('border-t pt-4', settling && 'stale')}>
      <Figures>
        <Figure label="Contracts">{contracts(quote.contractMicros)}</Figure>
        <Figure label="Avg price">
          {average === undefined ? (
            '–'
          ) : (
            <ChangingPrice
              // Another amount has another price: only the same one changes.
              key={settling ? 'settling' : ticket.askKey}
              micros={average}
              buying={buying}
            />
          )}
        </Figure>
        {impact >= SHOWN_IMPACT_MICROS && (
          <Figure label="Price impact">{centsRounded(impact)}</Figure>
        )}
        <Figure label="Fee">{dollars(quote.feeUsdcMicros)}</Figure>
        <Figure label={buying ? 'You pay' : 'You receive'} strong>
          {dollars(quote.totalUsdcMicros)}
        </Figure>
        {!buying && <SaleProfit ticket={ticket} quote={quote} />}
        {buying &&
          (ticket.market.isScalar ? (
            <ScalarOutlook ticket={ticket} quote={quote} />
          ) : (
            <BinaryOutlook side={form.side} quote={quote} />
          ))}
      </Figures>
      <p className="mt-3 flex justify-between gap-3 text-13 text-ink-3">
        <span className="nums">
          {quote.capUsdcMicros !== undefined
            ? `Never more than ${dollars(quoteLimit)}`
            : `${buying ? 'Max cost' : 'Min proceeds'} ${dollars(quoteLimit)}`}
        </span>
        <span>
          <PriceAge sinceMs={quote.atMs} />
        </span>
      </p>
      <p className="sr-only" aria-live="polite">
        {settling
          ? ''
          : `${buying ? 'You pay' : 'You receive'} ${dollars(quote.totalUsdcMicros)} for ${contractsOf(quote.contractMicros)}`}
      </p>
    </section>
  );
}

function BinaryOutlook({ side, quote }: { side: TradeSide; quote: TicketQuote }) {
  const profit = profitIfRightMicros(quote);
  const breakEven = breakEvenMicros(quote);
  return (
    <>
      <Figure label={`Profit if ${sideWord(side)}`}>
        {dollarsSigned(profit)}{' '}
        <span className="text-ink-3">({percentSigned(profit, quote.totalUsdcMicros)})</span>
      </Figure>
      {breakEven !== undefined && breakEven < MICROS && (
        <Figure label="Breakeven chance">{chance(breakEven)}</Figure>
      )}
    </>
  );
}

/** Each contract pays a share of a dollar: a chance or a win would say something else. */
function ScalarOutlook({ ticket, quote }: { ticket: Ticket; quote: TicketQuote }) {
  const implied = impliedChance(ticket.market);
  const breakEven = breakEvenMicros(quote);
  return (
    <>
      {implied !== null && (
        <Figure label="Expected payout">
          {dollars(
            costMicros(quote.contractMicros, ofSide(implied, ticket.fields.form.side), 'nearest'),
          )}
        </Figure>
      )}
      <Figure label="Highest payout">{dollars(payoutMicros(quote))}</Figure>
      {breakEven !== undefined && breakEven < MICROS && (
        <Figure label="Breakeven payout">{centsRounded(breakEven)} per contract</Figure>
      )}
    </>
  );
}

const CHANGE_SHOWN_MS = 4_000;

/** A price that shows its last change for a while: old, arrow, new. */
function ChangingPrice({ micros, buying }: { micros: bigint; buying: boolean }) {
  const [change, setChange] = useState<{ from?: bigint; to: bigint }>({ to: micros });
  if (change.to !== micros) setChange({ from: change.to, to: micros });
  const { from } = change;
  useEffect(() => {
    if (from === undefined) return;
    const timer = setTimeout(() => setChange({ to: micros }), CHANGE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [from, micros]);
  if (from === undefined) return centsRounded(micros);
  const isUp = micros > from;
  return (
    <span className="price-flash" data-worse={isUp === buying} data-testid="price-change">
      <s className="text-ink-3">{centsRounded(from)}</s>{' '}
      <span className={isUp === buying ? 'text-no' : 'text-yes'}>
        <span aria-hidden className="moved" data-down={!isUp || undefined} />
        <span className="sr-only">{isUp ? 'up to' : 'down to'}</span> {centsRounded(micros)}
      </span>
    </span>
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
  if (!quote || settling || !isFillable(quote)) return null;
  const { action } = ticket.fields.form;
  const words: Record<TicketWarning, string> = {
    largeImpact: `High price impact: this order moves the price by ${centsRounded(priceImpactMicros(quote, action))}.`,
    largeShare: 'This order uses more than half of your cash.',
    hardlyPays: ticket.market.isScalar
      ? 'Even the highest payout does not exceed the cost.'
      : 'Even if you are right, the payout does not exceed the cost.',
  };
  return (
    <>
      {!quote.fillable && (
        <Notice tone="caution">
          Only {dollars(quote.totalUsdcMicros)} can be filled right now. The rest stays in your
          account.
        </Notice>
      )}
      {ticketWarnings(quote, action, context.cashMicros).map((warning) => (
        <Notice key={warning} tone="caution">
          {words[warning]}
        </Notice>
      ))}
    </>
  );
}
