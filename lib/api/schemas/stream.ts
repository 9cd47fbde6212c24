import { z } from 'zod';
import { marketTickerSchema } from './common.ts';
import type { Market } from './market.ts';
import type { OrderEvent, OrderRecord } from './order.ts';

const MAX_STREAMED_MARKETS = 200;

export const streamQuerySchema = z.strictObject({
  tickers: z
    .string()
    .max(20_000)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(marketTickerSchema).max(MAX_STREAMED_MARKETS))
    .optional()
    .meta({ description: 'Markets whose prices are wanted, comma-separated; at most 200.' }),
});

/** What `GET /v1/stream` sends, by the name of the event. */
export type StreamMessages = {
  /** Carries an id: send it as Last-Event-ID to resume after it. */
  order: { event: OrderEvent; order: OrderRecord };
  market: Market;
  /** More was missed than is replayed. */
  reset: { reason: string };
};
