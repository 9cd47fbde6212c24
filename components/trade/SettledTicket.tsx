import { outcomeWord } from '#components/market/MarketResult.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { contracts, dollarsExact } from '#lib/format/money.ts';
import type { Ticket } from './useTicket.ts';

export function SettledTicket({ ticket }: { ticket: Ticket }) {
  const { market, positions, context } = ticket;
  if (context.marketStatus === 'unopened') {
    return <p className="text-14 text-ink-2">You can trade this market when it opens.</p>;
  }
  if (context.marketStatus === 'closed') {
    return (
      <p className="text-14 text-ink-2">
        Trading has ended. When the market resolves, each winning contract pays $1.00.
      </p>
    );
  }
  return (
    <Figures>
      <Figure label="Resolved">{outcomeWord(market.payoutYesMicros)}</Figure>
      {positions.map((position) => (
        <Figure
          key={position.side}
          label={`You hold ${contracts(position.contractMicros)} ${position.side === 'yes' ? 'Yes' : 'No'}`}
        >
          {dollarsExact(position.redeemableMicros ?? position.valueMicros)}
        </Figure>
      ))}
      {context.redeemableUsdcMicros > 0n && (
        <Figure label="You receive" strong>
          {dollarsExact(context.redeemableUsdcMicros)}
        </Figure>
      )}
    </Figures>
  );
}
