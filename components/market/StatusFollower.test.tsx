import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyEvent } from '#lib/browser/live/applyEvent.ts';
import type { MarketView } from '#lib/market/marketView.ts';
import { StatusFollower } from './StatusFollower.tsx';

const api = { listMarkets: vi.fn() };
const refresh = vi.fn();
vi.mock('#components/app/useApp.ts', () => ({ useApp: () => ({ api }) }));
vi.mock('#components/app/useLive.ts', () => ({ useLiveMarkets: () => undefined }));
const router = { refresh };
vi.mock('next/navigation', () => ({ useRouter: () => router }));

const open = (ticker: string) => ({ ticker, eventTicker: 'WIND', status: 'open' as const });
const rendered = [open('WIND-S'), open('WIND-W')];

let root: Root;
let cache: QueryClient;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  refresh.mockClear();
  // Renders within `act`, not in a later task.
  notifyManager.setScheduler(queueMicrotask);
  api.listMarkets.mockResolvedValue({ markets: rendered, count: 2, cursor: '' });
  cache = new QueryClient();
  root = createRoot(document.createElement('div'));
  await render(rendered);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

async function render(markets: Pick<MarketView, 'ticker' | 'status'>[]): Promise<void> {
  await act(async () =>
    root.render(
      <QueryClientProvider client={cache}>
        <StatusFollower markets={markets} />
      </QueryClientProvider>,
    ),
  );
}

async function receive(market: object): Promise<void> {
  const event = { name: 'market', data: JSON.stringify(market), id: undefined };
  await act(async () => applyEvent(cache, event));
}

test('given another outcome that settles, refreshes the page once', async () => {
  await receive({ ...open('WIND-W'), yesBid: 24 });
  expect(refresh).not.toHaveBeenCalled();
  const settled = { ...open('WIND-W'), status: 'settled' as const };
  await receive(settled);
  await receive({ ...settled, yesBid: 0 });
  expect(refresh).toHaveBeenCalledTimes(1);
  await render([open('WIND-S'), settled]);
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('given two outcomes that settle one after the other, refreshes for each', async () => {
  await receive({ ...open('WIND-W'), status: 'settled' });
  await receive({ ...open('WIND-S'), status: 'settled' });
  expect(refresh).toHaveBeenCalledTimes(2);
});
