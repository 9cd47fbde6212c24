import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';
import { openExchange } from './exchange.ts';
import { createFaults } from './faults.ts';
import { findMarket } from './listing.ts';
import { statusOf } from './market.ts';
import { bringToStage } from './marketControl.ts';
import { advanceFaultPeriods, behave, createMisbehaviour, drawFault } from './misbehaviour.ts';
import type { Exchange } from './state.ts';

const TICKER = 'KXPRESPARTY-28-D';
/** Of the same event; this test settles it. */
const SETTLED = 'KXPRESPARTY-28-R';
const NOW = Date.UTC(2026, 10, 21, 5);
/** Listing the whole world takes a busy machine several seconds. */
const TIMEOUT_MS = 60_000;
const ORDERS = '/portfolio/events/orders';

let dataDir: string;
let exchange: Exchange;

const open = () => openExchange({ dataDir, seed: 1, keys: [], clock: createClock(0, () => NOW) });

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'crossbook-misbehaviour-'));
  exchange = open();
}, TIMEOUT_MS);

afterEach(() => behave(exchange));
afterAll(() => {
  exchange.store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts one fault period of a kind. */
function bewitch(kind: string, ticker = TICKER): void {
  const kinds = new Set([kind]);
  exchange.misbehaviour = createMisbehaviour({ rate: 1, kinds, tickers: [ticker] });
  advanceFaultPeriods(exchange);
  expect(exchange.misbehaviour.spell?.kind).toBe(kind);
}

function marketNow() {
  const market = findMarket(exchange, TICKER);
  if (!market) throw new Error('the market is listed');
  const { structure, schedule, paused } = market.state;
  return { status: statusOf(market, NOW), structure, closeAt: schedule.closeAt, paused };
}

describe('a fault period', () => {
  it.each(['market_paused', 'market_grid', 'market_reopened'])(
    'of %s ends, even after a kill',
    (kind) => {
      const before = marketNow();
      bewitch(kind);
      expect(marketNow()).not.toEqual(before);
      behave(exchange);
      expect(marketNow()).toEqual(before);
      bewitch(kind);
      exchange.store.close();
      exchange = open();
      expect(marketNow()).toEqual(before);
    },
    TIMEOUT_MS,
  );

  it('that closed a market does not reopen it after its payout', () => {
    const market = findMarket(exchange, SETTLED);
    if (!market) throw new Error('the market is listed');
    bewitch('market_reopened', SETTLED);
    bringToStage(exchange, market, 'finalized', { result: 'yes', payoutYesMicros: 1_000_000n });
    behave(exchange);
    expect(statusOf(market, NOW)).toBe('finalized');
  });

  it.each(['reads_lag', 'fills_lag', 'slow', 'clock_skew', 'socket_silent'])(
    'of %s leaves the armed faults unchanged',
    (kind) => {
      bewitch(kind);
      expect(exchange.faults).not.toEqual(createFaults());
      behave(exchange);
      expect(exchange.faults).toEqual(createFaults());
    },
  );

  it('pauses and resumes trading', () => {
    bewitch('trading_paused');
    expect(exchange.tradingActive).toBe(false);
    behave(exchange);
    expect(exchange.tradingActive).toBe(true);
  });
});

describe('faulty requests', () => {
  const draws = (seed: number, rate: number) => {
    exchange.misbehaviour = createMisbehaviour({ seed, rate });
    return Array.from({ length: 400 }, () => drawFault(exchange, 'POST', ORDERS));
  };

  it('given the same seed, repeat at about the requested rate', () => {
    const once = draws(5, 0.25);
    expect(draws(5, 0.25)).toEqual(once);
    expect(draws(6, 0.25)).not.toEqual(once);
    const wrong = once.filter((kind) => kind !== undefined).length;
    expect(wrong).toBeGreaterThan(60);
    expect(wrong).toBeLessThan(140);
    expect(new Set(once).size).toBeGreaterThan(9);
  });

  it('given a rate of zero, do not occur', () => {
    expect(draws(5, 0).every((kind) => kind === undefined)).toBe(true);
  });
});
