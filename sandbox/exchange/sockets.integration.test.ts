import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readExchangeState } from '#sandbox/testing/exchangeControl.ts';
import { startTestExchange, type TestExchange } from './testing/testExchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange('ed25519');
});
afterAll(() => exchange?.remove());

/** Requests a WebSocket without a signature and disconnects before the rejection arrives. */
async function askAndCut(): Promise<void> {
  const { hostname, port } = new URL(exchange.url);
  const client = connect(Number(port), hostname);
  await once(client, 'connect');
  client.write(
    'GET /trade-api/ws/v2 HTTP/1.1\r\nHost: exchange\r\nConnection: Upgrade\r\n' +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n\r\n',
  );
  client.resetAndDestroy();
  await once(client, 'close');
}

it('given connections that break during their rejection, keeps running', async () => {
  for (let round = 0; round < 50; round += 1) await askAndCut();
  expect(await readExchangeState({ exchangeUrl: exchange.url })).toMatchObject({});
});
