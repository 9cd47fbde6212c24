import type { PositionPicture } from '#app/_share/positionPicture.tsx';
import { cents, centsRounded, contractsRounded } from '#lib/format/money.ts';
import type { MarketView } from '#lib/market/marketView.ts';
import { outcomeOf, sideWord } from '#lib/market/outcomeName.ts';
import { divide, MICROS } from '#lib/money.ts';
import type { SharedPosition } from '#lib/share/sharedPosition.ts';

/**
 * The picture of a shared position. Value and profit come from the service's own prices; what the
 * link states is named as the trader's, so a changed link changes no figure of ours unseen.
 */
export function positionCard(
  market: MarketView,
  category: string,
  shared: SharedPosition,
): PositionPicture {
  const { side, kind } = shared;
  const outcome = outcomeOf(market.title, market.label);
  return {
    eyebrow: category,
    side,
    position: kind === 'sold' ? `Sold ${sideWord(side)}` : sideWord(side),
    outcome: outcome ?? market.title,
    question: outcome === undefined ? undefined : market.title,
    figures: [...profitOf(market, shared), ...statedOf(shared), ...worthOf(market, side)],
    note: noteOf(shared),
  };
}

type Figures = PositionPicture['figures'];

function statedOf({ kind, priceMicros, contractMicros }: SharedPosition): Figures {
  const label = kind === 'sold' ? 'sold at' : 'bought at';
  return [
    ...(priceMicros === undefined ? [] : [{ label, value: centsRounded(priceMicros) }]),
    ...(contractMicros === undefined
      ? []
      : [{ label: 'contracts', value: contractsRounded(contractMicros) }]),
  ];
}

function noteOf({ side, kind, priceMicros, contractMicros }: SharedPosition): string {
  const stated = [
    `${kind === 'sold' ? 'sold' : 'bought'} ${sideWord(side)}`,
    priceMicros !== undefined && (kind === 'sold' ? 'price after the fee' : 'price with the fee'),
    contractMicros !== undefined && 'quantity',
  ].filter(Boolean);
  return `Stated by the trader, not checked by Crossbook: ${stated.join(', ')}.`;
}

/** A sale's profit would need its cost, which the link does not carry. */
function profitOf(market: MarketView, { kind, side, priceMicros }: SharedPosition): Figures {
  const worth = worthMicros(market, side);
  if (kind === 'sold' || priceMicros === undefined || worth === null) return [];
  const percent = divide((worth - priceMicros) * 100n, priceMicros, 'nearest');
  const sign = percent > 0n ? '+' : percent < 0n ? '\u2212' : '';
  const value = `${sign}${percent < 0n ? -percent : percent}%`;
  return [{ label: 'return', value, tone: percent < 0n ? 'no' : 'yes' }];
}

/** The payout once settled, else the price at which the side sells now. */
function worthMicros(market: MarketView, side: SharedPosition['side']): bigint | null {
  const { payoutYesMicros } = market;
  if (payoutYesMicros !== null) return side === 'yes' ? payoutYesMicros : MICROS - payoutYesMicros;
  return side === 'yes' ? market.yesBidMicros : market.noBidMicros;
}

function worthOf(market: MarketView, side: SharedPosition['side']): Figures {
  const worth = worthMicros(market, side);
  const label = market.payoutYesMicros === null ? 'price now' : 'paid out';
  return worth === null ? [] : [{ label, value: cents(worth) }];
}
