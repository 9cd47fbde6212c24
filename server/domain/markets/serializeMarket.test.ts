import { describe, expect, it } from 'vitest';
import { marketSchema } from '#lib/api/schemas/market.ts';
import { quoteSchema } from '#lib/api/schemas/quote.ts';
import { searchEventSchema } from '#lib/api/schemas/search.ts';
import type { MarketRecord } from './catalogue/types.ts';
import {
  serializeMarket,
  serializeOrderBook,
  serializeQuote,
  serializeSearchEvent,
} from './serializeMarket.ts';

const AT = new Date('2026-11-21T05:00:00.000Z');
const BASE_URL = 'https://crossbook.test';

const record: MarketRecord = {
  ticker: 'KXRAIN-26DEC01-SF',
  eventTicker: 'KXRAIN-26DEC01',
  seriesTicker: 'KXRAIN',
  title: 'Will it rain?',
  subtitle: '',
  yesSubTitle: 'Rain',
  noSubTitle: 'No rain',
  status: 'open',
  marketType: 'binary',
  shard: 0,
  category: 'Weather',
  yesBidMicros: 552_000n,
  yesAskMicros: 560_100n,
  noBidMicros: 439_900n,
  noAskMicros: 448_000n,
  lastPriceMicros: 555_000n,
  previousPriceMicros: 500_000n,
  liquidityUsdcMicros: 12_345_678n,
  volumeContractMicros: 1_250_000n,
  volume24hContractMicros: 0n,
  openInterestContractMicros: 1_000_000n,
  createdAt: AT,
  updatedAt: AT,
  openAt: AT,
  closeAt: AT,
  expirationAt: AT,
  expectedEndAt: AT,
  canCloseEarly: false,
  earlyCloseCondition: '',
  proposedResult: null,
  strike: null,
  strikeGroup: null,
  settledAt: null,
  payoutYesMicros: null,
  result: null,
  rulesPrimary: '',
  rulesSecondary: '',
  iconUrlDarkMode: '/icons/dark.svg',
  iconUrlLightMode: 'https://exchange.test/light.webp',
  backgroundColorDarkMode: '#111111',
  backgroundColorLightMode: '#EEEEEE',
};

describe('a market', () => {
  it('keeps dollars exact and rounds only cents', () => {
    const response = marketSchema.parse(serializeMarket(record, BASE_URL));
    expect(response).toMatchObject({
      yesBid: 55,
      yesBidDollars: '0.5520',
      yesAsk: 56,
      yesAskDollars: '0.5601',
      lastPrice: 56,
      lastPriceDollars: '0.5550',
      previousPriceDollars: '0.5000',
      shard: 0,
      liquidity: 1235,
      liquidityDollars: '12.345678',
      volume: 1.25,
      settlement: null,
    });
  });

  it('returns icons as absolute addresses of any host', () => {
    expect(serializeMarket(record, BASE_URL)).toMatchObject({
      iconUrlDarkMode: 'https://crossbook.test/icons/dark.svg',
      iconUrlLightMode: 'https://exchange.test/light.webp',
    });
  });

  it('returns an empty book and a market without trades as numbers', () => {
    const empty = {
      ...record,
      yesBidMicros: null,
      yesAskMicros: null,
      noBidMicros: null,
      noAskMicros: null,
      lastPriceMicros: null,
    };
    expect(marketSchema.parse(serializeMarket(empty, BASE_URL))).toMatchObject({
      yesBid: 0,
      yesAsk: 100,
      noBid: 0,
      noAsk: 100,
      lastPrice: 0,
      yesAskDollars: '1.0000',
    });
  });

  it('returns the payout of each side after settlement', () => {
    const settled = { ...record, result: 'scalar' as const, payoutYesMicros: 250_000n };
    expect(serializeMarket({ ...settled, settledAt: AT }, BASE_URL).settlement).toEqual({
      result: 'scalar',
      payoutYesDollars: '0.2500',
      payoutNoDollars: '0.7500',
      settledAt: AT.toISOString(),
    });
  });
});

