import { drizzle } from 'drizzle-orm/node-postgres';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { renewEventAggregates } from '#server/domain/markets/sync/eventAggregates.ts';
import { type PriceChange, savePrices } from '#server/domain/markets/sync/livePrices.ts';
import { saveMarkets } from '#server/domain/markets/sync/mirror.ts';
import { preparePage } from '#server/domain/markets/sync/page.ts';
import { createPushedPrices } from '#server/domain/markets/sync/pushedPrices.ts';
import { layOutPage, storePage } from '#server/domain/markets/sync/storePage.ts';
import { syncAll, syncMarkets } from '#server/domain/markets/sync/tasks.ts';
import type {
  CatalogueEvent,
  CatalogueMarket,
  ExchangeCatalogue,
} from '#server/exchange/catalogue.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';

/** The mirror of a list that each test defines. */
const log = createLog('test', 'silent');
let database: Database;
let statements: string[] = [];

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  const { pool } = migrated.database;
  const logger = { logQuery: (text: string) => statements.push(text) };
  database = { pool, orm: drizzle(pool, { logger }) };
  return migrated.close;
});

beforeEach(async () => {
  await database.pool.query('truncate events, markets, price_points, catalogue_state');
  statements = [];
});

const AT = new Date('2026-11-22T10:00:00Z');
const LATER = new Date('2099-01-01T00:00:00Z');

function marketOf(ticker: string, changes: Partial<CatalogueMarket> = {}): CatalogueMarket {
  return {
    ticker,
    eventTicker: ticker.split('-')[0] ?? '',
    shard: 0,
    title: `Title of ${ticker}`,
    yesSubTitle: 'Yes',
    noSubTitle: 'No',
    marketType: 'binary',
    status: 'open',
    exchangeStatus: 'active',
    yesBidMicros: 400_000n,
    yesAskMicros: 420_000n,
    yesBidContractMicros: 10_000_000n,
    yesAskContractMicros: 10_000_000n,
    lastPriceMicros: 410_000n,
    previousPriceMicros: null,
    volumeContractMicros: 100_000_000n,
    volume24hContractMicros: 5_000_000n,
    openInterestContractMicros: 7_000_000n,
    createdAt: AT,
    updatedAt: AT,
    openAt: AT,
    closeAt: LATER,
    expirationAt: LATER,
    expectedEndAt: LATER,
    canCloseEarly: false,
    earlyCloseCondition: '',
    proposedResult: null,
    strike: null,
    strikeGroup: null,
    rulesPrimary: 'One',
    rulesSecondary: '',
    priceRanges: [],
    isOffered: true,
    ...changes,
  };
}

function eventOf(eventTicker: string, markets: CatalogueMarket[]): CatalogueEvent {
  return {
    eventTicker,
    seriesTicker: 'S',
    title: `Title of ${eventTicker}`,
    subtitle: '',
    mutuallyExclusive: true,
    category: 'World',
    markets,
  };
}

const push = (ticker: string, volumeContractMicros: bigint): PriceChange => ({
  kind: 'prices',
  ticker,
  yesBidMicros: 500_000n,
  yesAskMicros: 520_000n,
  lastPriceMicros: 510_000n,
  volumeContractMicros,
  openInterestContractMicros: undefined,
});

const prepare = (...list: CatalogueEvent[]) => preparePage({ database, log }, list);
const store = async (...list: CatalogueEvent[]) =>
  await storePage({ database, log }, layOutPage(await prepare(...list)));

async function stored(ticker: string) {
  const { rows } = await database.pool.query<{
    bid: string;
    volume: string;
    title: string;
    status: string;
  }>(
    `select yes_bid_micros as bid, volume_contract_micros as volume, title, status
     from markets where ticker = $1`,
    [ticker],
  );
  return rows[0];
}

const NOTHING = { events: [], markets: [], marks: [] };
const E = () => eventOf('E', [marketOf('E-A'), marketOf('E-B')]);

