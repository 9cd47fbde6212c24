import { sql } from 'drizzle-orm';
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';
import { at, int8, micros } from './columns.ts';

/** The exchange's images and colours of an event; markets by ticker. */
export type EventMetadata = {
  imageUrl?: string;
  markets?: Record<string, { imageUrl?: string; color?: string }>;
};

export type StoredMilestone = {
  id: string;
  type: string;
  title: string;
  startsAt: string;
  endsAt: string | null;
};

/** The exchange's series of recurring events. */
export const series = pgTable('series', {
  ticker: text('ticker').primaryKey(),
  title: text('title').notNull(),
  category: text('category').notNull(),
  frequency: text('frequency').notNull(),
  tags: jsonb('tags').$type<string[]>().notNull(),
  feeType: text('fee_type').notNull(),
  feeMultiplierMicros: micros('fee_multiplier_micros').notNull(),
  settlementSources: jsonb('settlement_sources')
    .$type<{ name: string; url: string }[]>()
    .notNull()
    .default([]),
  contractTermsUrl: text('contract_terms_url'),
  updatedAt: at('updated_at').notNull(),
});

/** Events, with aggregates of their markets for search and lists; written by the catalogue sync. */
export const events = pgTable(
  'events',
  {
    ticker: text('ticker').primaryKey(),
    seriesTicker: text('series_ticker').notNull(),
    seriesTitle: text('series_title').notNull(),
    title: text('title').notNull(),
    subtitle: text('subtitle').notNull(),
    category: text('category').notNull(),
    frequency: text('frequency').notNull(),
    mutuallyExclusive: boolean('mutually_exclusive').notNull(),
    iconUrlLightMode: text('icon_url_light_mode').notNull(),
    iconUrlDarkMode: text('icon_url_dark_mode').notNull(),
    backgroundColorLightMode: text('background_color_light_mode').notNull(),
    backgroundColorDarkMode: text('background_color_dark_mode').notNull(),

    /** Aggregates over the markets, updated after each round of changes. */
    totalMarketCount: integer('total_market_count').notNull().default(0),
    activeMarketCount: integer('active_market_count').notNull().default(0),
    volumeContractMicros: micros('volume_contract_micros').notNull().default(sql`0`),
    volume24hContractMicros: micros('volume_24h_contract_micros').notNull().default(sql`0`),
    liquidityUsdcMicros: micros('liquidity_usdc_micros').notNull().default(sql`0`),
    newestAt: at('newest_at'),
    /** When the next outcome of an open market is expected. */
    closesNextAt: at('closes_next_at'),
    /** One bit for each status that some market of the event has. */
    statusMask: integer('status_mask').notNull().default(0),
    /** When aggregates or texts last changed: the search index reads these events again. */
    rankedAt: at('ranked_at'),

    /** Search texts: titles weigh more than outcomes, outcomes more than tickers. */
    titleText: text('title_text').notNull(),
    outcomeText: text('outcome_text').notNull(),
    updatedAt: at('updated_at').notNull(),

    /** Images and colours that the exchange gives to the event and its markets. */
    metadata: jsonb('metadata').$type<EventMetadata>(),
    metadataReadAt: at('metadata_read_at'),
    /** Times of the event, such as the start of a game, in ISO 8601. */
    milestones: jsonb('milestones').$type<StoredMilestone[]>(),
    /** Hash of the exchange's data at the last write; unchanged rows are not written. */
    contentHash: text('content_hash'),
    /**
     * Hash of the event and its listed markets as stored: while a page matches it, none of them is
     * compared. Null after one of them was written in another way.
     */
    listingHash: text('listing_hash'),
  },
  (table) => [
    index('events_by_ranked_at').on(table.rankedAt),
    index('events_by_volume').on(table.volumeContractMicros.desc(), table.ticker),
    index('events_by_volume_24h').on(table.volume24hContractMicros.desc(), table.ticker),
    index('events_by_series').on(table.seriesTicker),
  ],
);

