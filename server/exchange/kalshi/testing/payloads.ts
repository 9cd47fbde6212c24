import type { Wire } from '../wire.ts';

/** Payloads in the shapes recorded from the exchange, by period. The contents are ours. */

const COMMON = {
  ticker: 'KXRAIN-26NOV30-SEA',
  event_ticker: 'KXRAIN-26NOV30',
  market_type: 'binary',
  title: 'Rain in Seattle on Nov 30?',
  status: 'active',
  open_time: '2026-11-01T15:00:00Z',
  close_time: '2026-12-01T07:59:00Z',
  expected_expiration_time: '2026-12-01T15:00:00Z',
  can_close_early: true,
  result: '',
  expiration_value: '',
  rules_primary: 'If it rains in Seattle, the market resolves to Yes.',
  rules_secondary: '',
  strike_type: 'custom',
  settlement_timer_seconds: 1800,
};

/** Until January 2026: whole cents, numbers for counts, dollars beside some. */
export const CENTS_MARKET: Wire = {
  ...COMMON,
  subtitle: 'Seattle',
  yes_sub_title: 'Seattle',
  no_sub_title: 'Seattle',
  category: 'Climate and Weather',
  yes_bid: 61,
  yes_ask: 64,
  no_bid: 36,
  no_ask: 39,
  last_price: 62,
  previous_price: 55,
  previous_yes_bid: 54,
  previous_yes_ask: 57,
  volume: 1204,
  volume_24h: 87,
  open_interest: 933,
  liquidity: 1_250_000,
  notional_value: 100,
  tick_size: 1,
  risk_limit_cents: 0,
  response_price_units: 'usd_cent',
  expiration_time: '2026-12-08T15:00:00Z',
  latest_expiration_time: '2026-12-08T15:00:00Z',
  settlement_value: null,
};

/** Between January and March 2026: both spellings at once. */
export const BOTH_MARKET: Wire = {
  ...CENTS_MARKET,
  yes_bid_dollars: '0.6100',
  yes_ask_dollars: '0.6400',
  no_bid_dollars: '0.3600',
  no_ask_dollars: '0.3900',
  last_price_dollars: '0.6200',
  previous_price_dollars: '0.5500',
  volume_fp: '1204.00',
  volume_24h_fp: '87.00',
  open_interest_fp: '933.00',
  created_time: '2026-10-31T09:12:07.17746Z',
  updated_time: '2026-11-20T21:03:44.5Z',
  price_level_structure: 'linear_cent',
  price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
};

/** Since March 2026: dollars and fixed-point counts only. */
export const DOLLARS_MARKET: Wire = {
  ...COMMON,
  yes_sub_title: 'Seattle',
  no_sub_title: 'Seattle',
  created_time: '2026-10-31T09:12:07.17746Z',
  updated_time: '2026-11-20T21:03:44.500123Z',
  latest_expiration_time: '2026-12-08T15:00:00Z',
  notional_value_dollars: '1.0000',
  yes_bid_dollars: '0.6100',
  yes_ask_dollars: '0.6400',
  no_bid_dollars: '0.3600',
  no_ask_dollars: '0.3900',
  yes_bid_size_fp: '250.00',
  yes_ask_size_fp: '1033.47',
  last_price_dollars: '0.6200',
  previous_yes_bid_dollars: '0.5400',
  previous_yes_ask_dollars: '0.5700',
  previous_price_dollars: '0.5500',
  volume_fp: '1204.00',
  volume_24h_fp: '87.00',
  open_interest_fp: '933.00',
  price_level_structure: 'tapered_deci_cent',
  price_ranges: [
    { start: '0.0000', end: '0.1000', step: '0.0010' },
    { start: '0.1000', end: '0.9000', step: '0.0100' },
    { start: '0.9000', end: '1.0000', step: '0.0010' },
  ],
  settlement_bounds_type: 'default',
  exchange_index: 0,
};

export const SCALAR_MARKET: Wire = {
  ...DOLLARS_MARKET,
  ticker: 'KXTURNOUT-26-US',
  event_ticker: 'KXTURNOUT-26',
  market_type: 'scalar',
  status: 'finalized',
  result: 'scalar',
  settlement_value_dollars: '0.4700',
  settlement_ts: '2026-12-02T01:00:00.25Z',
  close_time: '2026-11-04T05:00:00Z',
  floor_strike: 40,
  cap_strike: 80,
};

export const COMBO_MARKET: Wire = {
  ...DOLLARS_MARKET,
  ticker: 'KXMVESPORTS-S2026A-1',
  event_ticker: 'KXMVESPORTS-S2026A',
  mve_collection_ticker: 'KXMVESPORTS-R',
  mve_selected_legs: [{ event_ticker: 'E', market_ticker: 'M', side: 'yes' }],
};

