import { useState } from 'react';
import {
  nearestTick,
  type ParsedPrice,
  parsePrice,
  typedPrice,
} from '#lib/browser/trade/limitPrice.ts';
import type { PriceRange } from '#lib/market/ticks.ts';
import type { TriggerTerms } from '#lib/market/triggerWords.ts';
import { CENT_MICROS, MICROS } from '#lib/money.ts';

type StopTriggerInput = {
  action: 'buy' | 'sell';
  side: 'yes' | 'no';
  /** The prices that orders of the side may have. */
  grid: readonly PriceRange[];
  /** The best prices of the side now. */
  best: { bid: bigint | undefined; ask: bigint | undefined };
};

/** How far beyond its trigger a stop order may fill until the visitor sets a limit price. */
const REACH_MICROS = 5n * CENT_MICROS;

/** The price that a stop order of the ticket waits for. */
export function useStopTrigger({ action, side, grid, best }: StopTriggerInput) {
  const [text, setText] = useState('');
  const [direction, setDirection] = useState<TriggerTerms['direction']>(
    action === 'sell' ? 'below' : 'above',
  );
  const price = parsePrice(text, grid);
  const source = action === 'sell' ? ('bid' as const) : ('ask' as const);
  const terms: TriggerTerms = { side, source, direction, priceMicros: price.micros };
  return {
    text,
    type: setText,
    direction,
    choose: setDirection,
    state: price.state,
    terms,
    watchedMicros: best[source],
    proposedLimit: proposedLimit(price, action, grid),
  };
}

export type StopTrigger = ReturnType<typeof useStopTrigger>;

/** The limit price that is proposed, as typed; empty without a trigger price. */
function proposedLimit(
  { state, micros }: ParsedPrice,
  action: 'buy' | 'sell',
  grid: readonly PriceRange[],
): string {
  if (state !== 'ok') return '';
  const beyond = action === 'sell' ? micros - REACH_MICROS : micros + REACH_MICROS;
  const inside = beyond < 1n ? 1n : beyond >= MICROS ? MICROS - 1n : beyond;
  const tick = nearestTick(inside, grid);
  return tick === undefined ? '' : typedPrice(tick);
}