/** The mirror of the exchange's markets. A price is null where that side of the book is empty. */
export const markets = pgTable(
  'markets',
  {
    ticker: text('ticker').primaryKey(),
    eventTicker: text('event_ticker').notNull(),
    seriesTicker: text('series_ticker').notNull(),
    title: text('title').notNull(),
    subtitle: text('subtitle').notNull(),
    yesSubTitle: text('yes_sub_title').notNull(),
    noSubTitle: text('no_sub_title').notNull(),
    status: text('status').$type<'unopened' | 'open' | 'paused' | 'closed' | 'settled'>().notNull(),
    marketType: text('market_type').notNull(),
    /** The part of the exchange that trades it. */
    shard: integer('shard').notNull().default(0),
    category: text('category').notNull(),
    yesTokenId: text('yes_token_id').notNull(),
    noTokenId: text('no_token_id').notNull(),

    yesBidMicros: micros('yes_bid_micros'),
    yesAskMicros: micros('yes_ask_micros'),
    lastPriceMicros: micros('last_price_micros'),
    /** The last price of about a day ago. */
    previousPriceMicros: micros('previous_price_micros'),
    liquidityUsdcMicros: micros('liquidity_usdc_micros').notNull(),
    volumeContractMicros: micros('volume_contract_micros').notNull(),
    volume24hContractMicros: micros('volume_24h_contract_micros').notNull(),
    openInterestContractMicros: micros('open_interest_contract_micros').notNull(),

    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    openAt: at('open_at').notNull(),
    closeAt: at('close_at').notNull(),
    /** When the result is expected; the latest possible time when there is no estimate. */
    expirationAt: at('expiration_at').notNull(),
    /**
     * When the outcome is expected; `closeAt` is only the deadline. The defaults serve a release that
     * does not know the columns while another writes too.
     */
    expectedEndAt: at('expected_end_at').notNull().defaultNow(),
    canCloseEarly: boolean('can_close_early').notNull().default(false),
    earlyCloseCondition: text('early_close_condition').notNull().default(''),
    /** The exchange's result while it can be disputed. */
    proposedResult: text('proposed_result'),
    strike: doublePrecision('strike'),
    strikeGroup: text('strike_group'),
    settledAt: at('settled_at'),
    /** The payout of one Yes after settlement; No receives the rest of the dollar. */
    payoutYesMicros: micros('payout_yes_micros'),
    result: text('result').$type<'yes' | 'no' | 'scalar' | 'void'>(),
    rulesPrimary: text('rules_primary').notNull(),
    rulesSecondary: text('rules_secondary').notNull(),
    /** Of this market, or of its event. */
    iconUrlLightMode: text('icon_url_light_mode').notNull(),
    iconUrlDarkMode: text('icon_url_dark_mode').notNull(),
    backgroundColorLightMode: text('background_color_light_mode').notNull(),
    backgroundColorDarkMode: text('background_color_dark_mode').notNull(),
    syncedAt: at('synced_at').notNull(),
    /** When prices older than the mirror were fetched; null before. */
    historyReadAt: at('history_read_at'),
    /** When the mirror received the final result; null before. */
    finalSeenAt: at('final_seen_at'),
    /** Hash of the exchange's data; null after pushed prices were written. */
    contentHash: text('content_hash'),
  },
  (table) => [
    // Most markets are not final; without the condition each of their writes would touch this
    // index.
    index('markets_final_seen')
      .on(table.finalSeenAt, table.ticker)
      .where(sql`final_seen_at is not null`),
    index('markets_by_event').on(table.eventTicker, table.ticker),
    index('markets_by_status_volume').on(
      table.status,
      table.volumeContractMicros.desc(),
      table.ticker,
    ),
    // Ids are random and only looked up whole: a hash index takes two fifths of the time and space.
    index('markets_yes_token').using('hash', table.yesTokenId),
    index('markets_no_token').using('hash', table.noTokenId),
  ],
);

/**
 * Recorded prices, at most one a minute per market. The migration partitions the table by time; old
 * partitions are dropped whole.
 */
export const pricePoints = pgTable(
  'price_points',
  {
    ticker: text('ticker').notNull(),
    at: at('at').notNull(),
    yesBidMicros: micros('yes_bid_micros'),
    yesAskMicros: micros('yes_ask_micros'),
    lastPriceMicros: micros('last_price_micros'),
    volumeContractMicros: micros('volume_contract_micros').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ticker, table.at] })],
);

/**
 * Recently written markets, for processes that cache responses about them. Recorded after the rows
 * themselves; kept for some minutes.
 */
export const marketChanges = pgTable(
  'market_changes',
  {
    sequence: int8('sequence').generatedAlwaysAsIdentity().primaryKey(),
    /** Null when there were too many, or when something other than a market changed. */
    tickers: text('tickers').array(),
    at: at('at').notNull().defaultNow(),
  },
  (table) => [index('market_changes_age').on(table.at)],
);

/** The sync's progress, so that it continues after a restart. */
export const catalogueState = pgTable('catalogue_state', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: at('updated_at').notNull(),
});
