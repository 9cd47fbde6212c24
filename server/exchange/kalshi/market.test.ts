import { describe, expect, it } from 'vitest';
import { readMarket } from './market.ts';
import { readOrderBook } from './orderBook.ts';

const NOW = new Date('2026-01-10T00:00:00Z');

/** Until early 2026: whole cents beside the dollars, numbers for counts. */
const OLDER = {
  ticker: 'KXA-26-B',
  event_ticker: 'KXA-26',
  market_type: 'binary',
  title: 'Will it?',
  subtitle: 'B',
  status: 'active',
  yes_bid: 14,
  yes_bid_dollars: '0.1400',
  yes_ask: 16,
  last_price: 16,
  previous_price: 12,
  volume: 1234,
  volume_24h: 56,
  open_interest: 789,
  liquidity: 5000,
  open_time: '2025-12-01T00:00:00Z',
  close_time: '2026-02-01T00:00:00Z',
  expiration_time: '2026-02-08T00:00:00Z',
  result: '',
  category: 'World',
  risk_limit_cents: 0,
};

/** Since then: dollars only, counts as strings, times with microseconds. */
const NEWER = {
  ticker: 'KXA-26-B',
  event_ticker: 'KXA-26',
  market_type: 'binary',
  title: 'Will it?',
  yes_sub_title: 'B',
  no_sub_title: 'B',
  status: 'active',
  yes_bid_dollars: '0.1400',
  yes_ask_dollars: '0.1600',
  yes_bid_size_fp: '10.50',
  yes_ask_size_fp: '20.00',
  last_price_dollars: '0.1600',
  previous_price_dollars: '0.1200',
  volume_fp: '1234.00',
  volume_24h_fp: '56.00',
  open_interest_fp: '789.00',
  created_time: '2025-11-30T10:00:00.177469Z',
  updated_time: '2025-12-02T10:00:00.1Z',
  open_time: '2025-12-01T00:00:00Z',
  close_time: '2026-02-01T00:00:00Z',
  latest_expiration_time: '2026-02-08T00:00:00Z',
  settlement_bounds_type: 'default',
  price_level_structure: 'deci_cent',
  price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0010' }],
  result: '',
  brand_new_field: { nested: true },
};

describe('readMarket', () => {
  it.each([
    ['older', OLDER],
    ['newer', NEWER],
  ])('reads the %s form', (_era, wire) => {
    expect(readMarket(wire, NOW)).toMatchObject({
      ticker: 'KXA-26-B',
      status: 'open',
      yesSubTitle: 'B',
      yesBidMicros: 140_000n,
      yesAskMicros: 160_000n,
      lastPriceMicros: 160_000n,
      previousPriceMicros: 120_000n,
      volumeContractMicros: 1_234_000_000n,
      volume24hContractMicros: 56_000_000n,
      openInterestContractMicros: 789_000_000n,
      isOffered: true,
    });
  });

  it('takes the grid from the ranges and falls back to cents', () => {
    expect(readMarket(NEWER, NOW)?.priceRanges[0]?.stepMicros).toBe(1_000n);
    expect(readMarket(OLDER, NOW)?.priceRanges[0]?.stepMicros).toBe(10_000n);
  });

  it.each([
    [{ status: 'initialized' }, 'unopened'],
    [{ status: 'inactive' }, 'paused'],
    [{ status: 'active', close_time: '2026-01-09T00:00:00Z' }, 'closed'],
    [{ status: 'determined', result: 'yes' }, 'closed'],
    [{ status: 'amended', result: 'no' }, 'closed'],
    [{ status: 'finalized', result: 'yes' }, 'settled'],
    [{ status: 'quantum' }, 'closed'],
  ])('takes %o as %s', (change, status) => {
    const market = readMarket({ ...NEWER, ...change }, NOW);
    expect(market?.status).toBe(status);
    expect(market?.final === undefined).toBe(status !== 'settled');
  });

  it.each([
    [{ result: 'yes' }, 1_000_000n, 'yes'],
    [{ result: 'no', settlement_value_dollars: '0.0000' }, 0n, 'no'],
    [{ result: 'scalar', settlement_value_dollars: '0.5000' }, 500_000n, 'scalar'],
  ])('pays a final %o at %s', (change, payoutYesMicros, result) => {
    const market = readMarket({ ...NEWER, status: 'finalized', ...change }, NOW);
    expect(market?.final).toMatchObject({ payoutYesMicros, result });
  });

  it.each([
    [{ result: 'scalar' }],
    [{ result: '', settlement_value_dollars: '0.3700' }],
    [{ result: 'partial', settlement_value_dollars: '0.3700' }],
    [{ settlement_value_dollars: '0.3700' }],
  ])('given a final market with %o, pays nothing', (change) => {
    const market = readMarket({ ...NEWER, status: 'finalized', ...change }, NOW);
    expect(market?.status).toBe('settled');
    expect(market?.final).toBe(undefined);
  });

  it('reads empty sides at zero and at a dollar, and refuses a record without a ticker', () => {
    const empty = { ...NEWER, yes_bid_dollars: '0.0000', yes_ask_dollars: '1.0000' };
    expect(readMarket(empty, NOW)).toMatchObject({ yesBidMicros: null, yesAskMicros: null });
    expect(readMarket({ title: 'x' }, NOW)).toBe(undefined);
  });

  it('does not offer combinations and provisional listings', () => {
    expect(readMarket({ ...NEWER, ticker: 'KXMVEX-1' }, NOW)?.isOffered).toBe(false);
    expect(readMarket({ ...NEWER, is_provisional: true }, NOW)?.isOffered).toBe(false);
  });
});

