import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { runningProcessor } from '#sandbox/testing/runningProcessor.ts';
import { signIn, type Trader } from '#sandbox/testing/trader.ts';
import { takeMarket } from '#sandbox/testing/trades.ts';
import { type Receiver, startReceiver } from '#server/domain/notifications/testing/receiver.ts';

/** Price alerts while the processor dies: none is lost and none is sent twice. */

const messageSchema = z.object({
  data: z.object({ priceAlert: z.object({ price: z.string() }) }),
});

const ALERTS = 12;
const stack = ownTestStack('alerts', { servers: ['processor', 'web', 'notifications'] });
let trader: Trader;
let receiver: Receiver;
let ticker = '';

const sandbox = stack.description;
const movePrice = (priceDollars: string) =>
  controlExchange(sandbox(), 'market', { ticker, takers: false, priceDollars });

beforeAll(async () => {
  receiver = await startReceiver();
  trader = await signIn(sandbox());
  ticker = await takeMarket(trader);
});
afterAll(async () => {
  await receiver?.close();
});

test('given kills of the processor while alerts fire, each reaches the webhook exactly once', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  await movePrice('0.5');
  await trader.api.createWebhook({ url: receiver.url, eventTypes: ['price_alert.triggered'] });
  const prices = Array.from({ length: ALERTS }, (_, n) => `0.${60 + n}`);
  for (const price of prices) {
    await trader.api.createPriceAlert({ ticker, side: 'yes', price, direction: 'above' });
  }
  const listed = async () => (await trader.api.listPriceAlerts()).priceAlerts;
  const triggered = async () =>
    (await listed()).filter(({ status }) => status === 'triggered').length;
  for (const price of ['0.64', '0.68', '0.75']) {
    await movePrice(price);
    process.kill(await runningProcessor(stack), 'SIGKILL');
  }
  await vi.waitUntil(async () => (await triggered()) === ALERTS, {
    timeout: 120_000,
    interval: 200,
  });
  await vi.waitUntil(() => receiver.received.length >= ALERTS, { timeout: 120_000, interval: 100 });

  // One that fires afterwards arrives after every repetition would have.
  await trader.api.createPriceAlert({ ticker, side: 'yes', price: '0.85', direction: 'above' });
  await movePrice('0.9');
  const isLast = () => receiver.received.some(({ body }) => body.includes('"0.85"'));
  await vi.waitUntil(isLast, { timeout: 120_000, interval: 100 });
  const sent = receiver.received.map(({ body }) => messageSchema.parse(JSON.parse(body)).data);
  const sentPrices = sent.map(({ priceAlert }) => Number(priceAlert.price));
  const ascending = (a: number, b: number) => a - b;
  expect(sentPrices.toSorted(ascending)).toEqual(
    [...prices, '0.85'].map(Number).toSorted(ascending),
  );
});
