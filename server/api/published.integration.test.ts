import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { newTrader, openSession, type Session, type Trader } from './testing/apiSession.ts';

/**
 * The published interface, as a client reads it that knows nothing else: names, types, defaults and
 * bounds are written down here once more, by hand, and shared with nothing.
 */

type Json = Record<string, unknown>;
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const integer: Check = Number.isInteger;
const flag: Check = (value) => typeof value === 'boolean';
const object: Check = (value) => typeof value === 'object' && value !== null;
const list: Check = Array.isArray;
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isoTime = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const dollars = matching(/^\d+\.\d{2,}$/);
const decimal = matching(/^\d+(\.\d+)?$/);
const signed = matching(/^-?\d+(\.\d+)?$/);
const address = matching(/^0x[0-9a-fA-F]{40}$/);
const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const color = matching(/^#[0-9A-Fa-f]{6}$/);
const url: Check = (value) => text(value) && URL.canParse(String(value));

/** Names of fields that are missing or of another type than published. */
function wrong(value: unknown, fields: Record<string, Check>): string[] {
  return Object.entries(fields)
    .filter(([name, check]) => !check((value as Json)[name]))
    .map(([name]) => `${name}: ${JSON.stringify((value as Json)[name])}`);
}

const MARKET_STATUS = oneOf('unopened', 'open', 'paused', 'closed', 'settled');

const SINGLE_MARKET = {
  ticker: text,
  eventTicker: text,
  title: text,
  subtitle: text,
  status: MARKET_STATUS,
  marketType: oneOf('binary'),
  yesBid: number,
  yesAsk: number,
  noBid: number,
  noAsk: number,
  lastPrice: number,
  liquidity: number,
  rulesPrimary: text,
};
const MARKET = {
  ...SINGLE_MARKET,
  yesBidDollars: dollars,
  yesAskDollars: dollars,
  noBidDollars: dollars,
  noAskDollars: dollars,
  lastPriceDollars: dollars,
  liquidityDollars: dollars,
  volume: number,
  volume24h: number,
  openInterest: number,
  openTime: isoTime,
  closeTime: isoTime,
  expirationTime: isoTime,
  expectedEndTime: isoTime,
  rulesSecondary: text,
  yesSubTitle: text,
  noSubTitle: text,
  iconUrlDarkMode: url,
  iconUrlLightMode: url,
  backgroundColorLightMode: color,
  backgroundColorDarkMode: color,
};
const QUOTE = {
  fillable: flag,
  contracts: number,
  cost: number,
  costDollars: dollars,
  fee: number,
  feeDollars: dollars,
};
const SEARCH_EVENT = {
  series_ticker: text,
  series_title: text,
  event_ticker: text,
  event_subtitle: text,
  event_title: text,
  category: text,
  total_series_volume: number,
  total_volume: number,
  total_market_count: number,
  active_market_count: number,
  markets: list,
};
const SEARCH_MARKET = {
  ticker: text,
  yes_bid: number,
  yes_ask: number,
  last_price: number,
  yes_bid_dollars: dollars,
  yes_ask_dollars: dollars,
  last_price_dollars: dollars,
  price_delta: number,
  close_ts: isoTime,
  expected_expiration_ts: isoTime,
  open_ts: isoTime,
  score: number,
  yes_subtitle: text,
  no_subtitle: text,
  title: text,
  potential_payout_from_100_dollars: object,
  icon_url_dark_mode: url,
  icon_url_light_mode: url,
  background_color_light_mode: color,
  background_color_dark_mode: color,
};
const INTENT = { id: uuid, clientId: text, action: object, createdAt: isoTime };
const ORDER = {
  ...INTENT,
  status: oneOf('pending', 'executing', 'validated', 'completed', 'failed'),
  balanceValidatedAt: orNull(isoTime),
  txnFilledAt: orNull(isoTime),
  transactionHash: orNull(matching(/^0x[0-9a-f]{64}$/)),
  isComplete: flag,
  terminationReason: orNull(text),
};
const PORTFOLIO_ITEM = {
  id: uuid,
  chainId: integer,
  address,
  contractAddress: address,
  tokenId: text,
  amount: decimal,
  averageFillCost: decimal,
  unrealizedPnL: signed,
  updatedAt: isoTime,
};
const PORTFOLIO_TOKEN = {
  id: uuid,
  chainId: integer,
  contractAddress: address,
  tokenId: text,
  tokenType: oneOf('erc1155'),
  decimals: integer,
  tokenRepresentation: oneOf('venueMarket'),
  metadata: object,
};
const VENUE_MARKET = {
  id: uuid,
  tokenId: text,
  marketId: text,
  side: oneOf('yes', 'no'),
  exchange: text,
  name: text,
  subtitle: text,
  marketPrice: number,
  bidPrice: number,
  askPrice: number,
  settledAt: orNull(isoTime),
  createdAt: isoTime,
  updatedAt: isoTime,
};
const TOKEN = { name: text, description: text, properties: object, image: url };
const TOKEN_PROPERTIES = {
  decimals: integer,
  marketId: text,
  outcome: oneOf('yes', 'no'),
  tokenId: matching(/^0x[0-9a-f]+$/),
};
const CALLDATA = { success: oneOf(true), transactions: list, description: text };

const { contracts } = inject('sandbox');
let session: Session;
let trader: Trader;
let ticker: string;
let eventTicker: string;

const read = async (path: string, options: { key?: false; token?: string } = {}): Promise<Json> => {
  const response = await session.send('GET', path, options);
  expect(response.status, `${path} ${response.text}`).toBe(200);
  return response.body as Json;
};
const status = async (path: string) => (await session.send('GET', path)).status;
const rows = (body: Json, name: string) => body[name] as Json[];

beforeAll(async () => {
  session = await openSession();
  trader = await newTrader(session);
  const { markets } = (await read('/v1/prediction-market/markets?limit=200')) as unknown as {
    markets: { ticker: string; eventTicker: string; yesBid: number; yesAsk: number }[];
  };
  const liquid = markets.find((one) => one.yesBid > 10 && one.yesAsk < 90);
  ticker = liquid?.ticker ?? '';
  eventTicker = liquid?.eventTicker ?? '';
});

describe('GET /v1/prediction-market/markets', () => {
  const path = '/v1/prediction-market/markets';

  it('returns markets, count and cursor; 20 open ones by default', async () => {
    const body = await read(path);
    expect(wrong(body, { markets: list, count: number, cursor: text })).toEqual([]);
    expect(rows(body, 'markets')).toHaveLength(20);
    expect(body.count).toBe(20);
    for (const market of rows(body, 'markets')) {
      expect(wrong(market, MARKET)).toEqual([]);
      expect(market.status).toBe('open');
    }
  });

  it('takes every status, up to 1000 markets, up to 10 events and any list of tickers', async () => {
    for (const wanted of ['unopened', 'open', 'paused', 'closed', 'settled']) {
      const { markets } = await read(`${path}?status=${wanted}&limit=5`);
      for (const market of markets as Json[]) expect(market.status).toBe(wanted);
    }
    expect(await status(`${path}?limit=1000`)).toBe(200);
    expect(await status(`${path}?limit=1001`)).toBe(400);
    expect(await status(`${path}?limit=0`)).toBe(400);
    const events = (count: number) =>
      Array.from({ length: count }, (_, index) => `E${index}`).join(',');
    expect(await status(`${path}?eventTickers=${events(10)}`)).toBe(200);
    expect(await status(`${path}?eventTickers=${events(11)}`)).toBe(400);
    const ofEvent = await read(`${path}?eventTickers=${eventTicker},NONE`);
    for (const market of rows(ofEvent, 'markets')) expect(market.eventTicker).toBe(eventTicker);
    const named = await read(`${path}?tickers=${ticker},NONE`);
    expect(rows(named, 'markets').map((market) => market.ticker)).toEqual([ticker]);
  });

  it('given a cursor, returns the page after it', async () => {
    const first = await read(`${path}?limit=3`);
    const second = await read(`${path}?limit=3&cursor=${String(first.cursor)}`);
    const tickers = [...rows(first, 'markets'), ...rows(second, 'markets')].map(
      (one) => one.ticker,
    );
    expect(new Set(tickers).size).toBe(6);
  });
});

it('GET /v1/prediction-market/markets/{ticker} returns the market', async () => {
  const { market } = await read(`/v1/prediction-market/markets/${ticker}`);
  expect(wrong(market, SINGLE_MARKET)).toEqual([]);
});

it('GET /v1/prediction-market/markets/{ticker}/quote returns a quote; buy by default', async () => {
  const path = `/v1/prediction-market/markets/${ticker}/quote`;
  for (const query of ['side=yes&contracts=3', 'side=no&contracts=2.5&action=sell']) {
    expect(wrong(await read(`${path}?${query}`), QUOTE)).toEqual([]);
  }
  const bought = await read(`${path}?side=yes&contracts=3`);
  expect(bought).toMatchObject({ action: 'buy', contracts: 3, fillable: true });
  expect(Number(bought.costDollars) * 100).toBeCloseTo(Number(bought.cost), -1);
  for (const query of ['side=yes', 'contracts=1', 'side=both&contracts=1']) {
    expect(await status(`${path}?${query}`), query).toBe(400);
  }
});

describe('GET /v1/prediction-market/search', () => {
  const path = '/v1/prediction-market/search';

  it('returns events with their markets; 25 by default', async () => {
    const body = await read(path);
    expect(
      wrong(body, { total_results_count: number, current_page: list, next_cursor: text }),
    ).toEqual([]);
    expect(rows(body, 'current_page')).toHaveLength(25);
    for (const event of rows(body, 'current_page')) {
      expect(wrong(event, SEARCH_EVENT)).toEqual([]);
      for (const market of rows(event, 'markets')) expect(wrong(market, SEARCH_MARKET)).toEqual([]);
    }
  });

  it('takes every parameter', async () => {
    for (const query of [
      'query=rain',
      'page_size=1',
      'order_by=querymatch',
      'fuzzy_threshold=4',
      'with_milestones=true',
      'with_milestones=false',
      ...['open', 'unopened', 'closed', 'settled'].map((one) => `status=${one}`),
      'category=Politics',
      ...['hourly', 'daily', 'weekly', 'monthly', 'annual'].map((one) => `frequency=${one}`),
    ]) {
      expect(await status(`${path}?${query}`), query).toBe(200);
    }
    const first = await read(`${path}?page_size=2`);
    const next = await read(`${path}?page_size=2&cursor=${String(first.next_cursor)}`);
    const shown = [...rows(first, 'current_page'), ...rows(next, 'current_page')];
    expect(new Set(shown.map((event) => event.event_ticker)).size).toBe(4);
  });
});

describe('orders', () => {
  const chainToken = () => ({
    type: 'chain',
    data: { tokenId: '0', chainId: 8453, contractAddress: contracts.usdc },
  });
  const body = (clientId: string) => ({
    orderType: 'MarketOrder',
    order: {
      quoteToken: chainToken(),
      baseToken: { type: 'venue', data: { marketId: ticker, side: 'yes' } },
      orderType: 'BUY',
      baseQuantity: '2',
      maxQuoteQuantityIn: '2',
    },
    chainId: 8453,
    clientId,
    includeTokenTransfer: true,
    userAddress: trader.wallet.address,
    receiverAddress: trader.account,
  });

  it('POST, GET by id, by client id and in the list; then the portfolio holds the tokens', async () => {
    const clientId = crypto.randomUUID();
    const created = await session.send('POST', '/v1/order', {
      body: body(clientId),
      token: trader.token,
    });
    expect(created.status, created.text).toBe(200);
    const { success, intent } = created.body as { success: boolean; intent: Json };
    expect(success).toBe(true);
    expect(wrong(intent, INTENT)).toEqual([]);
    expect(intent.clientId).toBe(clientId);
    const { minQuoteQuantityOut, ...action } = (intent.action as { order: Json }).order;
    expect(minQuoteQuantityOut).toBeUndefined();
    expect(action).toEqual(body(clientId).order);
    expect(intent.action).toMatchObject({ orderType: 'MarketOrder', chainId: 8453 });

    const order = await vi.waitUntil(
      async () => {
        const seen = await read(`/v1/order/${String(intent.id)}`);
        expect(wrong(seen, ORDER)).toEqual([]);
        return seen.isComplete === true ? seen : undefined;
      },
      { timeout: 120_000, interval: 200 },
    );
    expect(order).toMatchObject({ status: 'completed', terminationReason: null });
    expect(await read(`/v1/order/by-client-id/${clientId}`)).toMatchObject({ id: intent.id });
    const listed = await read(`/v1/order?userAddress=${trader.wallet.address}`);
    for (const one of rows(listed, 'orders')) expect(wrong(one, ORDER)).toEqual([]);
    expect(rows(listed, 'orders').map((one) => one.id)).toContain(intent.id);

    // Without a credential, as in its usage examples.
    const held = (await read(`/v1/tokens/portfolio/${trader.wallet.address}`, {
      key: false,
    })) as unknown as Json[];
    expect(held).toHaveLength(1);
    const [entry] = held;
    expect(wrong(entry?.portfolioItem, PORTFOLIO_ITEM)).toEqual([]);
    expect(wrong(entry?.token, PORTFOLIO_TOKEN)).toEqual([]);
    expect(entry?.token).toMatchObject({ metadata: { marketId: ticker, side: 'yes' } });
    expect(wrong(entry?.venueMarket, VENUE_MARKET)).toEqual([]);
    expect(entry?.portfolioItem).toMatchObject({ chainId: 8453, amount: '2' });
  });

  it('POST calldata returns transactions with the key alone', async () => {
    const response = await session.send('POST', '/v1/order/calldata', {
      body: body(crypto.randomUUID()),
    });
    expect(response.status, response.text).toBe(200);
    expect(wrong(response.body, CALLDATA)).toEqual([]);
    for (const transaction of rows(response.body as Json, 'transactions')) {
      expect(
        wrong(transaction, { to: address, value: decimal, data: matching(/^0x([0-9a-f]{2})*$/) }),
      ).toEqual([]);
    }
  });

  it('POST withdraw returns an intent; both credentials are needed for it and for orders', async () => {
    const withdrawal = {
      intentType: 'Withdraw',
      destinationAddress: trader.wallet.address,
      amount: '1',
      tokenType: 'erc20',
      tokenAddress: contracts.usdc,
      clientId: crypto.randomUUID(),
    };
    const response = await session.send('POST', '/v1/order/withdraw', {
      body: withdrawal,
      token: trader.token,
    });
    expect(response.status, response.text).toBe(200);
    expect(wrong((response.body as Json).intent, INTENT)).toEqual([]);
    const tokens = { ...withdrawal, tokenType: 'erc1155', tokenAddress: contracts.outcomeToken };
    const refused = await session.refuse('POST', '/v1/order/withdraw', {
      body: { ...tokens, clientId: crypto.randomUUID() },
      token: trader.token,
    });
    expect(refused.errors.map((one) => one.pointer)).toEqual(['/tokenId']);
    for (const [path, sent] of [
      ['/v1/order', body(crypto.randomUUID())],
      ['/v1/order/withdraw', withdrawal],
    ] as const) {
      const keyOnly = await session.refuse('POST', path, { body: sent });
      expect(keyOnly).toMatchObject({ status: 401, code: 'token_missing' });
      const tokenOnly = await session.refuse('POST', path, {
        body: sent,
        key: false,
        token: trader.token,
      });
      expect(tokenOnly).toMatchObject({ status: 401, code: 'api_key_missing' });
    }
  });
});

describe('tokens, without any credential', () => {
  it('by market and side, and by every form of its id', async () => {
    for (const side of ['yes', 'no']) {
      const token = await read(`/v1/tokens/market/${ticker}/${side}`, { key: false });
      expect(wrong(token, TOKEN)).toEqual([]);
      expect(wrong(token.properties, TOKEN_PROPERTIES)).toEqual([]);
      const { tokenId, outcome } = token.properties as { tokenId: string; outcome: string };
      expect(outcome).toBe(side);
      for (const id of [tokenId, tokenId.slice(2), BigInt(tokenId).toString()]) {
        expect(await read(`/v1/tokens/${id}`, { key: false })).toEqual(token);
      }
      const image = await fetch(String(token.image));
      expect(image.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
      expect(await image.text()).toMatch(/^<svg[\s>]/);
    }
    const named = await read(`/v1/tokens/market/${ticker}/yes?exchange=kalshi`, { key: false });
    expect(wrong(named, TOKEN)).toEqual([]);
  });

  it('the portfolio is that of chain 8453 by default', async () => {
    const path = `/v1/tokens/portfolio/${trader.wallet.address}`;
    const [byDefault, named] = [await read(path), await read(`${path}?chainId=8453`)];
    expect((byDefault as unknown as Json[]).length).toBe((named as unknown as Json[]).length);
    expect(await status(`${path}?chainId=1`)).toBe(422);
  });
});

it('GET /v1/account returns the smart account of a wallet', async () => {
  const account = await read(`/v1/account?address=${trader.wallet.address}`);
  expect(account).toMatchObject({ owner: trader.wallet.address });
  expect(address(account.smartAccountAddress)).toBe(true);
});

it('every path that needs a key says so', async () => {
  for (const path of [
    '/v1/prediction-market/markets',
    `/v1/prediction-market/markets/${ticker}`,
    `/v1/prediction-market/markets/${ticker}/quote?side=yes&contracts=1`,
    '/v1/prediction-market/search',
    '/v1/order',
    '/v1/order/x',
    '/v1/order/by-client-id/x',
    `/v1/account?address=${trader.wallet.address}`,
  ]) {
    const refused = await session.refuse('GET', path, { key: false });
    expect(refused, path).toMatchObject({ status: 401, code: 'api_key_missing' });
  }
});
