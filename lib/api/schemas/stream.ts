import { z } from 'zod';
import { marketTickerSchema } from './common.ts';

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
