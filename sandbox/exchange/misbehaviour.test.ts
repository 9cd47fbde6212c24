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
import { behave, createMisbehaviour, drawFault, stirMisbehaviour } from './misbehaviour.ts';
import type { Exchange } from './state.ts';

const TICKER = 'KXPRESPARTY-28-D';
/** Of the same event; it is settled on the way. */
const SETTLED = 'KXPRESPARTY-28-R';
const NOW = Date.UTC(2026, 10, 21, 5);
/** Listing the whole world takes a busy machine a while. */
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

/** Lets one spell of a kind come over the exchange. */
function bewitch(kind: string, ticker = TICKER): void {
  const kinds = new Set([kind]);
  exchange.misbehaviour = createMisbehaviour({ rate: 1, kinds, tickers: [ticker] });
  stirMisbehaviour(exchange);
  expect(exchange.misbehaviour.spell?.kind).toBe(kind);
}

function marketNow() {
  const market = findMarket(exchange, TICKER);
  if (!market) throw new Error('the market is listed');
  const { structure, schedule, paused } = market.state;
  return { status: statusOf(market, NOW), structure, closeAt: schedule.closeAt, paused };
}

describe('a spell', () => {
  it.each(['market_paused', 'market_grid', 'market_reopened'])(
    'of %s passes, and does not outlast a kill either',
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

  it('that closed a market does not bring it back once it has paid', () => {
    const market = findMarket(exchange, SETTLED);
    if (!market) throw new Error('the market is listed');
    bewitch('market_reopened', SETTLED);
    bringToStage(exchange, market, 'finalized', { result: 'yes', payoutYesMicros: 1_000_000n });
    behave(exchange);
    expect(statusOf(market, NOW)).toBe('finalized');
  });

  it.each(['reads_lag', 'fills_lag', 'slow', 'clock_skew', 'socket_silent'])(
    'of %s leaves the faults as they are without it',
    (kind) => {
      bewitch(kind);
      expect(exchange.faults).not.toEqual(createFaults());
      behave(exchange);
      expect(exchange.faults).toEqual(createFaults());
    },
  );

  it('pauses trading and lets it go on', () => {
    bewitch('trading_paused');
    expect(exchange.tradingActive).toBe(false);
    behave(exchange);
    expect(exchange.tradingActive).toBe(true);
  });
});

describe('what goes wrong with requests', () => {
  const draws = (seed: number, rate: number) => {
    exchange.misbehaviour = createMisbehaviour({ seed, rate });
    return Array.from({ length: 400 }, () => drawFault(exchange, 'POST', ORDERS));
  };

  it('is the same for the same seed, and about as much as was asked for', () => {
    const once = draws(5, 0.25);
    expect(draws(5, 0.25)).toEqual(once);
    expect(draws(6, 0.25)).not.toEqual(once);
    const wrong = once.filter((kind) => kind !== undefined).length;
    expect(wrong).toBeGreaterThan(60);
    expect(wrong).toBeLessThan(140);
    expect(new Set(once).size).toBeGreaterThan(9);
  });

  it('is nothing at a rate of nothing', () => {
    expect(draws(5, 0).every((kind) => kind === undefined)).toBe(true);
  });
});
