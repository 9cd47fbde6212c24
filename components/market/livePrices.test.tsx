import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testRoot } from '#components/testing/testRoot.ts';
import type { Market } from '#lib/api/schemas/market.ts';
import { clearMarkets, publishMarkets, useLiveMarket } from '#lib/browser/market/livePrices.ts';
import { marketView } from '#lib/market/testing/marketView.ts';

const { container, render } = testRoot();

const view = marketView({ ticker: 'A', lastPriceMicros: 420_000n });
const onRender = vi.fn();

function Price() {
  onRender();
  return useLiveMarket(view).lastPriceMicros?.toString();
}

function response(lastPriceDollars: string): Market {
  const nothing = { yesBidDollars: '0.0000', yesAskDollars: '1.0000' };
  return {
    ticker: 'A',
    status: view.status,
    ...nothing,
    noBidDollars: nothing.yesBidDollars,
    noAskDollars: nothing.yesAskDollars,
    lastPriceDollars,
    volume: 0,
    settlement: null,
  } as Market;
}

beforeEach(() => {
  onRender.mockClear();
});
afterEach(clearMarkets);

test('given an answer with the prices of the page, its rows do not render', async () => {
  await render(<Price />);
  await act(async () => publishMarkets([response('0.4200')]));
  await act(async () => publishMarkets([response('0.4200')]));
  expect(container.textContent).toBe('420000');
  expect(onRender).toHaveBeenCalledTimes(1);
});

test('given another price, its rows show it, and its return to the first one', async () => {
  await render(<Price />);
  await act(async () => publishMarkets([response('0.4300')]));
  expect(container.textContent).toBe('430000');
  await act(async () => publishMarkets([response('0.4200')]));
  expect(container.textContent).toBe('420000');
});
