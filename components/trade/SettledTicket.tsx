import { outcomeWord } from '#components/market/MarketResult.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { contractsRounded, dollarsDown } from '#lib/format/money.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { groupOf } from '#lib/portfolio/positionView.ts';
import { withMarket } from '#lib/portfolio/withMarket.ts';
import type { Ticket } from './useTicket.ts';

export function SettledTicket({ ticket }: { ticket: Ticket }) {
  const { market, positions, context } = ticket;
  if (context.marketStatus === 'unopened') {
    return <p className="text-14 text-ink-2">You can trade this market when it opens.</p>;
  }
  if (context.marketStatus === 'closed') {
    return (
      <p className="text-14 text-ink-2">
        Trading has ended. When the market resolves,{' '}
        {market.isScalar ? 'Yes and No share $1.00.' : 'each winning contract pays $1.00.'}
      </p>
    );
  }
  return (
    <Figures>
      <Figure label="Resolved">{outcomeWord(market)}</Figure>
      {positions.map((reported) => {
        const position = withMarket(reported, market);
        const verb = groupOf(position) === 'lost' ? 'held' : 'hold';
        return (
          <Figure
            key={position.side}
            label={`You ${verb} ${contractsRounded(position.contractMicros)} ${sideWord(position.side)}`}
          >
            {dollarsDown(position.redeemableMicros ?? position.valueMicros)}
          </Figure>
        );
      })}
      {context.redeemableUsdcMicros > 0n && (
        <Figure label="You receive" strong>
          {dollarsDown(context.redeemableUsdcMicros)}
        </Figure>
      )}
    </Figures>
  );
}
