import { beforeAll, describe, expect, it } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { listNewlyFinal, readFinalResult } from '#server/domain/markets/catalogue/finalResults.ts';
import { listPriceHistory } from '#server/domain/markets/prices/history.ts';
import { listLiveScores } from '#server/domain/markets/scores/liveScores.ts';
import { createScoreboard } from '#server/domain/markets/scores/scoreboard.ts';
import { searchMarkets } from '#server/domain/markets/search/search.ts';
import { syncMetadata } from '#server/domain/markets/sync/metadata.ts';
import { preparePage } from '#server/domain/markets/sync/page.ts';
import { layOutPage, storePage } from '#server/domain/markets/sync/storePage.ts';
import { readSyncState } from '#server/domain/markets/sync/syncState.ts';
import { syncAll, syncMarkets } from '#server/domain/markets/sync/tasks.ts';
import { getListedEvent, getListedMarket } from '#server/domain/markets/sync/unmirrored.ts';
import { createKalshiExchange } from '#server/exchange/kalshi/kalshiExchange.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';
import { runSync } from './testing/startSync.ts';
import { BUSY_TICKER, startTestExchange, type TestExchange } from './testing/testExchange.ts';

/** The mirror over a thousand markets: killed, resumed, read again, and given results. */
const BENCHMARK_MARKETS = 1_000;
/** Each reads the whole list several times. */
const TIMEOUT_MS = 240_000;
const PATIENCE_MS = 10_000;
let exchange: TestExchange;
let databaseUrl = '';
let database: Database;

beforeAll(async () => {
  exchange = await startTestExchange('ed25519', { benchmarkMarkets: BENCHMARK_MARKETS });
  const migrated = await startMigratedDatabase();
  ({ url: databaseUrl, database } = migrated);
  return async () => {
    await migrated.close();
    await exchange.remove();
  };
});

async function count(query: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(query);
  return Number(rows[0]?.count);
}

const countMarkets = () => count('select count(*) from markets');

/** Reads the whole list in this process; returns how many requests that took. */
async function syncHere(): Promise<number> {
  let requests = 0;
  const log = createLog('test', 'silent');
  const { catalogue } = createKalshiExchange({
    ...exchange,
    credentials: exchange,
    log,
    fetch: (input, init) => {
      requests += 1;
      return fetch(input, init);
    },
  });
  await syncAll({ database, catalogue, log, signal: new AbortController().signal });
  return requests;
}

/** The versions of all rows that only a full read writes. */
async function readVersions(): Promise<Map<string, string>> {
  const { rows } = await database.pool.query<{ ticker: string; version: string }>(
    `select ticker, xmin::text as version from markets where series_ticker like 'KXBENCH%'
     union all select ticker, xmin::text from events where series_ticker like 'KXBENCH%'`,
  );
  return new Map(rows.map((row) => [row.ticker, row.version]));
}

it(
  'given a kill, resumes and ends complete; given no change, writes nothing',
  async () => {
    expect(await runSync(exchange, databaseUrl, 2)).toBe(undefined);
    const { underWay } = await readSyncState({ database });
    const before = await countMarkets();
    expect(before).toBeGreaterThan(0);
    expect(underWay?.markets).toBeGreaterThan(0);

    await exchange.control('clock', { freeze: true });
    const resumed = await syncHere();
    const { lastFull, underWay: none } = await readSyncState({ database });
    expect(none).toBe(undefined);
    // The second run continues from the first, and requests fewer pages than there are.
    expect(lastFull?.begunAt).toBe(underWay?.begunAt);
    const listed = await count(`select count(*) from markets where series_ticker like 'KXBENCH%'`);
    expect(listed).toBe(BENCHMARK_MARKETS);
    expect(resumed).toBeLessThan(await syncHere());
    const versions = await readVersions();
    await syncHere();
    expect(await readVersions()).toEqual(versions);
    await exchange.control('clock', { run: true });
  },
  TIMEOUT_MS,
);

it('given rows the database rejects, writes the rest of the page', async () => {
  const log = createLog('test', 'silent');
  const { catalogue } = createKalshiExchange({ ...exchange, credentials: exchange, log });
  const { events } = await catalogue.listEvents({ status: 'open' });
  const [event, other] = events
    .filter((one) => one.markets.filter((market) => market.isOffered).length > 1)
    .map((one, index) => ({
      ...one,
      eventTicker: `KXREFUSED-${index}`,
      markets: one.markets.map((market) => ({
        ...market,
        ticker: `KXREFUSED-${index}-${market.ticker}`,
        eventTicker: `KXREFUSED-${index}`,
      })),
    }));
  if (!event || !other) throw new Error('the exchange lists no event of two markets');
  const page = await preparePage({ database, log }, [event, other]);
  const [bad] = page.markets;
  if (!bad) throw new Error('nothing is new of the page');
  bad.volumeContractMicros = 2n ** 80n;
  expect(await storePage({ database, log }, layOutPage(page))).toBe(2);
  const written = `select count(*) from markets where event_ticker like 'KXREFUSED-%'`;
  expect(await count(written)).toBe(page.markets.length - 1);
  const summed = `select sum(total_market_count) as count from events where ticker like 'KXREFUSED-%'`;
  expect(await count(summed)).toBe(page.markets.length - 1);
  await database.pool.query(`delete from markets where event_ticker like 'KXREFUSED-%'`);
  await database.pool.query(`delete from events where ticker like 'KXREFUSED-%'`);
});

