import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ShardView } from '#lib/market/marketView.ts';
import { ShardPause } from './ShardPause.tsx';
import { useShardPauses } from './useShardPauses.ts';

const api = { getStatus: vi.fn() };
vi.mock('#components/app/useApp.ts', () => ({ useApp: () => ({ api }) }));

const sports = (tradingActive: boolean): ShardView => ({ shard: 3, name: 'Sports', tradingActive });
const rest: ShardView = { shard: 0, name: '', tradingActive: true };

let root: Root;
let page: HTMLElement;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  page = document.createElement('div');
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Page({ shard, shards }: { shard: number; shards: ShardView[] }) {
  const paused = useShardPauses(shards).pausedShardOf({ shard, status: 'open' });
  return paused ? <ShardPause shard={paused} /> : 'trading';
}

async function render(shard: number, shards: ShardView[]): Promise<void> {
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <Page shard={shard} shards={shards} />
      </QueryClientProvider>,
    ),
  );
}

test('given a paused shard, a page of its market names it', async () => {
  await render(3, [rest, sports(false)]);
  expect(page.textContent).toContain('Trading is paused in: Sports');
});

test('given a paused shard, a page of another market says nothing', async () => {
  await render(0, [rest, sports(false)]);
  expect(page.textContent).toBe('trading');
});

test('given a shard that resumes, an open page follows', async () => {
  api.getStatus.mockResolvedValue({ exchange: { shards: [rest, sports(true)] } });
  await render(3, [rest, sports(false)]);
  await act(async () => await vi.advanceTimersByTimeAsync(31_000));
  expect(page.textContent).toBe('trading');
});
