import { expect, test } from 'vitest';
import { exposeMetrics } from '../../platform/metrics/registry.ts';
import { ExchangeResponseError, ExchangeUnavailableError } from '../errors.ts';
import type { Exchange } from '../port.ts';
import { observedExchange } from './observedExchange.ts';

const exchange = {
  name: 'test',
  getStatus: async () => ({ exchangeActive: true, tradingActive: true }),
  placeOrder: async () => ({ kind: 'unknown', code: 'timeout' }),
  cancelOrder: async () => ({ kind: 'cancelled', cancelledContractMicros: 0n }),
  getMarket: () => Promise.reject(new ExchangeUnavailableError('timeout', '/markets/X')),
  getFeeRule: () => Promise.reject(new ExchangeResponseError(403, 'no', '/fees')),
  catalogue: {
    watch: ({ onGap }: { onGap: (why: string) => void }) => onGap('connected'),
  },
} as unknown as Exchange;

const COUNTED = [
  'operation="getStatus",outcome="ok"',
  'operation="placeOrder",outcome="unknown"',
  'operation="cancelOrder",outcome="cancelled"',
  'operation="getMarket",outcome="unavailable"',
  'operation="getFeeRule",outcome="refused"',
];

/** Other tests of the process count the same calls. */
async function readCounts(): Promise<number[]> {
  const { body } = await exposeMetrics();
  return COUNTED.map((labels) => {
    const line = `crossbook_exchange_call_seconds_count{${labels}} `;
    const [, after = '0'] = body.split(line);
    return Number.parseInt(after, 10);
  });
}

test('given an observed exchange, results are unchanged and counted by outcome', async () => {
  const before = await readCounts();
  const observed = observedExchange(exchange);
  expect(observed.name).toBe('test');
  expect(await observed.getStatus()).toMatchObject({ tradingActive: true });
  await observed.placeOrder({} as Parameters<Exchange['placeOrder']>[0]);
  await observed.cancelOrder({} as Parameters<Exchange['cancelOrder']>[0]);
  await expect(observed.getMarket('X')).rejects.toThrow(ExchangeUnavailableError);
  await expect(observed.getFeeRule('X')).rejects.toThrow(ExchangeResponseError);
  const gaps: string[] = [];
  observed.catalogue.watch({
    onChange: () => undefined,
    onGap: (why) => gaps.push(why),
    signal: new AbortController().signal,
  });
  expect(gaps).toEqual(['connected']);

  expect(await readCounts()).toEqual(before.map((count) => count + 1));
  const { body } = await exposeMetrics();
  expect(body).toMatch(/crossbook_exchange_feed_last_message_timestamp_seconds 1\d{9}/);
});
