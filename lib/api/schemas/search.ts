import { z } from 'zod';
import {
  cursorSchema,
  dollarsSchema,
  eventTickerSchema,
  hexColorSchema,
  marketTickerSchema,
  timestampSchema,
} from './common.ts';

export const searchOrderSchema = z
  .enum(['querymatch', 'trending', 'volume', 'liquidity', 'newest', 'closing'])
  .meta({ id: 'SearchOrder', example: 'querymatch' });

export const frequencySchema = z
  .enum(['hourly', 'daily', 'weekly', 'monthly', 'annual'])
  .meta({ id: 'Frequency', example: 'daily' });

export const searchQuerySchema = z.strictObject({
  query: z.string().max(200).default('').meta({ description: 'Search text.', example: 'rain' }),
  q: z.string().max(200).optional().meta({ description: 'Short for `query`, which outranks it.' }),
  page_size: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(25)
    .meta({ description: 'Page size.' }),
  order_by: searchOrderSchema.default('querymatch'),
  fuzzy_threshold: z.coerce.number().int().min(0).max(10).default(4).meta({
    description: 'Minimum word length for typo tolerance; 0 turns it off.',
  }),
  with_milestones: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .meta({ description: 'Whether to include the milestones of each event.' }),
  cursor: cursorSchema.optional(),
  status: z.enum(['open', 'unopened', 'closed', 'settled']).optional(),
  category: z.string().min(1).max(100).optional(),
  frequency: frequencySchema.optional(),
  series: z.string().min(1).max(100).optional().meta({ description: 'A series ticker.' }),
  group_by: z.enum(['event', 'series']).default('event').meta({
    description: 'With `series`, only the first event of each series is listed and counted.',
  }),
});

export const searchMarketSchema = z
  .object({
    ticker: marketTickerSchema,
    yes_bid: z.number(),
    yes_ask: z.number(),
    last_price: z.number(),
    yes_bid_dollars: dollarsSchema,
    yes_ask_dollars: dollarsSchema,
    last_price_dollars: dollarsSchema,
    price_delta: z.number().meta({ description: 'Change of the price in 24 hours, in cents.' }),
    close_ts: timestampSchema,
    expected_expiration_ts: timestampSchema,
    open_ts: timestampSchema,
    score: z.number().meta({ description: 'Relevance; higher is better.' }),
    yes_subtitle: z.string(),
    no_subtitle: z.string(),
    title: z.string(),
    potential_payout_from_100_dollars: z
      .object({ yes: dollarsSchema.nullable(), no: dollarsSchema.nullable() })
      .meta({ description: 'Payout of 100 dollars at the current ask, before fees.' }),
    icon_url_dark_mode: z.url(),
    icon_url_light_mode: z.url(),
    background_color_light_mode: hexColorSchema,
    background_color_dark_mode: hexColorSchema,
  })
  .meta({ id: 'SearchMarket' });

export const milestoneSchema = z
  .object({
    id: z.string(),
    type: z.string().meta({ example: 'football_game' }),
    title: z.string(),
    starts_ts: timestampSchema,
    ends_ts: timestampSchema.nullable(),
  })
  .meta({ id: 'Milestone', description: 'A scheduled occurrence that the event is about.' });

export const searchEventSchema = z
  .object({
    series_ticker: z.string(),
    series_title: z.string(),
    event_ticker: eventTickerSchema,
    event_subtitle: z.string(),
    event_title: z.string(),
    category: z.string(),
    total_series_volume: z.number(),
    total_volume: z.number(),
    total_market_count: z.number(),
    active_market_count: z.number(),
    markets: z.array(searchMarketSchema),
    milestones: z.array(milestoneSchema).optional().meta({
      description: 'Milestones of the event; omitted with with_milestones=false.',
    }),
    more_in_series: z.number().optional().meta({
      description: 'Other events of its series that match; only with group_by=series.',
    }),
  })
  .meta({ id: 'SearchEvent' });

export const searchResultSchema = z
  .object({
    total_results_count: z.number(),
    current_page: z.array(searchEventSchema),
    next_cursor: cursorSchema,
    corrected_query: z.string().optional().meta({
      description: 'The query with mistyped words replaced, if any were; the events match it.',
    }),
  })
  .meta({ id: 'SearchResult' });

export type SearchQuery = z.output<typeof searchQuerySchema>;
export type SearchMarket = z.infer<typeof searchMarketSchema>;
export type Milestone = z.infer<typeof milestoneSchema>;
export type SearchEvent = z.infer<typeof searchEventSchema>;
export type SearchResult = z.infer<typeof searchResultSchema>;
