import { z } from 'zod';
import {
  cursorSchema,
  decimalSchema,
  dollarsSchema,
  EXAMPLE_EVENT,
  EXAMPLE_MARKET,
  eventTickerSchema,
  hexColorSchema,
  marketTickerSchema,
  outcomeSideSchema,
  pageFields,
  timestampSchema,
} from './common.ts';

const cents = (description: string) => z.number().meta({ description, example: 56 });
const bidCents = (side: string) => cents(`Best bid for ${side} in cents; 0 if there are no bids.`);
const askCents = (side: string) =>
  cents(`Best ask for ${side} in cents; 100 if there are no asks.`);

export const marketStatusSchema = z
  .enum(['unopened', 'open', 'paused', 'closed', 'settled'])
  .meta({ id: 'MarketStatus', description: 'Status of the market.', example: 'open' });

export const settlementSchema = z
  .object({
    result: z.enum(['yes', 'no', 'scalar', 'void']),
    payoutYesDollars: dollarsSchema,
    payoutNoDollars: dollarsSchema,
    settledAt: timestampSchema.nullable(),
  })
  .meta({ id: 'MarketSettlement', description: 'Payout per contract of each side.' });

export const marketSchema = z
  .object({
    ticker: marketTickerSchema,
    eventTicker: eventTickerSchema,
    title: z.string().meta({ example: 'Will it rain in San Francisco on December 1?' }),
    subtitle: z.string(),
    status: marketStatusSchema,
    marketType: z.string().meta({ example: 'binary' }),
    shard: z.number().int().meta({
      description:
        'The part of the exchange that trades the market; `/v1/status` lists its pauses.',
    }),
    yesBid: bidCents('yes'),
    yesAsk: askCents('yes'),
    noBid: bidCents('no'),
    noAsk: askCents('no'),
    lastPrice: cents('Price of the last trade for yes in cents; 0 before the first.'),
    yesBidDollars: dollarsSchema,
    yesAskDollars: dollarsSchema,
    noBidDollars: dollarsSchema,
    noAskDollars: dollarsSchema,
    lastPriceDollars: dollarsSchema,
    previousPriceDollars: dollarsSchema.nullable().meta({
      description: 'Price of yes about a day ago; null if there were no trades by then.',
    }),
    liquidity: cents('Value of the resting orders in the book, in cents.'),
    liquidityDollars: dollarsSchema,
    volume: z.number().meta({ description: 'Contracts traded since the market opened.' }),
    volume24h: z.number().meta({ description: 'Contracts traded in the last 24 hours.' }),
    openInterest: z.number().meta({ description: 'Open interest in contracts.' }),
    openTime: timestampSchema,
    closeTime: timestampSchema.meta({
      description:
        'Deadline: trading ends then at the latest, often long after the outcome is known.',
    }),
    expirationTime: timestampSchema,
    expectedEndTime: timestampSchema.meta({
      description: 'When the outcome is expected. Never after `closeTime`; `sort=closing` uses it.',
    }),
    canCloseEarly: z
      .boolean()
      .meta({ description: 'Whether trading ends once the outcome is known.' }),
    earlyCloseCondition: z.string(),
    proposedResult: z.string().nullable().meta({
      description: 'Result that the exchange proposes while it can be disputed; not paid yet.',
    }),
    strike: z.number().nullable().meta({ description: 'The number that decides the market.' }),
    strikeGroup: z.string().nullable().meta({
      description: 'Markets of an event about the same player or team share it.',
    }),
    rulesPrimary: z.string(),
    rulesSecondary: z.string(),
    yesSubTitle: z.string(),
    noSubTitle: z.string(),
    iconUrlDarkMode: z.url(),
    iconUrlLightMode: z.url(),
    backgroundColorLightMode: hexColorSchema,
    backgroundColorDarkMode: hexColorSchema,
    seriesTicker: z.string(),
    category: z.string(),
    settlement: settlementSchema.nullable(),
    updatedAt: timestampSchema.meta({
      description: 'When the exchange last reported this market.',
    }),
  })
  .meta({ id: 'Market' });

const tickerList = (atMost: number) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(marketTickerSchema).min(1).max(atMost, `must name at most ${atMost}`));

export const marketListQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).default(20).meta({ description: 'Page size.' }),
  status: z
    .enum([...marketStatusSchema.options, 'all'])
    .default('open')
    .meta({ description: 'Only markets with this status; `all` for any. Default: open.' }),
  cursor: cursorSchema.optional(),
  eventTickers: tickerList(10)
    .optional()
    .meta({ description: 'At most 10 event tickers, comma-separated.', example: EXAMPLE_EVENT }),
  tickers: tickerList(1000)
    .optional()
    .meta({ description: 'Market tickers, comma-separated.', example: EXAMPLE_MARKET }),
});

export const marketListSchema = z
  .object({
    markets: z.array(marketSchema),
    count: z.number().meta({ description: 'Number of markets on this page.' }),
    cursor: cursorSchema,
  })
  .meta({ id: 'MarketList' });

export const marketResponseSchema = z.object({ market: marketSchema }).meta({ id: 'MarketAnswer' });

export const eventSchema = z
  .object({
    eventTicker: eventTickerSchema,
    seriesTicker: z.string(),
    seriesTitle: z.string(),
    title: z.string(),
    subtitle: z.string(),
    category: z.string(),
    mutuallyExclusive: z.boolean(),
    settlementSources: z
      .array(z.object({ name: z.string(), url: z.url() }))
      .meta({ description: 'Who decides the outcome.' }),
    contractTermsUrl: z.url().nullable(),
    markets: z.array(marketSchema),
  })
  .meta({ id: 'Event' });

