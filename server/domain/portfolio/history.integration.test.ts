import { beforeAll, describe, expect, test } from 'vitest';
import type { PortfolioHistory, PortfolioPoint } from '#lib/api/schemas/portfolioHistory.ts';
import { costMicros, formatMicros, MICROS, parseMicros } from '#lib/money.ts';
import { signedMicros } from '#lib/portfolio/positionView.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import { createTrader, readHoldings, type Trader, untilComplete } from '#sandbox/testing/trader.ts';
import { buyOn, placeOn, takeMarket, untilRedeemable } from '#sandbox/testing/trades.ts';
import { readMovements } from '#sandbox/testing/transfers.ts';
import { openSession } from '../../api/testing/apiSession.ts';

const sandbox = sandboxUnderTest();
const place = placeOn(sandbox);
const buy = buyOn(sandbox);
let trader: Trader;
let ticker: string;
/** The last point after each step, with the chain's and the portfolio's values at that time. */
const steps: {
  name: string;
  last: PortfolioPoint;
  cash: string;
  positions: string;
  profit: string;
}[] = [];
let whole: PortfolioHistory;

/** The value of the portfolio itself. */
async function worthNow(): Promise<string> {
  const portfolio = await trader.api.getPortfolio(trader.account);
  const worth = portfolio.map(({ portfolioItem, venueMarket }) =>
    costMicros(
      parseMicros(portfolioItem.amount),
      parseMicros(venueMarket.payoutDollars ?? venueMarket.bidPriceDollars),
      'down',
    ),
  );
  return formatMicros(worth.reduce((sum, one) => sum + one, 0n));
}

/** The total profit: unrealized of what is held, realized of everything. */
async function madeSoFar(): Promise<string> {
  const [portfolio, { realizedPnL }] = await Promise.all([
    trader.api.getPortfolio(trader.account),
    trader.api.listClosedPositions({ address: trader.account }),
  ]);
  const held = portfolio.map(({ portfolioItem }) => portfolioItem.unrealizedPnL ?? '0');
  return sumOf([...held, realizedPnL]);
}

function sumOf(amounts: readonly string[]): string {
  return formatMicros(amounts.reduce((sum, one) => sum + signedMicros(one), 0n));
}

/** Repeats until balances and prices did not change during a read of the history. */
async function look(name: string): Promise<void> {
  const step = await pollUntil(
    async () => {
      const held = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
      const positions = await worthNow();
      const { points } = await trader.api.getPortfolioHistory({ address: trader.account });
      const last = points.at(-1);
      if (!last || (await worthNow()) !== positions) return undefined;
      const cash = formatMicros(held.usdcMicros);
      const profit = await madeSoFar();
      const isCaughtUp = last.cash === cash && last.positions === positions;
      const isSame = isCaughtUp && (await worthNow()) === positions;
      return isSame ? { name, last, cash, positions, profit } : undefined;
    },
    { everyMs: 250 },
  );
  if (!step) throw new Error(`after ${name} the history does not come to what is held`);
  steps.push(step);
}

async function withdraw(amount: string): Promise<void> {
  const { intent } = await trader.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: trader.wallet.address,
    amount,
    tokenType: 'erc20',
    tokenAddress: sandbox.contracts.usdc,
  });
  expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
}

beforeAll(async () => {
  trader = await createTrader(sandbox);
  ticker = await takeMarket(trader);
  await look('the deposit');
  await buy(trader, ticker, 'yes', '9');
  await look('buying');
  const sell = { direction: 'SELL', ticker, side: 'yes' } as const;
  await place(trader, { ...sell, contracts: '2.5', quoteLimit: '0.02' });
  await look('selling');
  await withdraw('123.456789');
  await look('withdrawing');
  await controlExchange(sandbox, 'settle', {
    ticker,
    result: 'scalar',
    payoutYesDollars: '0.37',
  });
  await untilRedeemable(trader, ticker);
  await look('the settlement');
  await place(trader, { ...sell, contracts: '4.25', quoteLimit: '1.5725' });
  await look('redeeming');
  whole = await trader.api.getPortfolioHistory({ address: trader.account, range: 'all' });
}, 240_000);

