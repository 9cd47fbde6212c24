import type { ShareCardContent } from '#app/_share/shareCard.tsx';
import { cents, centsRounded, contracts, estimate, percentSigned } from '#lib/format/money.ts';
import { impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { MICROS } from '#lib/money.ts';
import type { SharedPosition } from '#lib/share/sharedPosition.ts';

/**
 * The picture of a shared position. Chance, value and profit come from the service's own prices;
 * what the link states is named as the trader's, so a changed link changes no figure of ours unseen.
 */
export function positionCard(
  market: MarketView,
  category: string,
  shared: SharedPosition,
): ShareCardContent {
  const stated = statedOf(shared);
  return {
    eyebrow: category,
    title: market.title,
    detail: market.label === market.title ? undefined : market.label,
    lines: [
      {
        label: shared.kind === 'sold' ? 'sold' : 'my position',
        value: shared.side === 'yes' ? 'Yes' : 'No',
        tone: shared.side,
      },
      ...profitOf(market, shared),
      worthOf(market, shared),
    ],
    note: `Stated by the trader: ${stated}. Not checked by Crossbook.`,
  };
}

function statedOf({ side, kind, priceMicros, contractMicros }: SharedPosition): string {
  const quantity = contractMicros === undefined ? '' : `${contracts(contractMicros)} `;
  const price = priceMicros === undefined ? '' : ` at ${centsRounded(priceMicros)}`;
  const verb = kind === 'sold' ? 'sold' : 'bought';
  return `${verb} ${quantity}${side === 'yes' ? 'Yes' : 'No'}${price}`;
}

/** A sale's profit would need its cost, which the link does not carry. */
function profitOf(market: MarketView, shared: SharedPosition): ShareCardContent['lines'] {
  const { kind, priceMicros } = shared;
  const worth = worthMicros(market, shared.side);
  if (kind === 'sold' || priceMicros === undefined || worth === null) return [];
  const value = percentSigned(worth - priceMicros, priceMicros);
  if (value === undefined) return [];
  return [{ label: 'profit', value, tone: worth < priceMicros ? 'no' : 'yes' }];
}

/** The payout once settled, else the price at which the side sells now. */
function worthMicros(market: MarketView, side: SharedPosition['side']): bigint | null {
  const { payoutYesMicros } = market;
  if (payoutYesMicros !== null) return side === 'yes' ? payoutYesMicros : MICROS - payoutYesMicros;
  return side === 'yes' ? market.yesBidMicros : market.noBidMicros;
}

function worthOf(market: MarketView, { side }: SharedPosition): ShareCardContent['lines'][number] {
  if (market.payoutYesMicros !== null) {
    return { label: 'paid per contract', value: cents(worthMicros(market, side) ?? 0n) };
  }
  const implied = impliedChance(market);
  return {
    label: `${market.isScalar ? 'expected payout' : 'chance'} of Yes now`,
    value: implied === null ? '–' : estimate(market, implied),
  };
}
