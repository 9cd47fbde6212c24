import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Market, MarketList, ScoreList } from '#lib/api/schemas/market.ts';
import type { Quote } from '#lib/api/schemas/quote.ts';
import type { SearchResult } from '#lib/api/schemas/search.ts';
import { openMarket, openSession, type Session } from './testing/apiSession.ts';

/** Markets change while a test compares responses. */
const PATIENTLY = { timeout: 120_000, interval: 250 };

let session: Session;
let market: Market;

beforeAll(async () => {
  session = await openSession();
  market = await openMarket(session);
});

const markets = '/v1/prediction-market/markets';

describe('GET /v1/prediction-market/markets 200', () => {
  it('lists 20 open markets by default', async () => {
    const { body } = await session.send('GET', markets);
    const list = body as MarketList;
    expect(list.count).toBe(list.markets.length);
    expect(list.markets).toHaveLength(20);
    expect(new Set(list.markets.map((one) => one.status))).toEqual(new Set(['open']));
  });

  it('pages through all of them, each once', async () => {
    const seen = new Set<string>();
    let cursor = '';
    do {
      const { body } = await session.send(
        'GET',
        `${markets}?limit=50${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      const list = body as MarketList;
      for (const one of list.markets) {
        expect(seen.has(one.ticker), one.ticker).toBe(false);
        seen.add(one.ticker);
      }
      cursor = list.cursor;
    } while (cursor !== '');
    expect(seen.size).toBeGreaterThan(20);
  });

  it('filters by event and by ticker', async () => {
    const byEvent = await session.send('GET', `${markets}?eventTickers=${market.eventTicker}`);
    const events = (byEvent.body as MarketList).markets.map((one) => one.eventTicker);
    expect(new Set(events)).toEqual(new Set([market.eventTicker]));
    const byTicker = await session.send('GET', `${markets}?tickers=${market.ticker}`);
    expect((byTicker.body as MarketList).markets.map((one) => one.ticker)).toEqual([market.ticker]);
  });

  it('returns named markets of any status when asked for all', async () => {
    const others = ['settled', 'closed', 'unopened'].map(async (status) => {
      const { body } = await session.send('GET', `${markets}?status=${status}&limit=1`);
      return (body as MarketList).markets;
    });
    const [other] = (await Promise.all(others)).flat();
    expect(other).toBeDefined();
    const named = `${markets}?tickers=${market.ticker},${other?.ticker}`;
    const open = (await session.send('GET', named)).body as MarketList;
    expect(open.markets.map((one) => one.ticker)).toEqual([market.ticker]);
    const all = (await session.send('GET', `${named}&status=all`)).body as MarketList;
    expect(new Set(all.markets.map((one) => one.ticker))).toEqual(
      new Set([market.ticker, other?.ticker]),
    );
  });
});

it('GET /v1/prediction-market/markets 400 for values out of bounds', async () => {
  const elevenEvents = Array.from({ length: 11 }, (_, index) => `E${index}`).join(',');
  const cases = {
    'limit=0': '/query/limit',
    'limit=1001': '/query/limit',
    'limit=abc': '/query/limit',
    'status=finished': '/query/status',
    [`eventTickers=${elevenEvents}`]: '/query/eventTickers',
    'cursor=%00': '/query/cursor',
    'ticker=X': '/query/ticker',
  };
  for (const [query, pointer] of Object.entries(cases)) {
    const refused = await session.refuse('GET', `${markets}?${query}`);
    expect(refused, query).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(refused.errors.map((one) => one.pointer)).toContain(pointer);
  }
});

it('GET /v1/prediction-market/markets/{ticker} 200 and 404', async () => {
  const { body } = await session.send('GET', `${markets}/${market.ticker}`);
  expect((body as { market: Market }).market).toMatchObject({
    ticker: market.ticker,
    marketType: 'binary',
    rulesPrimary: market.rulesPrimary,
  });
  const refused = await session.refuse('GET', `${markets}/NO-SUCH-MARKET`);
  expect(refused).toMatchObject({ status: 404, code: 'market_not_found' });
});

it('publishes the same price in cents and in dollars', () => {
  for (const name of ['yesBid', 'yesAsk', 'noBid', 'noAsk', 'lastPrice'] as const) {
    expect(Math.round(Number(market[`${name}Dollars`]) * 100), name).toBe(market[name]);
  }
});

describe('GET /v1/prediction-market/markets/{ticker}/quote', () => {
  const quote = (query: string) => `${markets}/${market.ticker}/quote?${query}`;

  it('200: a buy costs the average price and the fee', async () => {
    const { body } = await session.send('GET', quote('side=yes&contracts=10'));
    const response = body as Quote;
    expect(response).toMatchObject({ fillable: true, contracts: 10, action: 'buy', side: 'yes' });
    const value = Number(response.averagePriceDollars) * 10;
    expect(Number(response.costDollars)).toBeCloseTo(value + Number(response.feeDollars), 3);
  });

  it('200: a sale brings less than the same buy costs', async () => {
    const buy = await session.send('GET', quote('side=no&contracts=5'));
    const sell = await session.send('GET', quote('side=no&contracts=5&action=sell'));
    const costs = Number((buy.body as Quote).costDollars);
    expect(Number((sell.body as Quote).costDollars)).toBeLessThan(costs);
  });

  it('200: what the book does not hold is not fillable', async () => {
    const { body } = await session.send('GET', quote('side=yes&contracts=900000000'));
    const response = body as Quote;
    expect(response.fillable).toBe(false);
    expect(response.contracts).toBeLessThan(900_000_000);
  });

  it.each([
    ['contracts=10', '/query/side'],
    ['side=yes', '/query/contracts'],
    ['side=maybe&contracts=1', '/query/side'],
    ['side=yes&contracts=-1', '/query/contracts'],
    ['side=yes&contracts=-0', '/query/contracts'],
    ['side=yes&contracts=1e3', '/query/contracts'],
    ['side=yes&contracts=9999999999999', '/query/contracts'],
    ['side=yes&contracts=NaN', '/query/contracts'],
    ['side=yes&contracts=1.0000001', '/query/contracts'],
    ['side=yes&contracts=1&contracts=2', '/query/contracts'],
    ['side=yes&contracts=1&action=short', '/query/action'],
  ])('400 for %s', async (query, pointer) => {
    const refused = await session.refuse('GET', quote(query));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(refused.errors.map((one) => one.pointer)).toContain(pointer);
  });

  it.each(['0', '0.00'])('422 for %s contracts, like an order for none', async (contracts) => {
    const refused = await session.refuse('GET', quote(`side=yes&contracts=${contracts}`));
    expect(refused).toMatchObject({ status: 422, code: 'quantity_not_allowed' });
    expect(refused.errors.map((one) => one.pointer)).toEqual(['/query/contracts']);
  });

  it('404 for a market that does not exist', async () => {
    const refused = await session.refuse('GET', `${markets}/NOPE/quote?side=yes&contracts=1`);
    expect(refused).toMatchObject({ status: 404, code: 'market_not_found' });
  });
});

it('order book, trades, prices and event 200', async () => {
  for (const part of ['orderbook', 'trades', 'trades?limit=5', 'price-history?range=1w']) {
    expect((await session.send('GET', `${markets}/${market.ticker}/${part}`)).status).toBe(200);
    expect((await session.refuse('GET', `${markets}/NOPE/${part}`)).status).toBe(404);
  }
  const refused = await session.refuse('GET', `${markets}/${market.ticker}/trades?cursor=made-up`);
  expect(refused.errors.map((one) => one.pointer)).toEqual(['/query/cursor']);
  const event = await session.send('GET', `/v1/prediction-market/events/${market.eventTicker}`);
  const { markets: ofEvent } = (event.body as { event: { markets: Market[] } }).event;
  expect(ofEvent.map((one) => one.ticker)).toContain(market.ticker);
  expect((await session.refuse('GET', '/v1/prediction-market/events/NOPE')).status).toBe(404);
});

describe('GET /v1/prediction-market/search', () => {
  it('200: finds a market by words of its title', async () => {
    const words = market.title.split(' ').slice(0, 4).join(' ');
    const { body } = await session.send(
      'GET',
      `/v1/prediction-market/search?query=${encodeURIComponent(words)}`,
    );
    const found = body as SearchResult;
    expect(found.total_results_count).toBeGreaterThan(0);
    expect(found.current_page.map((one) => one.event_ticker)).toContain(market.eventTicker);
  });

  it('200: pages without repeating an event', async () => {
    const first = await session.send('GET', '/v1/prediction-market/search?page_size=5');
    const { next_cursor: cursor, current_page: page } = first.body as SearchResult;
    const second = await session.send(
      'GET',
      `/v1/prediction-market/search?page_size=5&cursor=${encodeURIComponent(cursor)}`,
    );
    const seen = new Set(page.map((one) => one.event_ticker));
    const next = (second.body as SearchResult).current_page;
    expect(next.length).toBeGreaterThan(0);
    for (const one of next) expect(seen.has(one.event_ticker)).toBe(false);
  });

  it('200: gives events with their milestones, or without when asked to', async () => {
    const first = async (query: string) => {
      const { body } = await session.send(
        'GET',
        `/v1/prediction-market/search?page_size=1${query}`,
      );
      return (body as SearchResult).current_page[0];
    };
    expect((await first(''))?.milestones).toBeInstanceOf(Array);
    expect((await first('&with_milestones=true'))?.milestones).toBeInstanceOf(Array);
    expect(await first('&with_milestones=false')).not.toHaveProperty('milestones');
  });

  it('200: one event of each series and the corrected words when asked to', async () => {
    const read = async (parameters: string) =>
      (await session.send('GET', `/v1/prediction-market/search?${parameters}`))
        .body as SearchResult;
    const eventsOf = ({ current_page: page }: SearchResult) =>
      page.map((one) => one.event_ticker).toSorted();
    // Markets trade and end from one response to the next: one pair of responses must agree.
    const all = await vi.waitFor(async () => {
      const [named, alias] = [
        await read('q=bitcion&page_size=100'),
        await read('query=bitcion&page_size=100'),
      ];
      expect(eventsOf(named)).toEqual(eventsOf(alias));
      expect([named.corrected_query, alias.corrected_query]).toEqual(['bitcoin', 'bitcoin']);
      return named;
    }, PATIENTLY);
    expect(all.current_page[0]).not.toHaveProperty('more_in_series');
    expect(await read('q=bitcoin')).not.toHaveProperty('corrected_query');
    expect(await read('q=bitcion&fuzzy_threshold=0')).not.toHaveProperty('corrected_query');
    await vi.waitFor(async () => {
      const grouped = await read('q=bitcion&page_size=100&group_by=series');
      const series = grouped.current_page.map((one) => one.series_ticker);
      expect(new Set(series).size).toBe(series.length);
      const [first] = grouped.current_page;
      const ofSeries = await read(`q=bitcion&series=${first?.series_ticker}`);
      expect(ofSeries.total_results_count).toBe((first?.more_in_series ?? 0) + 1);
      expect(ofSeries.current_page[0]?.event_ticker).toBe(first?.event_ticker);
    }, PATIENTLY);
  });

  it.each([
    "query=';drop table markets;--",
    'query=%25%5f',
    'query=%F0%9F%8C%A7',
    'query=a%26%7C%21%28%29%3A*',
    'query=&order_by=closing&fuzzy_threshold=0&with_milestones=false',
    'query=rian&category=Nothing&frequency=daily&status=settled',
  ])('200: takes %s as text', async (query) => {
    const { status } = await session.send('GET', `/v1/prediction-market/search?${query}`);
    expect(status).toBe(200);
  });

  it.each([
    ['order_by=best', '/query/order_by'],
    ['page_size=0', '/query/page_size'],
    ['with_milestones=1', '/query/with_milestones'],
    ['status=paused', '/query/status'],
    ['text=rain', '/query/text'],
    ['group_by=market', '/query/group_by'],
    ['cursor=abc', '/query/cursor'],
  ])('400 for %s', async (query, pointer) => {
    const refused = await session.refuse('GET', `/v1/prediction-market/search?${query}`);
    expect(refused.status).toBe(400);
    expect(refused.errors.map((one) => one.pointer)).toContain(pointer);
  });
});

it('401 without a key on every market path', async () => {
  for (const path of [markets, `${markets}/${market.ticker}`, '/v1/prediction-market/search']) {
    const refused = await session.refuse('GET', path, { key: false });
    expect(refused).toMatchObject({ status: 401, code: 'api_key_missing' });
  }
});

describe('GET /v1/prediction-market/scores', () => {
  const scores = '/v1/prediction-market/scores?eventTickers=';

  it('200: gives the score of a game that is on, and nothing for other events', async () => {
    // The hourly league always plays; the next round begins as one ends.
    const { body } = await session.send(
      'GET',
      '/v1/prediction-market/search?query=Three-a-Side&page_size=50&status=open',
    );
    const events = (body as SearchResult).current_page.map(({ event_ticker }) => event_ticker);
    const asked = [market.eventTicker, ...events].join(',');
    const read = async () =>
      ((await session.send('GET', `${scores}${asked}`)).body as ScoreList).scores;
    await vi.waitFor(async () => {
      const given = await read();
      expect(given.length).toBeGreaterThan(0);
      for (const { ageSeconds } of given) expect(ageSeconds).toBeLessThan(20);
      const tickers = given.map(({ eventTicker }) => eventTicker);
      expect(events).toEqual(expect.arrayContaining(tickers));
    }, PATIENTLY);
  });

  it('400: names what is wrong', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `E${index}`).join(',');
    for (const given of ['', many]) {
      const { errors } = await session.refuse('GET', `${scores}${given}`);
      expect(errors[0]?.pointer).toMatch(/^\/query\/eventTickers/);
    }
  });
});