export const EVENT: Wire = {
  event_ticker: 'KXRAIN-26NOV30',
  series_ticker: 'KXRAIN',
  title: 'Rain on Nov 30?',
  sub_title: 'Nov 30',
  collateral_return_type: '',
  mutually_exclusive: false,
  strike_date: '2026-12-01T07:59:00Z',
  strike_period: null,
  product_metadata: { scope: 'City' },
  settlement_sources: [{ name: 'Weather office', url: 'https://example.org' }],
  fee_type_override: null,
  fee_multiplier_override: null,
  exchange_index: 0,
  category: 'Climate and Weather',
  markets: [DOLLARS_MARKET, BOTH_MARKET, COMBO_MARKET],
};

export const SERIES: Wire = {
  ticker: 'KXRAIN',
  title: 'Rain in cities',
  category: 'Climate and Weather',
  categories: ['Climate and Weather'],
  tags: ['Rain', 'Daily'],
  frequency: 'daily',
  fee_type: 'quadratic',
  fee_multiplier: 1,
  contract_url: '',
  contract_terms_url: '',
  settlement_sources: null,
  additional_prohibitions: null,
  volume_fp: '88120.50',
};

export const ORDER_BOOK: Wire = {
  orderbook_fp: {
    yes_dollars: [
      ['0.5900', '40.00'],
      ['0.6000', '512.25'],
      ['0.6100', '250.00'],
    ],
    no_dollars: [
      ['0.3500', '800.00'],
      ['0.3600', '1033.47'],
    ],
  },
};

export const CENTS_ORDER_BOOK: Wire = {
  orderbook: {
    yes: [
      [59, 40],
      [60, 512],
      [61, 250],
    ],
    no: [
      [35, 800],
      [36, 1033],
    ],
    yes_dollars: null,
  },
};

export const FILL: Wire = {
  fill_id: '8d1f2f5e-6a53-4f4d-9e34-0f36e2a1c001',
  trade_id: '8d1f2f5e-6a53-4f4d-9e34-0f36e2a1c001',
  order_id: 'o-1',
  ticker: 'KXRAIN-26NOV30-SEA',
  market_ticker: 'KXRAIN-26NOV30-SEA',
  outcome_side: 'yes',
  book_side: 'bid',
  count_fp: '14.11',
  yes_price_dollars: '0.8400',
  no_price_dollars: '0.1600',
  is_taker: true,
  fee_cost: '0.1328',
  created_time: '2026-11-20T21:03:44.512345Z',
  ts: 1_795_208_624,
  exchange_index: 0,
};

export const ORDER: Wire = {
  order_id: 'o-1',
  client_order_id: 'c-1',
  ticker: 'KXRAIN-26NOV30-SEA',
  outcome_side: 'yes',
  book_side: 'bid',
  type: 'limit',
  status: 'executed',
  yes_price_dollars: '0.8500',
  no_price_dollars: '0.1500',
  initial_count_fp: '14.11',
  fill_count_fp: '14.11',
  remaining_count_fp: '0.00',
  taker_fill_cost_dollars: '11.8524',
  taker_fees_dollars: '0.1328',
  created_time: '2026-11-20T21:03:44.5Z',
};

export const POSITION: Wire = {
  ticker: 'KXRAIN-26NOV30-SEA',
  position_fp: '-12.50',
  market_exposure_dollars: '4.5000',
  realized_pnl_dollars: '0.0000',
  fees_paid_dollars: '0.1100',
};

export const TRADE: Wire = {
  trade_id: 't-1',
  ticker: 'KXRAIN-26NOV30-SEA',
  count_fp: '3.25',
  yes_price_dollars: '0.6200',
  no_price_dollars: '0.3800',
  taker_outcome_side: 'no',
  taker_book_side: 'ask',
  created_time: '2026-11-20T21:03:44Z',
  is_block_trade: false,
};

export const CANDLE: Wire = {
  end_period_ts: 1_795_208_640,
  yes_bid: {
    open_dollars: '0.6000',
    low_dollars: '0.6000',
    high_dollars: '0.6100',
    close_dollars: '0.6100',
  },
  yes_ask: {
    open_dollars: '0.6400',
    low_dollars: '0.6300',
    high_dollars: '0.6400',
    close_dollars: '0.6400',
  },
  price: { open_dollars: null, close_dollars: null, previous_dollars: '0.6200' },
  volume_fp: '0.00',
  open_interest_fp: '933.00',
};

export const METADATA: Wire = {
  image_url: 'https://images.example.org/rain.webp',
  featured_image_url: '',
  market_details: [
    {
      market_ticker: 'KXRAIN-26NOV30-SEA',
      image_url: 'https://images.example.org/sea.webp',
      color_code: '#265CFF',
    },
  ],
  settlement_sources: [],
  competition: null,
  competition_scope: null,
};
