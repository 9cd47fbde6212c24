import type { TicketQuote } from '../quote.ts';

/** Ten contracts at 43¢ and a fee of 17¢. */
export const quote: TicketQuote = {
  contractMicros: 10_000_000n,
  fillable: true,
  totalUsdcMicros: 4_470_000n,
  feeUsdcMicros: 170_000n,
  bestPriceMicros: 420_000n,
  atMs: 0,
};
