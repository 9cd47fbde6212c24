import { describe, expect, it } from 'vitest';
import type { SearchResult } from '../api/schemas/search.ts';
import { commandItems, foundItems, marked } from './paletteItems.ts';

describe('the palette', () => {
  it('offers pages and actions by what their names hold', () => {
    expect(commandItems('port', false).map((item) => item.label)).toEqual(['Portfolio']);
    expect(commandItems('copy address', true)).toHaveLength(1);
    expect(commandItems('copy address', false)).toHaveLength(0);
    expect(commandItems('', true).length).toBeGreaterThan(8);
  });

  it('lists an event with its first outcomes, and a lone market by itself', () => {
    const market = (ticker: string) => ({
      ticker,
      title: ticker,
      yes_subtitle: '',
      yes_bid_dollars: '0.4000',
      yes_ask_dollars: '0.4200',
      last_price_dollars: '0.4000',
    });
    const result = {
      current_page: [
        {
          event_ticker: 'E',
          event_title: 'Many',
          category: 'Sports',
          total_market_count: 4,
          markets: ['A', 'B', 'C', 'D'].map(market),
        },
        {
          event_ticker: 'F',
          event_title: 'One',
          category: 'World',
          total_market_count: 1,
          markets: [market('X')],
        },
      ],
    } as unknown as SearchResult;
    const items = foundItems(result);
    expect(items.map(({ label, value }) => [label, value])).toEqual([
      ['Many', undefined],
      ['A', '41%'],
      ['B', '41%'],
      ['C', '41%'],
      ['One', '41%'],
    ]);
  });

  it('marks what was typed, whatever it is made of', () => {
    expect(marked('Above $100 (Q4)', '$100 (q4)')).toEqual([
      { text: 'Above ', isHit: false },
      { text: '$100', isHit: true },
      { text: ' ', isHit: false },
      { text: '(Q4)', isHit: true },
    ]);
    expect(marked('Rain', '')).toEqual([{ text: 'Rain', isHit: false }]);
  });
});