it('finds mirrored markets, and soon their changes', async () => {
  const find = async (query: string) => {
    const { events } = await searchMarkets(
      { database },
      { query, pageSize: 3, orderBy: 'querymatch', fuzzyThreshold: 4 },
    );
    return events.map((event) => event.eventTicker);
  };
  expect(await find('presidental election')).toContain('KXPRESPARTY-28');
  expect(await find('zebra')).toEqual([]);
  await database.pool.query(
    `update events set title = 'Zebra counted', ranked_at = now() where ticker = 'KXPRESPARTY-28'`,
  );
  await expect.poll(() => find('zebra')).toEqual(['KXPRESPARTY-28']);
});

it('publishes a result once it is final, and not before', async () => {
  const log = createLog('test', 'silent');
  const { catalogue } = createKalshiExchange({ ...exchange, credentials: exchange, log });
  const { signal } = new AbortController();
  const deps = { database, catalogue, log, signal };
  const ticker = BUSY_TICKER;
  const received = async () => {
    await syncMarkets(deps, [ticker]);
    return await readFinalResult({ database }, ticker);
  };
  const since = new Date();
  await exchange.control('settle', { ticker, stage: 'determined', result: 'yes' });
  expect(await received()).toBe(undefined);
  await exchange.control('settle', { ticker, stage: 'disputed' });
  expect(await received()).toBe(undefined);
  await exchange.control('settle', { ticker, stage: 'amended', result: 'no' });
  expect(await received()).toBe(undefined);
  await exchange.control('settle', {
    ticker,
    stage: 'finalized',
    result: 'scalar',
    payoutYesDollars: '0.37',
  });
  const final = await received();
  expect(final).toMatchObject({ ticker, result: 'scalar', payoutYesMicros: 370_000n });
  const news = await listNewlyFinal({ database }, { since, limit: 1_000 });
  expect(news.filter((one) => one.ticker === ticker)).toEqual([final]);
  const later = { seenAt: final?.seenAt ?? since, ticker };
  const after = await listNewlyFinal({ database }, { since, limit: 1_000, after: later });
  expect(after.some((one) => one.ticker === ticker)).toBe(false);
});

it('given a market that left the list, reads its payout from the archive', async () => {
  const log = createLog('test', 'silent');
  const adapter = createKalshiExchange({ ...exchange, credentials: exchange, log });
  const { catalogue } = adapter;
  const { signal } = new AbortController();
  const ticker = 'KXPRESPARTY-28-R';
  await exchange.control('settle', { ticker, result: 'yes' });
  await exchange.control('market', { ticker, archived: true });
  await syncMarkets({ database, catalogue, log, signal }, [ticker]);
  expect(await readFinalResult({ database }, ticker)).toMatchObject({ result: 'yes' });
  expect(await adapter.getMarket(ticker)).toMatchObject({ status: 'settled' });
});

it('mirrors what games are about, and their scores follow', async () => {
  const games = await count(`select count(*) from events where category = 'Sports'
    and milestones->0->>'startsAt' is not null`);
  expect(games).toBeGreaterThan(0);
  const log = createLog('test', 'silent');
  const connected = createKalshiExchange({ ...exchange, credentials: exchange, log });
  const { rows } = await database.pool.query<{ ticker: string }>(
    `select ticker from events where (milestones->0->>'startsAt')::timestamptz < now()
      and (milestones->0->>'endsAt')::timestamptz > now()`,
  );
  const tickers = rows.map(({ ticker }) => ticker);
  const deps = { database, scoreboard: createScoreboard(connected.catalogue) };
  const scores = await listLiveScores(deps, ['KXPRESPARTY-28', ...tickers], PATIENCE_MS);
  expect(scores.length).toBeGreaterThan(0);
  for (const { phase, teams, eventTicker } of scores) {
    expect(phase).toBe('live');
    expect(tickers).toContain(eventTicker);
    expect(teams.every(({ name }) => name.length > 3)).toBe(true);
  }
  expect(await listLiveScores(deps, ['KXPRESPARTY-28'], PATIENCE_MS)).toEqual([]);
});

