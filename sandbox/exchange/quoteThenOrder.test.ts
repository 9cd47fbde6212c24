import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteFromBook } from '#server/domain/markets/quotes/quote.ts';
import { tradeAmounts } from '#server/domain/orders/create/tradeAmounts.ts';
import { resolveFee } from '#server/exchange/kalshi/fees.ts';
import { readOrderBook } from '#server/exchange/kalshi/orderBook.ts';
import { readFill } from '#server/exchange/kalshi/ownRecords.ts';
import { toBook } from '#server/exchange/kalshi/sides.ts';
import { createClock } from './clock.ts';
import { openExchange } from './exchange.ts';
import { marketFields, marketWire } from './http/marketWire.ts';
import { bookWire, eventWire, fillWire, seriesWire } from './http/wire.ts';
import type { Account } from './ledger.ts';
import { leaveTrading } from './lifecycle.ts';
import { adoptMarket } from './listing.ts';
import type { ExchangeMarket } from './market.ts';
import { changeGrid, changeMakers } from './marketControl.ts';
import type { Fill } from './order.ts';
import { totalCash } from './shards.ts';
import { type Exchange, schedule } from './state.ts';
import { TICK_STRUCTURES, type TickStructure } from './ticks.ts';
import { placeOrder } from './trading.ts';

/** A quote from a published book equals the result of the real match. */
const TICKER = 'KXPRESPARTY-28-D';
const NOW = Date.UTC(2026, 10, 21, 5);
/** Hundreds of books take a busy machine several seconds. */
const TIMEOUT_MS = 60_000;
/** The exchange rounds every fill's balance to this; the service bears the difference. */
const PRECISION_MICROS = 100n;

let dataDir: string;
let exchange: Exchange;
let market: ExchangeMarket;
let makers: Account[];
let taker: Account;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'crossbook-quote-'));
  const clock = createClock(0, () => NOW);
  const keys = ['taker', 'one', 'two', 'three'].map((keyId) => ({
    keyId,
    publicKeyPem: '',
    balanceMicros: 10n ** 15n,
  }));
  exchange = openExchange({ dataDir, seed: 1, keys, clock });
  const found = adoptMarket(exchange, TICKER);
  const [first, ...others] = exchange.accounts.values();
  if (!found || !first) throw new Error('the market and the accounts are there');
  market = found;
  taker = first;
  makers = others;
  changeMakers(exchange, market, false);
}, TIMEOUT_MS);

afterAll(() => {
  exchange.store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Resting = { maker: number; side: 'bid' | 'ask'; tick: number; hundredths: number };

/** Leaves a book of accounts' orders behind; crossing orders trade at once, as in production. */
function fillBook(orders: Resting[]): void {
  leaveTrading(exchange, market, 'HaltCancel');
  const grid = [...gridPrices(market.state.structure)];
  for (const { maker, side, tick, hundredths } of orders) {
    const account = makers[maker % makers.length];
    const priceMicros = grid[tick % grid.length];
    if (!account || priceMicros === undefined) continue;
    placeOrder(exchange, account, {
      ...order(side, priceMicros, BigInt(hundredths) * 10_000n),
      timeInForce: 'good_till_canceled',
    });
  }
}

function* gridPrices(structure: TickStructure): Generator<bigint> {
  for (const { startMicros, endMicros, stepMicros } of TICK_STRUCTURES[structure]) {
    for (let price = startMicros + stepMicros; price < endMicros; price += stepMicros) yield price;
  }
}

function order(side: 'bid' | 'ask', priceMicros: bigint, contractMicros: bigint) {
  return {
    ticker: TICKER,
    clientOrderId: randomUUID(),
    side,
    priceMicros,
    contractMicros,
    timeInForce: 'immediate_or_cancel' as const,
    selfTrade: 'taker_at_cross' as const,
    postOnly: false,
    reduceOnly: false,
    cancelOnPause: false,
  };
}

/** The fees, as the adapter reads them from the exchange's responses. */
function feeRule() {
  return resolveFee(
    {
      market: marketWire(market, marketFields(market, NOW)),
      event: eventWire(exchange, market.event),
      series: seriesWire(exchange, market.event.template),
      seriesChanges: [],
      eventChanges: [],
    },
    new Date(NOW),
  );
}

const scenario = fc.record({
  structure: fc.constantFrom(...(Object.keys(TICK_STRUCTURES) as TickStructure[])),
  fees: fc.constantFrom(
    ['quadratic', 1],
    ['quadratic', 0.5],
    ['quadratic', 0],
    ['quadratic_with_maker_fees', 1],
    ['flat', 1],
    ['waived', 1],
  ) as fc.Arbitrary<[string, number]>,
  orders: fc.array(
    fc.record({
      maker: fc.nat(2),
      side: fc.constantFrom('bid', 'ask'),
      tick: fc.nat(20_000),
      hundredths: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200_000 })),
    }),
    { maxLength: 14 },
  ),
  action: fc.constantFrom('buy', 'sell'),
  side: fc.constantFrom('yes', 'no'),
  hundredths: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 400_000 })),
});