describe('GET /v1/portfolio/history', () => {
  test('200: after every step, the last point equals the current holdings', () => {
    for (const { name, last, cash, positions, profit } of steps) {
      const total = formatMicros(parseMicros(cash) + parseMicros(positions));
      const known = { cash, positions, total, profit, inOrders: '0', unpriced: 0 };
      expect(last, name).toMatchObject(known);
    }
    const profitAfter = (name: string) => steps.find((step) => step.name === name)?.profit ?? '';
    expect(profitAfter('the deposit')).toBe('0');
    expect(signedMicros(profitAfter('buying'))).toBeLessThan(0n);
    // Redeemed tokens were already valued at the payout.
    const redeemed = signedMicros(profitAfter('redeeming'));
    const settled = signedMicros(profitAfter('the settlement'));
    expect(redeemed - settled).toBeLessThanOrEqual(1n);
    expect(settled - redeemed).toBeLessThanOrEqual(1n);
    expect(steps.map((step) => step.positions === '0')).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(steps.at(-2)?.positions).toBe(formatMicros((6_500_000n * 370_000n) / MICROS));
    expect(steps.at(-1)?.positions).toBe(formatMicros((2_250_000n * 370_000n) / MICROS));
  });

  test('200: the realized profit is that of each held and closed position together', async () => {
    const [portfolio, { positions, realizedPnL }] = await Promise.all([
      trader.api.getPortfolio(trader.account),
      trader.api.listClosedPositions({ address: trader.account }),
    ]);
    const parts = [
      ...portfolio.map(({ portfolioItem }) => portfolioItem.realizedPnL),
      ...positions.map((position) => position.realizedPnL),
    ];
    expect(realizedPnL).not.toBe('0');
    expect(realizedPnL).toBe(sumOf(parts));
  });

  test('200: every point has the balances that the chain had at that time', async () => {
    const { settlement } = (await trader.api.getMarket(ticker)).market;
    const settledAt = settlement?.settledAt ?? '';
    const movements = await readMovements(sandbox, trader.account, { ticker, side: 'yes' });
    expect(whole.points.length).toBeGreaterThan(5);
    expect(whole.points.length).toBeLessThanOrEqual(200);
    for (const point of whole.points) {
      const past = movements.filter((one) => one.at <= point.at);
      const cash = past.reduce((sum, one) => sum + one.usdcMicros, 0n);
      const held = past.reduce((sum, one) => sum + one.contractMicros, 0n);
      expect(point.cash, point.at).toBe(formatMicros(cash));
      const most = costMicros(held, MICROS, 'down');
      const worth = parseMicros(point.positions);
      if (point.at >= settledAt) expect(worth).toBe(costMicros(held, 370_000n, 'down'));
      expect(worth, point.at).toBeLessThanOrEqual(most);
      if (point.unpriced === 0) expect(worth === 0n, point.at).toBe(held === 0n);
      expect(point.total).toBe(formatMicros(cash + worth + parseMicros(point.inOrders)));
    }
  });

  test('200: in every range, points are in order and end now', async () => {
    const address = trader.wallet.address;
    for (const range of ['1d', '1w', '1m', 'all'] as const) {
      const before = new Date().toISOString();
      const history = await trader.api.getPortfolioHistory({ address, range });
      expect(history).toMatchObject({ address, range });
      const times = history.points.map((point) => point.at);
      expect(times).toEqual([...new Set(times)].sort());
      expect((times.at(-1) ?? '') >= before).toBe(true);
      expect(history.points.at(-1)).toMatchObject({ cash: steps.at(-1)?.cash });
    }
  });

  test('200 without points for an unknown address', async () => {
    const session = await openSession();
    const address = '0x00000000000000000000000000000000000A11cE';
    const { body } = await session.send(
      'GET',
      `/v1/portfolio/history?address=${address.toLowerCase()}`,
    );
    expect(body).toMatchObject({ range: '1w', points: [] });
  });

  test('400 for a wrong address or range, 401 without a key', async () => {
    const session = await openSession();
    const path = `/v1/portfolio/history?address=${trader.account}`;
    const cases = {
      '/v1/portfolio/history': '/query/address',
      '/v1/portfolio/history?address=me': '/query/address',
      [`${path}&range=1y`]: '/query/range',
      [`${path}&limit=3`]: '/query/limit',
    };
    for (const [target, pointer] of Object.entries(cases)) {
      const refused = await session.refuse('GET', target);
      expect(refused, target).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(refused.errors.map((one) => one.pointer)).toEqual([pointer]);
    }
    expect(await session.refuse('GET', path, { key: false })).toMatchObject({ status: 401 });
  });
});
