import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Market } from '#lib/api/schemas/market.ts';
import { clearMarkets, publishMarkets } from '#lib/browser/market/livePrices.ts';
import { marketViewOf } from '#lib/market/convertMarket.ts';
import { RelatedOutcome } from './RelatedOutcome.tsx';

const open = {
  ticker: 'WIND-W',
  eventTicker: 'WIND',
  title: 'Where does the wind come from?',
  subtitle: 'West',
  yesSubTitle: 'West',
  status: 'open',
  marketType: 'binary',
  yesBidDollars: '0.2400',
  yesAskDollars: '0.2600',
  noBidDollars: '0.7400',
  noAskDollars: '0.7600',
  lastPriceDollars: '0.2500',
  volume: 10,
  settlement: null,
} as Market;

let root: Root;
let page: HTMLElement;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  page = document.createElement('div');
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  clearMarkets();
  vi.unstubAllGlobals();
});

async function render(market: Market): Promise<void> {
  await act(async () => root.render(<RelatedOutcome market={marketViewOf(market)} />));
}

test('given another outcome that settles, shows its result instead of a chance', async () => {
  await render(open);
  expect(page.textContent).toContain('25%');
  const settlement = {
    result: 'no' as const,
    payoutYesDollars: '0.0000',
    payoutNoDollars: '1.0000',
    settledAt: null,
  };
  await act(async () => publishMarkets([{ ...open, status: 'settled', settlement }]));
  expect(page.textContent).toBe('Resolved: No');
});

test('given a scalar market, shows its expected payout', async () => {
  await render({ ...open, marketType: 'scalar' });
  expect(page.textContent).toBe('25¢');
});