describe('a page', () => {
  it('is stored with the aggregates of its events', async () => {
    await store(E(), eventOf('EMPTY', []));
    const sums = async () => {
      const { rows } = await database.pool.query<Record<string, unknown>>(
        `select ticker, total_market_count, active_market_count, volume_contract_micros,
           liquidity_usdc_micros > 0 as is_liquid, newest_at, closes_next_at, status_mask, ranked_at
         from events order by ticker`,
      );
      return rows;
    };
    const first = await sums();
    expect(first).toMatchObject([
      {
        ticker: 'E',
        total_market_count: 2,
        active_market_count: 2,
        volume_contract_micros: '200000000',
        is_liquid: true,
        newest_at: AT,
        closes_next_at: LATER,
      },
      { ticker: 'EMPTY', total_market_count: 0, newest_at: null, status_mask: 0 },
    ]);
    // Equal to the aggregates of the regular refresh.
    await renewEventAggregates(database.orm, ['E', 'EMPTY']);
    expect(await sums()).toEqual(first);
    await store(
      eventOf('E', [
        marketOf('E-A'),
        marketOf('E-B', { status: 'closed', exchangeStatus: 'closed' }),
      ]),
    );
    expect(await sums()).toMatchObject([{ total_market_count: 2, active_market_count: 1 }, {}]);
  });

  it('given no change, is not compared market by market', async () => {
    await store(E());
    statements = [];
    expect(await prepare(E())).toEqual(NOTHING);
    expect(statements.filter((text) => text.includes('"markets"'))).toEqual([]);
  });

  it('given a changed market, is compared once more', async () => {
    await store(E());
    const changed = () =>
      eventOf('E', [marketOf('E-A', { yesBidMicros: 410_000n }), marketOf('E-B')]);
    const page = await prepare(changed());
    expect(page.events).toEqual([]);
    expect(page.markets.map((row) => row.ticker)).toEqual(['E-A']);
    await storePage({ database, log }, layOutPage(page));
    expect(await prepare(changed())).toEqual(NOTHING);
    expect((await prepare(E())).markets).toHaveLength(1);
  });

  it('given a changed event, is compared again', async () => {
    await store(E());
    const renamed = () => ({ ...E(), title: 'Another' });
    expect((await prepare(renamed())).events).toHaveLength(1);
    await store(renamed());
    // A second time: only a page whose every market was compared counts as complete.
    expect(await prepare(renamed())).toMatchObject({ events: [], markets: [] });
    await store(renamed());
    expect(await prepare(renamed())).toEqual(NOTHING);
  });
});

describe('changes outside pages', () => {
  const tickers = async () => (await prepare(E())).markets.map((row) => row.ticker);

  it('given pushed prices, the page is compared', async () => {
    await store(E());
    await savePrices(database, [push('E-A', 100_000_000n)]);
    expect(await tickers()).toEqual(['E-A']);
    await store(E());
    expect(await stored('E-A')).toMatchObject({ bid: '400000' });
    expect(await prepare(E())).toEqual(NOTHING);
  });

  it('given a market read on its own, the page is compared', async () => {
    await store(E());
    await saveMarkets({ database, log }, [marketOf('E-B', { title: 'Read alone' })]);
    expect(await tickers()).toEqual(['E-B']);
    await store(E());
    expect(await stored('E-B')).toMatchObject({ title: 'Title of E-B' });
    expect(await prepare(E())).toEqual(NOTHING);
  });

  it('given a page compared before and stored after the change, it is compared', async () => {
    await store(E());
    const next = () => eventOf('E', [marketOf('E-A', { title: 'Next' }), marketOf('E-B')]);
    const ways = [
      () => savePrices(database, [push('E-B', 100_000_000n)]),
      () => saveMarkets({ database, log }, [marketOf('E-B', { title: 'Read alone' })]),
      () => storePage({ database, log }, layOutPage(other)),
    ];
    const other = await prepare(
      eventOf('E', [marketOf('E-A'), marketOf('E-B', { title: 'Other' })]),
    );
    for (const write of ways) {
      await store(E());
      const page = await prepare(next());
      await write();
      await storePage({ database, log }, layOutPage(page));
      expect((await prepare(next())).markets.map((row) => row.ticker)).toEqual(['E-B']);
    }
  });
});

describe('a market that is added', () => {
  it('given two pages compared before it, is stored once', async () => {
    const [first, second] = [
      await prepare(E()),
      await prepare(eventOf('E', [marketOf('E-A', { title: 'Later' }), marketOf('E-C')])),
    ];
    await storePage({ database, log }, layOutPage(first));
    await storePage({ database, log }, layOutPage(second));
    expect(await stored('E-A')).toMatchObject({ title: 'Later' });
    expect(await stored('E-C')).toMatchObject({ title: 'Title of E-C' });
    // A page that was stored row by row is compared once more.
    expect((await prepare(E())).markets.map((row) => row.ticker)).toEqual(['E-A']);
  });
});

