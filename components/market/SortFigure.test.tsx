import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ListedEvent, MarketView } from '#lib/market/marketView.ts';
import { marketView } from '#lib/market/testing/marketView.ts';
import { SortFigure } from './SortFigure.tsx';

const NOW = Date.parse('2026-11-23T12:00:00Z');

function market(label: string, nowCents: bigint, expectedEndTime: string): MarketView {
  return marketView({
    ticker: label,
    label,
    closeTime: expectedEndTime,
    expectedEndTime,
    lastPriceMicros: nowCents * 10_000n,
    previousPriceMicros: 500_000n,
  });
}

const EVENT: ListedEvent = {
  eventTicker: 'GAME',
  title: 'Who wins?',
  subtitle: '',
  category: 'Sports',
  volumeContractMicros: 9_000_000_000n,
  marketCount: 2,
  mutuallyExclusive: true,
  seriesTicker: 'GAMES',
  seriesTitle: 'Games',
  moreInSeries: 0,
  volume24hContractMicros: 1_200_000_000n,
  liquidityUsdcMicros: 2_500_000_000n,
  newestOpenTime: '2026-11-23T09:00:00Z',
  isUnderWay: false,
  markets: [
    market('North', 47n, '2026-11-24T12:00:00Z'),
    market('South', 62n, '2026-11-23T14:00:00Z'),
  ],
};

test.each([
  ['trending', '1.2k contracts in 24 h'],
  ['movers', 'South 12'],
  ['closing', 'Ends in 2 h'],
  ['newest', 'Opened 3 h ago'],
  ['liquidity', '$2.5k in the book'],
] as const)('given the sort %s, a card shows %s', (sort, shown) => {
  const html = renderToStaticMarkup(<SortFigure sort={sort} event={EVENT} renderedAtMs={NOW} />);
  expect(html.replace(/<[^>]*>/g, '')).toContain(shown);
});
