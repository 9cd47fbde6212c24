import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ExchangeUnavailableError } from '../errors.ts';
import { createHttpClient } from './httpClient.ts';
import { createRateLimits } from './rateLimits.ts';

const READ_MS = 200;

function clientOf(fetchLike: typeof fetch) {
  return createHttpClient({
    url: 'https://exchange.test/trade-api/v2',
    signer: async () => ({}),
    limits: createRateLimits(),
    fetch: fetchLike,
    sendMessage: async () => undefined,
    log: pino({ level: 'silent' }),
    timeouts: { readMs: READ_MS },
  });
}

test('given a silent exchange, a read ends before all attempts time out', async () => {
  let asked = 0;
  const client = clientOf((_url, init) => {
    asked += 1;
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
  const startedAt = performance.now();
  await expect(client.get('/markets')).rejects.toBeInstanceOf(ExchangeUnavailableError);
  expect(asked).toBeLessThanOrEqual(2);
  expect(performance.now() - startedAt).toBeLessThan(READ_MS * 3);
});
