import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const micros = (name: string) => bigint(name, { mode: 'bigint' });

/** What the exchange says about the looks of an event; markets by ticker. */
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

/** The exchange's series: what recurring events have in common. */
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

/** Events with what search and lists need of their markets, kept up by the catalogue sync. */
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

    /** Sums over the markets, renewed after each round of changes. */
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
    /** When the sums or the texts last changed: what an index of events has to read again. */
    rankedAt: at('ranked_at'),

    /** Words people look for: titles weigh more than outcomes, those more than tickers. */
    titleText: text('title_text').notNull(),
    outcomeText: text('outcome_text').notNull(),
    updatedAt: at('updated_at').notNull(),

    /** Images and colours that the exchange gives to the event and its markets. */
    metadata: jsonb('metadata').$type<EventMetadata>(),
    metadataReadAt: at('metadata_read_at'),
    /** Moments that the event is about, such as the start of a game; times in ISO 8601. */
    milestones: jsonb('milestones').$type<StoredMilestone[]>(),
    /** Of what the exchange said when the row was last written; rows that did not change are left. */
    contentHash: text('content_hash'),
    /**
     * Of the same and of the markets that were listed with it, as they are stored: while it is what
     * a page says, none of them is looked at. Null after one of them was written in another way.
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
    previousPriceMicros: micros('previous_price_micros'),
    liquidityUsdcMicros: micros('liquidity_usdc_micros').notNull(),
    volumeContractMicros: micros('volume_contract_micros').notNull(),
    volume24hContractMicros: micros('volume_24h_contract_micros').notNull(),
    openInterestContractMicros: micros('open_interest_contract_micros').notNull(),

    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    openAt: at('open_at').notNull(),
    closeAt: at('close_at').notNull(),
    expirationAt: at('expiration_at').notNull(),
    /** The defaults serve a release that does not know the columns while another writes too. */
    expectedEndAt: at('expected_end_at').notNull().defaultNow(),
    canCloseEarly: boolean('can_close_early').notNull().default(false),
    earlyCloseCondition: text('early_close_condition').notNull().default(''),
    proposedResult: text('proposed_result'),
    strike: doublePrecision('strike'),
    strikeGroup: text('strike_group'),
    settledAt: at('settled_at'),
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
    /** When the prices of before the mirror were fetched; null while they were not. */
    historyReadAt: at('history_read_at'),
    /** When the mirror learned how the market pays; null until it is final. */
    finalSeenAt: at('final_seen_at'),
    /** Of what the exchange said; null after prices were written that it pushed. */
    contentHash: text('content_hash'),
  },
  (table) => [
    // Most markets are not final, and each index that they are in is written with them.
    index('markets_final_seen')
      .on(table.finalSeenAt, table.ticker)
      .where(sql`final_seen_at is not null`),
    index('markets_by_event').on(table.eventTicker, table.ticker),
    index('markets_by_status_volume').on(
      table.status,
      table.volumeContractMicros.desc(),
      table.ticker,
    ),
    // Ids are random and only looked up whole: written in two fifths of the time, and of the room.
    index('markets_yes_token').using('hash', table.yesTokenId),
    index('markets_no_token').using('hash', table.noTokenId),
  ],
);

/**
 * Prices as they were recorded, at most one a minute for each market. The migration cuts the table
 * by time into partitions, which are dropped whole once they are old.
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
 * Which markets were written lately, for processes that keep answers about them. Noted after the
 * rows themselves; kept for some minutes.
 */
export const marketChanges = pgTable(
  'market_changes',
  {
    sequence: bigint('sequence', { mode: 'bigint' }).generatedAlwaysAsIdentity().primaryKey(),
    /** Null when there were too many to name, or when what changed is no market. */
    tickers: text('tickers').array(),
    at: at('at').notNull().defaultNow(),
  },
  (table) => [index('market_changes_age').on(table.at)],
);

/** How far the mirror has come, so that a killed sync goes on where it was. */
export const catalogueState = pgTable('catalogue_state', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: at('updated_at').notNull(),
});