describe('times of a market', () => {
  const ends = (wire: object) => {
    const market = readMarket({ ...NEWER, ...wire }, NOW);
    return [market?.expectedEndAt.toISOString(), market?.closeAt.toISOString()];
  };
  const deadline = '2026-02-01T00:00:00.000Z';

  it.each([
    ['nothing else, the deadline is the end', {}, deadline],
    [
      'an expected expiration, it is the end',
      { expected_expiration_time: '2026-01-20T00:00:00Z' },
      '2026-01-20T00:00:00.000Z',
    ],
    [
      'an occurrence too, the occurrence is the end',
      {
        expected_expiration_time: '2026-01-20T00:00:00Z',
        occurrence_datetime: '2026-01-19T23:30:00Z',
      },
      '2026-01-19T23:30:00.000Z',
    ],
    [
      'an expected expiration after the deadline, the deadline is the end',
      { expected_expiration_time: '2026-02-08T00:00:00Z' },
      deadline,
    ],
  ])('given %s', (_, wire, end) => {
    expect(ends(wire)).toEqual([end, deadline]);
  });
});

describe('strikes and results of a market', () => {
  it('given a floor of a player, reads number and player', () => {
    const wire = { ...NEWER, floor_strike: 2.5, custom_strike: { baseball_player: 'webb' } };
    expect(readMarket(wire, NOW)).toMatchObject({ strike: 2.5, strikeGroup: 'webb' });
  });

  it('given neither, has no strike', () => {
    expect(readMarket(NEWER, NOW)).toMatchObject({ strike: null, strikeGroup: null });
  });

  it.each([
    ['determined', 'yes', 'yes'],
    ['disputed', 'no', 'no'],
    ['active', 'yes', null],
    ['finalized', 'yes', null],
  ])('given status %s and result "%s", proposes %s', (status, result, proposedResult) => {
    expect(readMarket({ ...NEWER, status, result }, NOW)).toMatchObject({ proposedResult });
  });
});

describe('readOrderBook', () => {
  it('given any order on the wire, puts the best level first', () => {
    const book = readOrderBook('T', {
      orderbook_fp: {
        yes_dollars: [
          ['0.7800', '45938.68'],
          ['0.7900', '33328.87'],
          ['0.8000', '16529.55'],
        ],
        no_dollars: [
          ['0.1900', '375864.43'],
          ['0.1700', '2897298.68'],
        ],
      },
    });
    expect(book.yesBids.map((level) => level.priceMicros)).toEqual([800_000n, 790_000n, 780_000n]);
    expect(book.noBids[0]).toEqual({ priceMicros: 190_000n, contractMicros: 375_864_430_000n });
  });

  it.each([
    [{ orderbook_fp: { yes_dollars: null } }],
    [{ orderbook_fp: {} }],
    [{ orderbook: { yes: null, no: [] } }],
    [{}],
  ])('takes %o as an empty book', (body) => {
    expect(readOrderBook('T', body)).toEqual({ ticker: 'T', yesBids: [], noBids: [] });
  });

  it('reads older books of cents and whole counts', () => {
    const book = readOrderBook('T', { orderbook: { yes: [[14, 100]], no: [[80, 5]] } });
    expect(book.yesBids).toEqual([{ priceMicros: 140_000n, contractMicros: 100_000_000n }]);
    expect(book.noBids).toEqual([{ priceMicros: 800_000n, contractMicros: 5_000_000n }]);
  });
});
