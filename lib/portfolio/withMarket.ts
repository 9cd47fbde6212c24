import type { MarketView } from '#lib/market/marketView.ts';
import { ofSide } from '#lib/market/worthNow.ts';
import { costMicros } from '#lib/money.ts';
import type { PositionView } from './positionView.ts';

/** A position beside its market, which the page may know to have ended or settled earlier. */
export function withMarket(
  position: PositionView,
  market: Pick<MarketView, 'status' | 'payoutYesMicros'>,
): PositionView {
  const { status, payoutYesMicros } = market;
  const hasEnded = status === 'closed' || status === 'settled';
  if (!hasEnded || position.status === 'settled') return position;
  if (payoutYesMicros === null) return { ...position, status };
  const priceMicros = ofSide(payoutYesMicros, position.side);
  const value = costMicros(position.contractMicros, priceMicros, 'down');
  return {
    ...position,
    status,
    priceMicros,
    isLastPrice: false,
    isUnpriced: false,
    valueMicros: value,
    profitMicros: position.costMicros === null ? null : value - position.costMicros,
  };
}
