import { z } from 'zod';
import { addressSchema, dollarsSchema, marketTickerSchema, timestampSchema } from './common.ts';
import { bookLevelSchema, marketSchema, tradeSchema } from './market.ts';
import { orderEventSchema, orderRecordSchema } from './order.ts';
import { problemSchema } from './problem.ts';

/** Markets that one stream or socket may follow. */
export const MAX_STREAMED_MARKETS = 200;

export const streamChannelSchema = z.enum(['market', 'book', 'trade', 'price']).meta({
  id: 'StreamChannel',
  description:
    'What to report of a market. market: the market whenever it changes. book: its order book, a ' +
    'snapshot and then changes. trade: every trade. price: best bid, best ask and last price.',
  example: 'book',
});

const commaSeparated = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => text.split(',').map((part) => part.trim()));

export const streamQuerySchema = z.strictObject({
  tickers: commaSeparated(20_000)
    .pipe(z.array(marketTickerSchema).max(MAX_STREAMED_MARKETS))
    .optional()
    .meta({ description: 'Markets to report on, comma-separated; at most 200.' }),
  channels: commaSeparated(100)
    .pipe(z.array(streamChannelSchema).min(1))
    .optional()
    .meta({
      description:
        'What to report of these markets, comma-separated: market, book, trade, price. ' +
        'Default: market.',
      example: 'book,trade',
    }),
});

const versionSchema = z
  .int()
  .min(1)
  .meta({
    description:
      'Of this connection and market: one more than that of the event before. After a larger step, ' +
      'wait for the snapshot that follows.',
  });
const levelsSchema = (what: string) => z.array(bookLevelSchema).meta({ description: what });

const bookSnapshotSchema = z
  .object({
    kind: z.literal('snapshot'),
    ticker: marketTickerSchema,
    version: versionSchema,
    yesBids: levelsSchema('All bids for yes, best first.'),
    yesAsks: levelsSchema('All offers of yes, best first.'),
    asOf: timestampSchema,
  })
  .meta({ id: 'BookSnapshot', description: 'The whole book: it replaces what was known.' });

const bookDeltaSchema = z
  .object({
    kind: z.literal('delta'),
    ticker: marketTickerSchema,
    version: versionSchema,
    yesBids: levelsSchema('Bids for yes that changed, with their new sizes; 0 removes a level.'),
    yesAsks: levelsSchema('Offers of yes that changed, with their new sizes; 0 removes a level.'),
    asOf: timestampSchema,
  })
  .meta({ id: 'BookDelta', description: 'New sizes of levels, in prices of yes.' });

const bookStaleSchema = z
  .object({
    kind: z.literal('stale'),
    ticker: marketTickerSchema,
    version: versionSchema,
    asOf: timestampSchema
      .nullable()
      .meta({ description: 'When the book was last complete; null if it has not been yet.' }),
  })
  .meta({
    id: 'BookStale',
    description: 'The book may be wrong until the next snapshot: do not trade on it.',
  });

/**
 * A bid for no at p is an offer of yes at 1 − p, so bids and offers of yes are the whole book. It is
 * never crossed.
 */
export const bookEventSchema = z
  .discriminatedUnion('kind', [bookSnapshotSchema, bookDeltaSchema, bookStaleSchema])
  .meta({ id: 'BookEvent' });

export const priceEventSchema = z
  .object({
    ticker: marketTickerSchema,
    yesBidDollars: dollarsSchema.meta({ description: '0 if there are no bids.' }),
    yesAskDollars: dollarsSchema.meta({ description: '1 if there are no offers.' }),
    noBidDollars: dollarsSchema,
    noAskDollars: dollarsSchema,
    lastPriceDollars: dollarsSchema.meta({ description: 'For yes; 0 before the first trade.' }),
    volume: z.number().nullable().meta({ description: 'Contracts traded; null when unknown.' }),
    openInterest: z.number().nullable().meta({ description: 'In contracts; null when unknown.' }),
  })
  .meta({ id: 'PriceEvent' });

/** The `data` of each kind of event, by the name in its `event` line. */
export const streamDataSchemas = {
  order: z.object({ event: orderEventSchema, order: orderRecordSchema }),
  market: marketSchema,
  book: bookEventSchema,
  trade: tradeSchema,
  price: priceEventSchema,
  account: z.object({ address: addressSchema }),
  saved: z.object({ version: z.int().min(0) }),
  reset: z.object({ reason: z.string() }),
};

/** Names a message of the client in the response to it. */
const refSchema = z.string().max(64).meta({
  description: 'Your own name for the message; its response repeats it.',
  example: '1',
});

const followed = {
  ref: refSchema.optional(),
  channels: z.array(streamChannelSchema).min(1).max(streamChannelSchema.options.length),
  tickers: z.array(marketTickerSchema).min(1).max(MAX_STREAMED_MARKETS),
};

/** What a client sends over `/v1/ws`. */
export const socketCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('authenticate'),
    ref: refSchema.optional(),
    apiKey: z.string().max(200),
    token: z.string().max(4_000).optional().meta({ description: 'Of a signed-in wallet.' }),
    lastEventId: z
      .string()
      .regex(/^\d{1,18}$/, 'must be the id of an event')
      .optional()
      .meta({ description: 'The last order event that was received: later ones follow.' }),
  }),
  z.strictObject({ type: z.literal('subscribe'), ...followed }),
  z.strictObject({ type: z.literal('unsubscribe'), ...followed }),
  z.strictObject({ type: z.literal('ping'), ref: refSchema.optional() }),
]);

const replied = { ref: refSchema.optional() };

/** What the service sends over `/v1/ws` besides the events. */
export const socketReplySchemas = {
  ready: z.object({ type: z.literal('ready'), ...replied }),
  subscribed: z.object({
    type: z.literal('subscribed'),
    ...replied,
    data: z.object({
      count: z.int().min(0).meta({ description: 'Markets that this connection follows now.' }),
      unknown: z
        .array(marketTickerSchema)
        .meta({ description: 'Tickers of no known market; nothing is reported for them.' }),
    }),
  }),
  unsubscribed: z.object({
    type: z.literal('unsubscribed'),
    ...replied,
    data: z.object({ count: z.int().min(0) }),
  }),
  pong: z.object({ type: z.literal('pong'), ...replied }),
  error: z.object({ type: z.literal('error'), ...replied, data: problemSchema }),
};

type StreamData = {
  [Name in keyof typeof streamDataSchemas]: z.infer<(typeof streamDataSchemas)[Name]>;
};

/** An event of the stream; events from the log carry an `id` to resume from. */
export type StreamEvent = {
  [Name in keyof StreamData]: { type: Name; id: string | undefined; data: StreamData[Name] };
}[keyof StreamData];

export type StreamEventName = keyof StreamData;
export type StreamChannel = z.infer<typeof streamChannelSchema>;
export type BookEvent = z.infer<typeof bookEventSchema>;
export type PriceEvent = z.infer<typeof priceEventSchema>;
export type SocketCommand = z.infer<typeof socketCommandSchema>;