it('a search result returns the payout of 100 dollars when there is an offer', () => {
  const event = {
    eventTicker: 'E',
    seriesTicker: 'S',
    seriesTitle: '',
    title: '',
    subtitle: '',
    category: '',
    frequency: 'daily',
    mutuallyExclusive: false,
    totalVolumeContractMicros: 1_000_000n,
    totalSeriesVolumeContractMicros: 2_000_000n,
    totalMarketCount: 1,
    activeMarketCount: 1,
    iconUrlDarkMode: '/d.svg',
    iconUrlLightMode: '/l.svg',
    backgroundColorDarkMode: '#111111',
    backgroundColorLightMode: '#EEEEEE',
    score: 3,
    markets: [{ ...record, noAskMicros: null, yesAskMicros: 160_000n, score: 1 }],
    milestones: [{ id: 'm', type: 'football_game', title: 'Kick-off', startsAt: AT, endsAt: null }],
    moreInSeries: 2,
  };
  const response = searchEventSchema.parse(
    serializeSearchEvent(event, { publicBaseUrl: BASE_URL, withMilestones: true }),
  );
  const [market] = response.markets;
  expect(response.milestones).toEqual([
    {
      id: 'm',
      type: 'football_game',
      title: 'Kick-off',
      starts_ts: AT.toISOString(),
      ends_ts: null,
    },
  ]);
  const without = serializeSearchEvent(event, { publicBaseUrl: BASE_URL, withMilestones: false });
  expect(without).not.toHaveProperty('milestones');
  expect(response.more_in_series).toBe(2);
  const alone = { ...event, moreInSeries: undefined };
  const single = serializeSearchEvent(alone, { publicBaseUrl: BASE_URL, withMilestones: false });
  expect(single).not.toHaveProperty('more_in_series');
  expect(market?.potential_payout_from_100_dollars).toEqual({ yes: '625.00', no: null });
  expect(market?.price_delta).toBe(6);
});

describe('a quote', () => {
  const quote = {
    fillable: true,
    contractMicros: 10_000_000n,
    costUsdcMicros: 5_775_001n,
    feeUsdcMicros: 175_001n,
    bestPriceMicros: 550_000n,
    worstPriceMicros: 570_000n,
  };
  const asked = { ticker: 'T', side: 'yes', contractMicros: 10_000_000n } as const;
  const largest = { buy: 1_234_567_891n, sell: 250_000_000n };

  it('computes the average before the fee, which a buy pays on top', () => {
    const response = quoteSchema.parse(
      serializeQuote({ ...asked, action: 'buy' }, { quote, asOf: AT, largest }),
    );
    expect(response).toMatchObject({
      cost: 578,
      costDollars: '5.775001',
      fee: 18,
      averagePriceDollars: '0.5600',
      worstPriceDollars: '0.5700',
      largestOrderDollars: '1234.567891',
    });
  });

  it('computes the average before the fee, which is deducted from a sale', () => {
    const sale = { ...quote, costUsdcMicros: 5_424_999n };
    const response = quoteSchema.parse(
      serializeQuote({ ...asked, action: 'sell' }, { quote: sale, asOf: AT, largest }),
    );
    expect(response.averagePriceDollars).toBe('0.5600');
    expect(response.largestOrderDollars).toBe('250.00');
  });

  it('has no price when no contracts are available', () => {
    const none = {
      fillable: false,
      contractMicros: 0n,
      costUsdcMicros: 0n,
      feeUsdcMicros: 0n,
      bestPriceMicros: undefined,
      worstPriceMicros: undefined,
    };
    expect(
      quoteSchema.parse(
        serializeQuote({ ...asked, action: 'buy' }, { quote: none, asOf: AT, largest: undefined }),
      ),
    ).toMatchObject({
      fillable: false,
      contracts: 0,
      averagePriceDollars: null,
      bestPriceDollars: null,
      largestOrderDollars: null,
    });
  });
});

it('an order book shows every bid as the other side’s offer, best first', () => {
  const book = serializeOrderBook(
    {
      ticker: 'T',
      yesBids: [
        { priceMicros: 550_000n, contractMicros: 2_000_000n },
        { priceMicros: 540_000n, contractMicros: 1_000_000n },
      ],
      noBids: [{ priceMicros: 430_000n, contractMicros: 5_000_000n }],
    },
    AT,
  );
  expect(book.noAsks.map((level) => level.priceDollars)).toEqual(['0.4500', '0.4600']);
  expect(book.yesAsks).toEqual([{ priceDollars: '0.5700', contracts: 5 }]);
});
