import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { marketTermsQuery, orderBookQuery } from '#lib/browser/queries/markets.ts';
import {
  nearestTick,
  type ParsedPrice,
  parsePrice,
  typedPrice,
} from '#lib/browser/trade/limitPrice.ts';
import type { TradeAction, TradeSide } from '#lib/browser/trade/quote.ts';
import { ladderOf } from '#lib/market/ladder.ts';
import { gridOf } from '#lib/market/orderTerms.ts';
import { sideRanges } from '#lib/market/ticks.ts';
import type { LimitOptionValues } from './useLimitOptions.ts';
import { useStopTrigger } from './useStopTrigger.ts';

export type LimitPriceInput = {
  ticker: string;
  action: TradeAction;
  side: TradeSide;
  values: LimitOptionValues;
  /** Chosen in the book. */
  pickedText: string | undefined;
  isStop: boolean;
};

/**
 * The price of a limit order, and what the market says about it. Until the visitor sets one, the
 * best price of the own side is proposed; of a stop order, one beyond its trigger.
 */
export function useLimitPrice({
  ticker,
  action,
  side,
  values,
  pickedText,
  isStop,
}: LimitPriceInput) {
  const { api } = useApp();
  const [typed, setTyped] = useState(pickedText);
  const terms = useQuery(marketTermsQuery(api, ticker));
  const book = useQuery(orderBookQuery(api, ticker));
  const grid = terms.data ? sideRanges(gridOf(terms.data), side) : [];
  const ladder = book.data && ladderOf(book.data, side, 1n);
  const best = { bid: ladder?.bids[0]?.priceMicros, ask: ladder?.asks[0]?.priceMicros };
  const isMarket = isStop && values.stopType === 'market';
  const beyondMicros = isMarket ? values.protectionMicros : undefined;
  const trigger = useStopTrigger({ action, side, grid, best, beyondMicros });
  const own = action === 'buy' ? best.bid : best.ask;
  const proposed = isStop ? trigger.limitMicros : own;
  const text = typed ?? (proposed === undefined ? '' : typedPrice(proposed));
  const middle =
    best.bid !== undefined && best.ask !== undefined
      ? nearestTick((best.bid + best.ask) / 2n, grid)
      : undefined;
  return {
    terms,
    book,
    grid,
    shortcuts: { ...best, middle },
    /** Whether it is a market order once its trigger is reached. */
    isMarket,
    trigger,
    text,
    type: setTyped,
    price: isMarket ? worstPrice(trigger.limitMicros) : parsePrice(text, grid),
  };
}

/** That of a market order, which is set once its trigger is. */
function worstPrice(micros: bigint | undefined): ParsedPrice {
  return micros === undefined ? { state: 'empty', micros: 0n } : { state: 'ok', micros };
}

export type LimitPrice = ReturnType<typeof useLimitPrice>;
