import { z } from 'zod';
import { addressSchema, marketTickerSchema } from './common.ts';
import { marketSchema } from './market.ts';
import { orderEventSchema, orderRecordSchema } from './order.ts';

const MAX_STREAMED_MARKETS = 200;

export const streamQuerySchema = z.strictObject({
  tickers: z
    .string()
    .max(20_000)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(marketTickerSchema).max(MAX_STREAMED_MARKETS))
    .optional()
    .meta({ description: 'Markets to stream prices for, comma-separated; at most 200.' }),
});

/** The `data` of each kind of event, by the name in its `event` line. */
export const streamDataSchemas = {
  order: z.object({ event: orderEventSchema, order: orderRecordSchema }),
  market: marketSchema,
  account: z.object({ address: addressSchema }),
  saved: z.object({ version: z.int().min(0) }),
  reset: z.object({ reason: z.string() }),
};

type StreamData = {
  [Name in keyof typeof streamDataSchemas]: z.infer<(typeof streamDataSchemas)[Name]>;
};

/** An event of the stream; events from the log carry an `id` to resume from. */
export type StreamEvent = {
  [Name in keyof StreamData]: { type: Name; id: string | undefined; data: StreamData[Name] };
}[keyof StreamData];