it(
  'fetches the display style of events in small batches and stores it',
  async () => {
    const log = createLog('test', 'silent');
    const { catalogue } = createKalshiExchange({ ...exchange, credentials: exchange, log });
    const deps = { database, catalogue, log, signal: new AbortController().signal };
    expect(await syncMetadata(deps, 3)).toBe(3);
    const colours = `select count(*) from markets m join events e on e.ticker = m.event_ticker
    where e.metadata_read_at is not null
      and m.background_color_light_mode = e.metadata->'markets'->m.ticker->>'color'`;
    const coloured = await count(colours);
    expect(coloured).toBeGreaterThan(0);
    await syncHere();
    expect(await count(colours)).toBe(coloured);
  },
  TIMEOUT_MS,
);

describe('a settled market that was never mirrored', () => {
  const ticker = 'KXPRESPARTY-28-O';
  const log = createLog('test', 'silent');
  const connect = (url: string) => createKalshiExchange({ url, credentials: exchange, log });

  beforeAll(async () => {
    await exchange.control('settle', { ticker, result: 'no' });
    await exchange.control('market', { ticker, archived: true });
    await database.pool.query('delete from markets where ticker = $1', [ticker]);
    await database.pool.query('delete from price_points where ticker = $1', [ticker]);
  });

  it('is shown with its result, and with its prices', async () => {
    const deps = { database, exchange: connect(exchange.url), log };
    const market = await getListedMarket(deps, ticker);
    expect(market).toMatchObject({
      ticker,
      status: 'settled',
      result: 'no',
      seriesTicker: 'KXPRESPARTY',
      category: 'Politics',
    });
    const points = await listPriceHistory(deps, market, 'all');
    expect(points.length).toBeGreaterThan(10);
    const { rows } = await database.pool.query<{ sum: string }>(
      'select sum(volume_contract_micros) from price_points where ticker = $1',
      [ticker],
    );
    // A point has the volume of all recorded moments that it represents.
    const volume = points.reduce((sum, point) => sum + point.volumeContractMicros, 0n);
    expect(volume).toBe(BigInt(rows[0]?.sum ?? 0));
    const offline = { ...deps, exchange: connect('http://127.0.0.1:9/trade-api/v2') };
    expect(await listPriceHistory(offline, market, 'all')).toEqual(points);
  });

  it('given its event was not mirrored either, is shown with the event', async () => {
    const event = 'KXPRESPARTY-28';
    await database.pool.query('delete from events where ticker = $1', [event]);
    const shown = await getListedEvent({ database, exchange: connect(exchange.url) }, event);
    expect(shown).toMatchObject({ eventTicker: event, category: 'Politics' });
    // One market is archived, the others are listed.
    const markets = new Map(shown.markets.map((market) => [market.ticker, market.result]));
    expect(markets.get(ticker)).toBe('no');
    expect(markets.has('KXPRESPARTY-28-D')).toBe(true);
    const offline = connect('http://127.0.0.1:9/trade-api/v2');
    const asked = getListedEvent({ database, exchange: offline }, event);
    await expect(asked).rejects.toMatchObject({ code: 'exchange_unavailable' });
    const unknown = getListedEvent({ database, exchange: connect(exchange.url) }, 'KXNO-SUCH');
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it('given no exchange, is not called non-existent', async () => {
    const unknown = getListedMarket({ database, exchange: connect(exchange.url) }, 'KXNO-SUCH');
    await expect(unknown).rejects.toMatchObject({ code: 'market_not_found' });
    const offline = connect('http://127.0.0.1:9/trade-api/v2');
    const asked = getListedMarket({ database, exchange: offline }, ticker);
    await expect(asked).rejects.toMatchObject({ code: 'exchange_unavailable' });
  });
});

it('given an unreadable reply, asks for a market’s earlier prices again', async () => {
  const ticker = BUSY_TICKER;
  const log = createLog('test', 'silent');
  let isSpoilt = true;
  const adapter = createKalshiExchange({
    ...exchange,
    credentials: exchange,
    log,
    fetch: async (input, init) => {
      const { searchParams } = new URL(input instanceof Request ? input.url : input);
      const spoils = isSpoilt && searchParams.get('period_interval') === '60';
      return spoils ? new Response('{"candlesticks":"none"}') : await fetch(input, init);
    },
  });
  await database.pool.query('delete from price_points where ticker = $1', [ticker]);
  await database.pool.query('update markets set history_read_at = null where ticker = $1', [
    ticker,
  ]);
  const deps = { database, exchange: adapter, log };
  const market = await getListedMarket(deps, ticker);
  expect(await listPriceHistory(deps, market, 'all')).toEqual([]);
  isSpoilt = false;
  expect((await listPriceHistory(deps, market, 'all')).length).toBeGreaterThan(10);
});
