import { randomUUID } from 'node:crypto';
import { createKalshiExchange } from '#server/exchange/kalshi/kalshiExchange.ts';
import type { Exchange, PlaceOrderRequest } from '#server/exchange/port.ts';
import { createLog } from '#server/platform/log.ts';
import { BUSY_TICKER, startTestExchange, type TestExchange } from './testExchange.ts';

export const log = createLog('test', 'silent');

/** An exchange of a test file's own, and our adapter at it. */
export async function startWithAdapter(): Promise<{ exchange: TestExchange; adapter: Exchange }> {
  const exchange = await startTestExchange('ed25519');
  return { exchange, adapter: connectTo(exchange) };
}

/** Ends what a test made the exchange do. */
export async function behave(exchange: TestExchange): Promise<void> {
  await exchange.control('faults', { clear: true });
  await exchange.control('exchange', { exchangeActive: true, tradingActive: true });
}

/** Our adapter at this exchange; a message that takes longer is of unknown outcome. */
export function connectTo(exchange: TestExchange, writeMs = 500): Exchange {
  return createKalshiExchange({
    url: exchange.url,
    wsUrl: exchange.wsUrl,
    credentials: exchange,
    log,
    timeouts: { writeMs, readMs: 5_000 },
  });
}

/** An order that the busy market fills at once, unless a change says otherwise. */
export function placeRequest(change: Partial<PlaceOrderRequest> = {}): PlaceOrderRequest {
  return {
    clientOrderId: randomUUID(),
    ticker: BUSY_TICKER,
    shard: 0,
    action: 'buy',
    side: 'yes',
    contractMicros: 3_000_000n,
    limitPriceMicros: 990_000n,
    storedAt: new Date(),
    mayBeSent: async () => true,
    ...change,
  };
}

/** Makes the exchange misbehave in this way once, or as often as `more` says. */
export const arm = (exchange: TestExchange, kind: string, more: object = {}) =>
  exchange.control('faults', { arm: [{ kind, ...more }] });

/** Net contracts that the exchange says we hold in the busy market. */
export async function heldMicros(adapter: Exchange): Promise<bigint> {
  const positions = await adapter.listPositions();
  return positions.find((one) => one.ticker === BUSY_TICKER)?.netContractMicros ?? 0n;
}
