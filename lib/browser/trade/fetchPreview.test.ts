import { describe, expect, it } from 'vitest';
import type { OrderPreview } from '#lib/api/schemas/orderPreview.ts';
import { fetchPreview, reasonOf } from './fetchPreview.ts';
import { limitRequest } from './limitRequest.ts';
import { quote } from './testing/quotes.ts';

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const site = { chainId: 8453, contracts: { usdc: '0x01' } } as const;
const ask = {
  action: 'buy',
  owner: OWNER,
  source: 'api',
  order: { ticker: 'RAIN', side: 'yes', slippageBps: 200, quote },
  askKey: '',
  version: '',
} as const;

const clear: OrderPreview = {
  source: 'api',
  placeable: true,
  blockers: [],
  estimate: null,
  funding: null,
  signing: {
    grant: 'in_force',
    leastMaxPerOrder: '4.5594',
    leastMaxPerDay: '10',
    transactions: 0,
    approvedQuoteAmount: null,
  },
};

function serviceThatSays(preview: OrderPreview) {
  const asked: Request[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push(new Request(input, init));
    return Response.json({ previews: [preview] });
  };
  return { asked, service: { site, client: { baseUrl: 'https://crossbook.test', fetch } } };
}

describe('fetchPreview', () => {
  it('asks about the order that the next press would place', async () => {
    const { service, asked } = serviceThatSays(clear);
    const { signal } = new AbortController();
    expect(await fetchPreview(service, ask, signal)).toEqual({
      blocker: undefined,
      limitsNeed: { perOrderMicros: 4_559_400n, perDayMicros: 10_000_000n },
    });
    const [request] = asked;
    expect(request?.url).toBe('https://crossbook.test/v1/order/preview?source=api');
    expect(await request?.json()).toMatchObject({
      userAddress: OWNER,
      order: { baseQuantity: '10', maxQuoteQuantityIn: '4.5594', orderType: 'BUY' },
    });
  });

  it('asks about a limit order as it is', async () => {
    const { service, asked } = serviceThatSays(clear);
    const draft = { ticker: 'RAIN', side: 'yes', action: 'buy', isReduceOnly: false } as const;
    const order = limitRequest(
      site,
      {
        ...draft,
        priceMicros: 420_000n,
        size: { unit: 'contracts', micros: 40_000_000n },
        timeInForce: 'GTC',
        endsAtMs: undefined,
        isPostOnly: true,
      },
      OWNER,
    );
    await fetchPreview(service, { ...ask, order }, new AbortController().signal);
    expect(await asked[0]?.json()).toEqual(JSON.parse(JSON.stringify(order)));
  });

  it('names the first blocker', async () => {
    const detail = 'Trading is paused.';
    const blockers = [
      { code: 'trading_paused', outcome: 'refused' as const, detail, errors: [] },
      { code: 'insufficient_funds', outcome: 'ends' as const, detail: '', errors: [] },
    ];
    const { service } = serviceThatSays({ ...clear, placeable: false, blockers });
    const { blocker } = await fetchPreview(service, ask, new AbortController().signal);
    expect(blocker).toMatchObject({ reason: 'blocked', code: 'trading_paused', detail });
  });
});

it.each([
  ['insufficient_funds', 'buy', 'insufficientCash'],
  ['insufficient_funds', 'sell', 'insufficientContracts'],
  ['order_too_large', 'buy', 'tooLarge'],
  ['grant_exceeded', 'sell', 'widenGrant'],
  ['grant_expired', 'buy', 'signGrant'],
  ['price_moved', 'buy', 'notFillable'],
  ['region_not_served', 'buy', 'blocked'],
] as const)('a ticket with %s to %s is %s', (code, action, reason) => {
  expect(reasonOf({ code }, { action, hasOwnPrice: false })).toBe(reason);
});

it('a limit order that matches nothing is about its price, not about the book', () => {
  expect(reasonOf({ code: 'price_moved' }, { action: 'buy', hasOwnPrice: true })).toBe('blocked');
});