describe('prices pushed during a read of the list', () => {
  /** A page for each list; `onAsked` receives the requested one. */
  function catalogueOf(
    pages: CatalogueEvent[][],
    onAsked: (page: number) => void,
  ): Pick<ExchangeCatalogue, 'listSeries' | 'listEvents'> {
    return {
      listSeries: () => Promise.resolve([]),
      listEvents({ status, cursor = '' }) {
        if (status !== 'open') return Promise.resolve({ events: [], cursor: '' });
        const page = Number(cursor);
        onAsked(page);
        const next = page + 1 < pages.length ? String(page + 1) : '';
        return Promise.resolve({ events: pages[page] ?? [], cursor: next });
      },
    };
  }

  const pointsOf = async (ticker: string) => {
    const { rows } = await database.pool.query<{ volume: string }>(
      'select sum(volume_contract_micros)::text as volume from price_points where ticker = $1',
      [ticker],
    );
    return rows[0]?.volume;
  };

  it('given a page requested earlier, stay and count once', async () => {
    const pages = () => [
      [eventOf('A', [marketOf('A-A')])],
      [E()],
      [eventOf('C', [marketOf('C-C')])],
    ];
    const prices = createPushedPrices();
    const { signal } = new AbortController();
    const asked: number[] = [];
    const read = (afterPage: (page: number) => void) => {
      let page = 0;
      return syncAll(
        { database, log, signal, catalogue: catalogueOf(pages(), (one) => asked.push(one)) },
        {
          async betweenPages() {
            afterPage(page);
            page += 1;
            await savePrices(database, prices.take());
          },
          pushedSince: (moment) => prices.pushedSince(moment),
        },
      );
    };
    await read(() => undefined);
    // Other fields of the second page are new; it is requested before the first one is stored.
    await database.pool.query(
      `update markets set content_hash = 'old', title = 'Old', rules_primary = ''`,
    );
    await database.pool.query('update events set listing_hash = null');
    asked.length = 0;
    await read((page) => {
      if (page !== 0) return;
      expect(asked).toContain(1);
      prices.add(push('E-A', 130_000_000n));
    });
    expect(await stored('E-A')).toMatchObject({
      bid: '500000',
      volume: '130000000',
      title: 'Title of E-A',
    });
    expect(await stored('E-B')).toMatchObject({ bid: '400000', title: 'Title of E-B' });
    expect(await pointsOf('E-A')).toBe('30000000');
    // A later read takes effect.
    prices.deleteBefore(performance.now());
    await read(() => undefined);
    expect(await stored('E-A')).toMatchObject({ bid: '400000', volume: '100000000' });
    expect(await pointsOf('E-A')).toBe('30000000');
  });
});

describe('a market unknown to the exchange', () => {
  const PAST = new Date('2026-11-22T11:00:00Z');
  const knowsNothing: Pick<ExchangeCatalogue, 'listMarkets' | 'getArchivedMarket'> = {
    listMarkets: () => Promise.resolve({ markets: [], cursor: '' }),
    getArchivedMarket: () => Promise.resolve(undefined),
  };
  const statusOf = async (ticker: string) => {
    const { rows } = await database.pool.query<{ status: string }>(
      'select status from markets where ticker = $1',
      [ticker],
    );
    return rows[0]?.status;
  };

  it('is closed after its end, and reopened if it is listed again', async () => {
    const list = [marketOf('E-A', { closeAt: PAST }), marketOf('E-B')];
    await store(eventOf('E', list));
    const deps = {
      database,
      log,
      catalogue: knowsNothing as ExchangeCatalogue,
      signal: new AbortController().signal,
    };
    expect(await syncMarkets(deps, ['E-A', 'E-B'])).toEqual(['E']);
    expect([await statusOf('E-A'), await statusOf('E-B')]).toEqual(['closed', 'open']);
    expect(await syncMarkets(deps, ['E-A'])).toEqual([]);
    await store(eventOf('E', list));
    expect(await statusOf('E-A')).toBe('open');
  });
});
