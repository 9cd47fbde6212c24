import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Exchange } from '#server/exchange/port.ts';
import { arm, behave, connectTo, placeRequest, startWithAdapter } from './testing/adapter.ts';
import { BUSY_TICKER, type TestExchange } from './testing/testExchange.ts';

/** Our adapter reads markets: their states, fees, candles and scores. */
let exchange: TestExchange;
let adapter: Exchange;

beforeAll(async () => {
  ({ exchange, adapter } = await startWithAdapter());
});
afterAll(() => exchange.remove());
afterEach(() => behave(exchange));

describe('the life of a market', () => {
  const ticker = 'KXPRESPARTY-28-O';

  it('pauses, changes its grid, closes, reopens, is disputed, and pays only when final', async () => {
    const status = async () => (await adapter.getMarket(ticker))?.status;
    await exchange.control('market', { ticker, paused: true });
    expect(await status()).toBe('paused');
    expect((await adapter.placeOrder(placeRequest({ ticker }))).kind).toBe('wait');
    // The simulated belief does not affect this test.
    const change = { paused: false, structure: 'deci_cent', priceDollars: '0.3' };
    await exchange.control('market', { ticker, ...change });
    expect((await adapter.getMarket(ticker))?.priceRanges[0]?.stepMicros).toBe(1_000n);
    const bought = await adapter.placeOrder(
      placeRequest({ ticker, side: 'no', contractMicros: 2_000_000n }),
    );
    expect(bought).toMatchObject({ kind: 'done', filledContractMicros: 2_000_000n });
    await exchange.control('market', { ticker, close: true });
    expect(await status()).toBe('closed');
    expect(await adapter.placeOrder(placeRequest({ ticker }))).toMatchObject({
      kind: 'no_fill',
      reason: 'market_closed',
    });
    await exchange.control('market', { ticker, reopenMs: 600_000 });
    expect(await status()).toBe('open');
    await exchange.control('market', { ticker, determine: true, payoutYesDollars: '0.25' });
    expect(await adapter.getMarket(ticker)).toMatchObject({ status: 'closed' });
    expect((await adapter.getMarket(ticker))?.final).toBe(undefined);
    await exchange.control('market', { ticker, review: 'disputed' });
    expect(await status()).toBe('closed');
    const before = await adapter.getBalanceMicros();
    await exchange.control('market', { ticker, finalize: true });
    expect(await adapter.getMarket(ticker)).toMatchObject({
      status: 'settled',
      final: { result: 'scalar', payoutYesMicros: 250_000n },
    });
    expect((await adapter.getBalanceMicros()) - before).toBe(1_500_000n);
  });

  it('follows fee overrides and waivers', async () => {
    const fresh = () => connectTo(exchange).getFeeRule(BUSY_TICKER);
    expect(await fresh()).toMatchObject({ kind: 'quadratic', multiplierMicros: 1_000_000n });
    const eventTicker = 'KXPRESPARTY-28';
    await exchange.control('fees', { eventTicker, feeType: 'quadratic', feeMultiplier: 0.5 });
    expect(await fresh()).toMatchObject({ kind: 'quadratic', multiplierMicros: 500_000n });
    await exchange.control('fees', { eventTicker, feeType: 'invented' });
    expect(await fresh()).toEqual({ kind: 'unknown', feeType: 'invented' });
    await exchange.control('market', { ticker: BUSY_TICKER, feeWaivedMs: 60_000 });
    expect(await fresh()).toEqual({ kind: 'waived' });
    await exchange.control('fees', { eventTicker, feeType: null });
    await exchange.control('market', { ticker: BUSY_TICKER, feeWaivedMs: -60_000 });
  });
});

