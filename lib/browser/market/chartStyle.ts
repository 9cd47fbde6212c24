import { createBrowserStore } from '../storage/browserStore.ts';

/** How this browser shows a market's prices. */
export const chartStyleStore = createBrowserStore<'line' | 'candles'>(
  'crossbook.chartStyle',
  'line',
  (value) => (value === 'line' || value === 'candles' ? value : undefined),
);
