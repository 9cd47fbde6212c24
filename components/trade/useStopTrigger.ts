import { useState } from 'react';
import { parsePrice, tickBeyond } from '#lib/browser/trade/limitPrice.ts';
import type { PriceRange } from '#lib/market/ticks.ts';
import { isReached, type TriggerTerms } from '#lib/market/triggerWords.ts';

type StopTriggerInput = {
  action: 'buy' | 'sell';
  side: 'yes' | 'no';
  /** The prices that orders of the side may have. */
  grid: readonly PriceRange[];
  /** The best prices of the side now. */
  best: { bid: bigint | undefined; ask: bigint | undefined };
  /** How far beyond the trigger the worst price is. */
  beyondMicros: bigint | undefined;
};

/** The price that a stop order of the ticket waits for. */
export function useStopTrigger({ action, side, grid, best, beyondMicros }: StopTriggerInput) {
  const [text, setText] = useState('');
  const [direction, setDirection] = useState<TriggerTerms['direction']>(
    action === 'sell' ? 'below' : 'above',
  );
  const price = parsePrice(text, grid);
  const source = action === 'sell' ? ('bid' as const) : ('ask' as const);
  const watched = best[source];
  const terms: TriggerTerms = { side, source, direction, priceMicros: price.micros };
  return {
    text,
    type: setText,
    direction,
    choose: setDirection,
    state: price.state,
    terms,
    watchedMicros: watched,
    isReached: price.state === 'ok' && watched !== undefined && isReached(terms, watched),
    /** The worst price of a market order, and of a limit order until the visitor sets one. */
    limitMicros:
      price.state === 'ok'
        ? tickBeyond(price.micros, grid, action === 'sell' ? 'below' : 'above', beyondMicros)
        : undefined,
  };
}

export type StopTrigger = ReturnType<typeof useStopTrigger>;
