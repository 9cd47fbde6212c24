import { describe, expect, it } from 'vitest';
import type { SearchResult } from '#lib/api/schemas/search.ts';
import { commandItems, foundItems, marked } from './paletteItems.ts';

const market = (ticker: string, chance = 0.41, label = '') => ({
  ticker,
  title: ticker,
  yes_subtitle: label,
  yes_bid_dollars: (chance - 0.01).toFixed(4),
  yes_ask_dollars: (chance + 0.01).toFixed(4),
  last_price_dollars: chance.toFixed(4),
  icon_url_light_mode: 'https://images.example.org/a.webp',
  expected_expiration_ts: '2026-11-28T21:00:00.000Z',
});

const resultOf = (...events: object[]) => ({ current_page: events }) as unknown as SearchResult;

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('the palette', () => {
  it('offers pages and actions whose names contain the typed words', () => {
    expect(commandItems('port', undefined).map((item) => item.label)).toEqual(['Portfolio']);
    expect(commandItems('copy address', ADDRESS)).toHaveLength(1);
    expect(commandItems('copy address', undefined)).toHaveLength(0);
    expect(commandItems('', ADDRESS).length).toBeGreaterThan(8);
  });

  it('lists an event with its first outcomes, and a single market alone', () => {
    const result = resultOf(
      {
        event_ticker: 'E',
        event_title: 'Many',
        category: 'Sports',
        total_market_count: 4,
        markets: ['A', 'B', 'C', 'D'].map((ticker) => market(ticker)),
      },
      {
        event_ticker: 'F',
        event_title: 'One',
        category: 'World',
        total_market_count: 1,
        more_in_series: 7,
        markets: [market('X')],
      },
    );
    const items = foundItems(result, '');
    expect(items.map(({ label, value }) => [label, value])).toEqual([
      ['Many', undefined],
      ['A', '41%'],
      ['B', '41%'],
      ['C', '41%'],
      ['One', '41%'],
    ]);
    expect(items.at(0)?.detail).toBe('Sports · 4 outcomes');
    expect(items.at(-1)?.detail).toBe('World · 7 more like this');
  });

  it('given equal titles, adds the dates; each event has its picture', () => {
    const event = (ticker: string) => ({
      event_ticker: ticker,
      event_title: 'Rain?',
      event_subtitle: '',
      category: 'World',
      total_market_count: 1,
    });
    const later = { ...market('Y'), expected_expiration_ts: '2026-11-29T21:00:00.000Z' };
    const items = foundItems(
      resultOf({ ...event('E'), markets: [market('X')] }, { ...event('F'), markets: [later] }),
      '',
    );
    expect(items.map(({ detail }) => detail)).toEqual(['2026-11-28 · World', '2026-11-29 · World']);
    expect(items.map((item) => item.event)).toEqual([
      { picture: '/pictures/events/E', category: 'World' },
      { picture: '/pictures/events/F', category: 'World' },
    ]);
  });

  it('lists undecided outcomes before decided ones, and exact matches before both', () => {
    const markets = [
      market('A', 0.98, 'Above 1'),
      market('B', 0.97, 'Above 2'),
      market('C', 0.6, 'Above 3'),
      market('D', 0.3, 'Above 4'),
      market('E', 0.04, 'Seattle'),
    ];
    const event = { event_ticker: 'E', event_title: 'Many', total_market_count: 5, markets };
    const result = resultOf(event);
    const labels = (query: string) => foundItems(result, query).map(({ label }) => label);
    expect(labels('')).toEqual(['Many', 'Above 3', 'Above 4', 'Seattle']);
    expect(labels('above 1')).toEqual(['Many', 'Above 1', 'Above 3', 'Above 4']);
  });

  it('marks the typed text, with any characters', () => {
    expect(marked('Above $100 (Q4)', '$100 (q4)')).toEqual([
      { text: 'Above ', isHit: false },
      { text: '$100', isHit: true },
      { text: ' ', isHit: false },
      { text: '(Q4)', isHit: true },
    ]);
    expect(marked('Rain', '')).toEqual([{ text: 'Rain', isHit: false }]);
  });
});
