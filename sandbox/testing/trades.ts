import { formatMicros, parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { READING_HOLDS_MS } from '#server/domain/markets/quotes/tradingMarket.ts';
import { orderBody, type Trader, untilComplete } from './trader.ts';

type Sandbox = Pick<SandboxDescription, 'baseUrl' | 'apiKey' | 'rpcUrl' | 'contracts'>;
type Side = 'yes' | 'no';

const LONG_ENOUGH_MS = 600_000;
const taken = new Set<string>();

/** A market with offers on both sides that no other test trades: it may be settled. */
export async function takeMarket(trader: Trader): Promise<string> {
  const ticker = await pollUntil(
    async () => {
      const { markets } = await trader.api.listMarkets({ limit: 1000, status: 'open' });
      const withTimeout = Date.now() + LONG_ENOUGH_MS;
      const fitting = markets.filter(
        (one) =>
          one.yesBid >= 20 &&
          one.yesAsk <= 80 &&
          one.yesAsk > one.yesBid &&
          Date.parse(one.expectedEndTime) > withTimeout &&
          !taken.has(one.ticker),
      );
      // The busiest ones are for tests that only trade. Test files run in parallel, so the choice
      // is random.
      const quiet = fitting.slice(Math.floor(fitting.length / 2));
      return quiet[Math.floor(Math.random() * quiet.length)]?.ticker;
    },
    { everyMs: 250 },
  );
  if (!ticker) throw new Error('no market is left to settle');
  taken.add(ticker);
  return ticker;
}

/** Places orders and waits until they have ended. */
export function placeOn(sandbox: Sandbox) {
  return async (trader: Trader, order: Parameters<typeof orderBody>[2]) => {
    const { intent } = await trader.api.createOrder(orderBody(sandbox, trader, order));
    return await untilComplete(trader, intent.id);
  };
}

/** Orders contracts of Yes for at most 98 cents each; returns the order's id. */
export async function placeBuyOn(
  sandbox: Sandbox,
  trader: Trader,
  { ticker, contracts }: { ticker: string; contracts: number },
): Promise<string> {
  const body = orderBody(sandbox, trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: contracts.toString(),
    quoteLimit: (contracts * 0.98).toFixed(2),
  });
  return (await trader.api.createOrder(body)).intent.id;
}

/** Buys at any price. @throws when not all of it was bought */
export function buyOn(sandbox: Sandbox) {
  const place = placeOn(sandbox);
  return async (trader: Trader, ticker: string, side: Side, contracts: string) => {
    const quoteLimit = formatMicros((parseMicros(contracts) * 99n) / 100n);
    const order = await place(trader, { direction: 'BUY', ticker, side, contracts, quoteLimit });
    if (order.status !== 'completed' || order.filledBaseQuantity !== contracts) {
      throw new Error(`${contracts} ${side} of ${ticker} were not bought: ${order.status}`);
    }
    return order;
  };
}

/**
 * Waits until the service knows that the market has ended: the book is empty at once, while the
 * market itself may come from a reading of a moment ago.
 */
export async function untilFinished(trader: Trader, ticker: string): Promise<void> {
  let emptySinceMs: number | undefined;
  const isOver = await pollUntil(
    async () => {
      const quote = await trader.api.getQuote(ticker, { side: 'yes', contracts: '1' });
      const asOfMs = Date.parse(quote.asOf);
      emptySinceMs = quote.fillable ? undefined : (emptySinceMs ?? asOfMs);
      return (emptySinceMs !== undefined && asOfMs - emptySinceMs > READING_HOLDS_MS) || undefined;
    },
    { everyMs: 50 },
  );
  if (!isOver) throw new Error(`${ticker} is still quoted`);
}

/** Waits until the service reports the position as paid out. */
export async function untilRedeemable(trader: Trader, ticker: string): Promise<void> {
  const found = await pollUntil(
    async () => {
      const portfolio = await trader.api.getPortfolio(trader.account);
      return portfolio.find(
        (entry) => entry.venueMarket.marketId === ticker && entry.portfolioItem.redeemable,
      );
    },
    { everyMs: 250 },
  );
  if (!found) throw new Error(`${ticker} did not become redeemable`);
}