describe('an order at its quote', () => {
  it(
    'fills the quoted quantity and costs no more',
    () => {
      const fills: Fill[] = [];
      let traded = 0;
      exchange.signals.listen((signal) => {
        if (signal.kind === 'fill' && signal.fill.accountId === taker.id) fills.push(signal.fill);
      });
      fc.assert(
        fc.property(scenario, ({ structure, fees, orders, action, side, hundredths }) => {
          changeGrid(exchange, market, structure);
          const [feeType, multiplier] = fees;
          market.state.feeWaivedUntil = feeType === 'waived' ? NOW + 1_000 : undefined;
          exchange.feeOverrides.set(
            market.event.ticker,
            schedule(feeType === 'waived' ? 'quadratic' : feeType, multiplier),
          );
          fillBook(orders);
          const contractMicros = BigInt(hundredths) * 10_000n;
          const book = readOrderBook(TICKER, { orderbook_fp: bookWire(market, 0) });
          const quote = quoteFromBook({ book, fee: feeRule(), action, side, contractMicros });
          expect(quote.fillable).toBe(quote.contractMicros === contractMicros);
          if (quote.worstPriceMicros === undefined) return;

          fills.length = 0;
          traded += 1;
          const place = toBook(action, side, quote.worstPriceMicros);
          const placed = placeOrder(
            exchange,
            taker,
            order(place.bookSide, place.yesPriceMicros, quote.contractMicros),
          );
          expect(placed.filledMicros).toBe(quote.contractMicros);
          const read = fills.flatMap((fill) => readFill(fillWire(fill), side) ?? []);
          const amounts = tradeAmounts(
            {
              tradeAction: action,
              contractMicros: quote.contractMicros,
              quoteLimitUsdcMicros: quote.costUsdcMicros < 0n ? 0n : quote.costUsdcMicros,
            },
            read,
          );
          const rounding = (PRECISION_MICROS + 1n) * BigInt(read.length);
          if (action === 'buy') {
            expect(amounts.quoteUsdcMicros <= quote.costUsdcMicros).toBe(true);
            expect(amounts.exchangeUsdcMicros <= quote.costUsdcMicros + rounding).toBe(true);
          } else {
            expect(amounts.quoteUsdcMicros >= quote.costUsdcMicros).toBe(true);
            expect(amounts.exchangeUsdcMicros >= quote.costUsdcMicros - rounding).toBe(true);
          }
        }),
        { numRuns: 400 },
      );
      // Fewer would mean that the tried books were too empty for the test.
      expect(traded).toBeGreaterThan(200);
    },
    TIMEOUT_MS,
  );
});

describe('the exchange as a whole', () => {
  it(
    'given any trades, conserves contracts and cash except fees',
    () => {
      const sum = () => {
        let cash = 0n;
        let net = 0n;
        let fees = 0n;
        for (const account of exchange.accounts.values()) {
          const position = account.positions.get(TICKER);
          cash += totalCash(account);
          net += position?.netMicros ?? 0n;
          fees += position?.feesMicros ?? 0n;
          // A pair of YES and NO is backed by one dollar that left the balances.
          if (position && position.netMicros > 0n) cash += position.netMicros;
        }
        return { money: cash + fees, net };
      };
      const before = sum();
      expect(before.net).toBe(0n);
      const steps = fc.array(scenario, { minLength: 1, maxLength: 5 });
      fc.assert(
        fc.property(steps, (all) => {
          changeGrid(exchange, market, 'linear_cent');
          for (const { orders } of all) fillBook(orders);
          expect(sum()).toEqual(before);
        }),
        { numRuns: 60 },
      );
    },
    TIMEOUT_MS,
  );
});