export const eventResponseSchema = z.object({ event: eventSchema }).meta({ id: 'EventAnswer' });

export const bookLevelSchema = z
  .object({ priceDollars: dollarsSchema, contracts: z.number() })
  .meta({ id: 'BookLevel' });

export const scoreListQuerySchema = z.strictObject({
  eventTickers: tickerList(100).meta({
    description: 'At most 100 event tickers, comma-separated.',
    example: EXAMPLE_EVENT,
  }),
});

const scoredTeamSchema = z
  .object({ name: z.string(), points: z.int().min(0) })
  .meta({ id: 'ScoredTeam', description: 'A team or player; points are sets in tennis.' });

export const scoreSchema = z
  .object({
    eventTicker: eventTickerSchema,
    phase: z.enum(['live', 'ended']),
    statusText: z
      .string()
      .meta({ description: 'How far the game is; empty when unknown.', example: 'Q3 5:22' }),
    teams: z
      .tuple([scoredTeamSchema, scoredTeamSchema])
      .meta({ description: 'In the order in which the title of the game names them.' }),
    asOf: timestampSchema,
    ageSeconds: z
      .int()
      .min(0)
      .meta({ description: 'Age of the score at the time of the response.' }),
  })
  .meta({ id: 'Score', description: 'The score of the game that an event is about.' });

export const scoreListSchema = z.object({ scores: z.array(scoreSchema) }).meta({ id: 'ScoreList' });

export const orderBookSchema = z
  .object({
    ticker: marketTickerSchema,
    yesBids: z.array(bookLevelSchema),
    yesAsks: z.array(bookLevelSchema),
    noBids: z.array(bookLevelSchema),
    noAsks: z.array(bookLevelSchema),
    asOf: timestampSchema,
  })
  .meta({ id: 'OrderBook', description: 'Resting orders, best price first.' });

export const marketTermsSchema = z
  .object({
    ticker: marketTickerSchema,
    priceRanges: z
      .array(
        z.object({
          startDollars: dollarsSchema,
          endDollars: dollarsSchema,
          stepDollars: dollarsSchema,
        }),
      )
      .meta({
        description:
          'Prices of yes that orders may have: from start to end in steps, without 0 and 1. A price ' +
          'of no is 1 minus one of yes.',
      }),
    takerFee: z
      .object({ rate: decimalSchema, multiplier: decimalSchema })
      .nullable()
      .meta({
        description:
          'Fee of a taker: multiplier × rate × contracts × price × (1 − price), rounded up to ' +
          '$0.0001. Null when it is not known; then the market takes no orders.',
      }),
  })
  .meta({ id: 'MarketTerms', description: 'What prices and fees of orders follow.' });

export const tradeSchema = z
  .object({
    id: z.string(),
    ticker: marketTickerSchema,
    takerSide: outcomeSideSchema,
    yesPriceDollars: dollarsSchema,
    noPriceDollars: dollarsSchema,
    contracts: z.number(),
    at: timestampSchema,
  })
  .meta({ id: 'Trade', description: 'A trade at the exchange, by any trader.' });

export const tradeListQuerySchema = z.strictObject(pageFields(1000, 50));

export const tradeListSchema = z
  .object({ trades: z.array(tradeSchema), cursor: cursorSchema })
  .meta({ id: 'TradeList' });

export const priceHistoryRangeSchema = z
  .enum(['1h', '6h', '1d', '1w', '1m', 'all'])
  .meta({ id: 'PriceHistoryRange', example: '1d' });

export const priceHistoryQuerySchema = z.strictObject({
  range: priceHistoryRangeSchema.default('1d').meta({ description: 'How far back to go.' }),
});

export const pricePointSchema = z
  .object({
    at: timestampSchema,
    yesBidDollars: dollarsSchema.nullable(),
    yesAskDollars: dollarsSchema.nullable(),
    lastPriceDollars: dollarsSchema.nullable(),
    volume: z.number().meta({ description: 'Contracts traded in the period that ends here.' }),
  })
  .meta({ id: 'PricePoint', description: 'Prices of yes at this time; null if there was none.' });

export const priceHistorySchema = z
  .object({
    ticker: marketTickerSchema,
    range: priceHistoryRangeSchema,
    points: z.array(pricePointSchema).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'PriceHistory' });

export type MarketStatus = z.infer<typeof marketStatusSchema>;
export type Market = z.infer<typeof marketSchema>;
export type MarketListQuery = z.output<typeof marketListQuerySchema>;
export type MarketList = z.infer<typeof marketListSchema>;
export type MarketResponse = z.infer<typeof marketResponseSchema>;
export type MarketEvent = z.infer<typeof eventSchema>;
export type EventResponse = z.infer<typeof eventResponseSchema>;
export type Score = z.infer<typeof scoreSchema>;
export type ScoreList = z.infer<typeof scoreListSchema>;
export type OrderBook = z.infer<typeof orderBookSchema>;
export type MarketTerms = z.infer<typeof marketTermsSchema>;
export type Trade = z.infer<typeof tradeSchema>;
export type TradeList = z.infer<typeof tradeListSchema>;
export type PriceHistoryRange = z.infer<typeof priceHistoryRangeSchema>;
export type PricePoint = z.infer<typeof pricePointSchema>;
export type PriceHistory = z.infer<typeof priceHistorySchema>;
