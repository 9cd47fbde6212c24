import { act } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testRoot } from '#components/testing/testRoot.ts';
import { useNow } from './clock.ts';

const { container, render } = testRoot();

const NOON = Date.parse('2026-11-28T12:00:00Z');

function Clock() {
  return <time>{useNow() ?? 'as rendered'}</time>;
}

beforeEach(() => vi.useFakeTimers({ now: NOON }));
afterEach(() => vi.useRealTimers());

test('given a page that hydrates, its countdowns change in a task of their own', async () => {
  const page = document.createElement('div');
  page.innerHTML = renderToString(<Clock />);
  const root = await act(async () => hydrateRoot(page, <Clock />));
  expect(page.textContent).toBe('as rendered');
  await act(async () => vi.advanceTimersByTime(0));
  expect(page.textContent).toBe(`${NOON}`);
  await act(async () => root.unmount());
});

test('given a countdown that mounts after the last one has gone, it never shows the old time', async () => {
  await render(<Clock />);
  await act(async () => vi.advanceTimersByTime(2_000));
  expect(container.textContent).toBe(`${NOON + 2_000}`);
  await render(null);
  vi.setSystemTime(NOON + 60_000);
  await render(<Clock />);
  expect(container.textContent).toBe('as rendered');
  await act(async () => vi.advanceTimersByTime(0));
  expect(container.textContent).toBe(`${NOON + 60_000}`);
});
