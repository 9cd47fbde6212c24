import { setTimeout as delay } from 'node:timers/promises';

/**
 * Minimum interval between exchange requests for different markets. Page views are not
 * rate-limited, not even those of robots: they use about a quarter of the exchange's lowest tier.
 */
const BETWEEN_MS = 400;
/** The longest time that a page waits for its turn. */
const LONGEST_WAIT_MS = 4_000;

let mayAskAt = 0;
let nextTurnAt = 0;

export function mayAskExchange(): boolean {
  const now = performance.now();
  if (now < mayAskAt) return false;
  mayAskAt = now + BETWEEN_MS;
  return true;
}

/** For what a page cannot do without. @throws {Error} when too many pages wait */
export async function awaitExchangeTurn(): Promise<void> {
  const now = performance.now();
  const turnAt = Math.max(now, nextTurnAt);
  if (turnAt - now > LONGEST_WAIT_MS) throw new Error('too many pages wait for the exchange');
  nextTurnAt = turnAt + BETWEEN_MS;
  if (turnAt > now) await delay(turnAt - now);
}