describe('candles', () => {
  it('are the same for many markets in one call as for one', async () => {
    const hour = 3_600_000;
    const to = new Date(Math.floor(Date.now() / hour) * hour);
    const span = { from: new Date(to.getTime() - 24 * hour), to, periodMinutes: 60 } as const;
    const { markets } = await adapter.catalogue.listMarkets({ status: 'open' });
    const tickers = [BUSY_TICKER, ...markets.slice(0, 3).map(({ ticker }) => ticker)];
    const found = await adapter.catalogue.listCandlesOf({ ...span, tickers });
    expect([...found.keys()].sort()).toEqual([...new Set(tickers)].sort());
    const [event] = (await adapter.catalogue.listEvents({})).events.filter((one) =>
      one.markets.some(({ ticker }) => ticker === BUSY_TICKER),
    );
    const alone = await adapter.catalogue.listCandles({
      ...span,
      ticker: BUSY_TICKER,
      seriesTicker: event?.seriesTicker ?? '',
    });
    expect(alone.length).toBeGreaterThanOrEqual(23);
    expect(found.get(BUSY_TICKER)).toEqual(alone);
  });
});

describe('scores', () => {
  const TRIES_OF_A_READ = 4;
  type Milestone = { id: string; title: string; type: string; start_date: string };

  /** The game around the clock that is on now. */
  async function currentGame(): Promise<Milestone & { ticker: string }> {
    const now = new Date(String((await exchange.control('clock')).now));
    const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000).toISOString();
    const url = `${exchange.url}/milestones?type=basketball_game&minimum_start_date=${hour}&limit=500`;
    const { milestones } = (await (await fetch(url)).json()) as { milestones: Milestone[] };
    const game = milestones.find(
      ({ id, start_date }) => id.includes('KXTRIGAME') && new Date(start_date) <= now,
    );
    if (!game) throw new Error('no game is on');
    return { ...game, ticker: game.id.replace('milestone-', '') };
  }

  const sum = (teams: { points: number }[]) => teams.reduce((all, { points }) => all + points, 0);

  it('advance with the game and end as its markets do', async () => {
    const { id, title, ticker } = await currentGame();
    const { markets } = (await (await fetch(`${exchange.url}/events/${ticker}`)).json()) as {
      markets: { ticker: string }[];
    };
    const [home, away] = markets.map((market) => market.ticker);
    const moveClose = async (reopenMs: number) => {
      for (const one of [home, away]) await exchange.control('market', { ticker: one, reopenMs });
      return (await adapter.catalogue.listScores([{ id, title }]))[0];
    };
    const early = await moveClose(50 * 60_000);
    const late = await moveClose(5 * 60_000);
    expect(early?.phase).toBe('live');
    expect(early?.statusText).toMatch(/^Q1 \d/);
    expect(late?.statusText).toMatch(/^Q4 \d/);
    expect(sum(late?.teams ?? [])).toBeGreaterThan(sum(early?.teams ?? []));
    expect(title).toBe(late?.teams.map(({ name }) => name).join(' at '));
    await exchange.control('settle', { ticker: home, result: 'no' });
    await exchange.control('settle', { ticker: away, result: 'yes' });
    const [end] = await adapter.catalogue.listScores([{ id, title }]);
    expect(end).toMatchObject({ phase: 'ended', statusText: 'Final' });
    expect(end?.teams[0].points).toBeGreaterThan(end?.teams[1].points ?? 0);
  });

  it('given unknown milestones, events without a game and games that are to come, are absent', async () => {
    const { milestones } = (await (
      await fetch(`${exchange.url}/milestones?minimum_start_date=2200-01-01`)
    ).json()) as { milestones: Milestone[] };
    expect(milestones).toEqual([]);
    const later = new Date(Date.now() + 2 * 3_600_000).toISOString();
    const response = await fetch(`${exchange.url}/milestones?minimum_start_date=${later}&limit=9`);
    const coming = ((await response.json()) as { milestones: Milestone[] }).milestones;
    expect(coming.length).toBeGreaterThan(0);
    const asked = [...coming, { id: 'milestone-KXPRESPARTY-28', title: 'A at B' }];
    expect(await adapter.catalogue.listScores(asked)).toEqual([]);
  });

  it('given an exchange that fails half-way, is read again, and then reported as unavailable', async () => {
    const games = [{ id: 'milestone-none', title: 'A at B' }];
    await arm(exchange, 'read_5xx', { path: '/live_data', times: 1 });
    expect(await adapter.catalogue.listScores(games)).toEqual([]);
    await arm(exchange, 'read_5xx', { path: '/live_data', times: TRIES_OF_A_READ });
    await expect(adapter.catalogue.listScores(games)).rejects.toThrow();
  });
});
