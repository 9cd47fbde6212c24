'use client';

import { MarketResult } from '#components/market/MarketResult.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { contracts, dollarsExact } from '#lib/format/money.ts';
import type { Ticket } from './useTicket.ts';

/** In place of the form, once a market has its result: how it ended and what it pays. */
export function SettledTicket({ ticket }: { ticket: Ticket }) {
  const { market, positions, context } = ticket;
  return (
    <Figures>
      <Figure label="Result">
        <MarketResult payoutYesMicros={market.payoutYesMicros} />
      </Figure>
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
