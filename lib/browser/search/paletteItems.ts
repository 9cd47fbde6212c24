import type { SearchResult } from '#lib/api/schemas/search.ts';
import { shortHex } from '#lib/format/address.ts';
import { chance } from '#lib/format/money.ts';
import { distinctionsIn } from '#lib/market/distinctions.ts';
import { impliedChance } from '#lib/market/marketView.ts';
import { eventPicture } from '#lib/market/pictures.ts';
import { MICROS, parseMicros } from '#lib/money.ts';

/** A selectable line of the palette. */
export type PaletteItem = {
  id: string;
  group: string;
  label: string;
  /** Shown under the label. */
  detail?: string;
  /** Shown at the end of the line, such as the chance. */
  value?: string;
  /** Of an event: the path of its picture, if the exchange gives one, and its category. */
  event?: { picture: string | undefined; category: string };
} & ({ href: string } | { action: 'theme' | 'copyAddress' | 'connect' });

const PAGES: PaletteItem[] = [
  { id: 'p:/', group: 'Go to', label: 'Markets', href: '/' },
  { id: 'p:/watchlist', group: 'Go to', label: 'Watchlist', href: '/watchlist' },
  { id: 'p:/workspace', group: 'Go to', label: 'Workspace', href: '/workspace' },
  { id: 'p:/portfolio', group: 'Go to', label: 'Portfolio', href: '/portfolio' },
  { id: 'p:/orders', group: 'Go to', label: 'Orders', href: '/orders' },
  { id: 'p:/activity', group: 'Go to', label: 'Activity', href: '/activity' },
  { id: 'p:/deposit', group: 'Go to', label: 'Deposit', href: '/deposit' },
  { id: 'p:/withdraw', group: 'Go to', label: 'Withdraw', href: '/withdraw' },
  { id: 'p:/account', group: 'Go to', label: 'Account', href: '/account' },
  { id: 'p:/developers', group: 'Go to', label: 'Developers', href: '/developers' },
  { id: 'p:/status', group: 'Go to', label: 'System status', href: '/status' },
  { id: 'p:/how-it-works', group: 'Go to', label: 'How it works', href: '/how-it-works' },
  { id: 'p:/fees', group: 'Go to', label: 'Fees', href: '/fees' },
  { id: 'p:/help', group: 'Go to', label: 'Help', href: '/help' },
];

const ACTIONS: PaletteItem[] = [
  { id: 'a:theme', group: 'Actions', label: 'Switch light or dark theme', action: 'theme' },
];

/** Pages and actions whose names contain every typed word; all of them when there are no words. */
export function commandItems(query: string, depositAddress: string | undefined): PaletteItem[] {
  const actions: PaletteItem[] = [
    ...ACTIONS,
    depositAddress === undefined
      ? { id: 'a:connect', group: 'Actions', label: 'Connect wallet', action: 'connect' }
      : {
          id: 'a:copy',
          group: 'Actions',
          label: 'Copy deposit address',
          detail: shortHex(depositAddress),
          action: 'copyAddress',
        },
  ];
  const words = wordsOf(query);
  return [...PAGES, ...actions].filter((item) =>
    words.every((word) => item.label.toLowerCase().includes(word)),
  );
}

const MARKETS_PER_EVENT = 3;

/** The found events, each with the matching outcomes or else its most informative ones. */
export function foundItems(result: SearchResult | undefined, query: string): PaletteItem[] {
  const events = result?.current_page ?? [];
  const distinctions = distinctionsOf(events);
  return events.flatMap((event) => {
    const [only] = event.markets;
    const about = [distinctions.get(event.event_ticker), event.category].filter(Boolean);
    const icons = event.markets.map((market) => market.icon_url_light_mode);
    const looks = {
      picture: eventPicture(event.event_ticker, icons),
      category: event.category,
    };
    if (event.total_market_count === 1 && only) {
      return [
        {
          id: `m:${only.ticker}`,
          group: 'Markets',
          label: event.event_title,
          detail: [...about, ...moreOf(event)].join(' · '),
          value: chanceOf(only),
          event: looks,
          href: `/markets/${only.ticker}`,
        },
      ];
    }
    return [
      {
        id: `e:${event.event_ticker}`,
        group: 'Markets',
        label: event.event_title,
        detail: [...about, `${event.total_market_count} outcomes`, ...moreOf(event)].join(' · '),
        event: looks,
        href: `/events/${event.event_ticker}`,
      },
      ...tellingMarkets(event.markets, query).map((market) => ({
        id: `m:${market.ticker}`,
        group: 'Markets',
        label: market.yes_subtitle || market.title,
        value: chanceOf(market),
        href: `/markets/${market.ticker}`,
      })),
    ];
  });
}

function distinctionsOf(events: SearchResult['current_page']): ReadonlyMap<string, string> {
  return distinctionsIn(
    events.map(({ event_ticker, event_title, event_subtitle, markets: [first] }) => ({
      ticker: event_ticker,
      title: event_title,
      subtitle: event_subtitle,
      endTime: first?.expected_expiration_ts,
    })),
  );
}

function moreOf({ more_in_series: count = 0 }: SearchResult['current_page'][number]): string[] {
  return count === 0 ? [] : [`${count} more like this`];
}

type FoundMarket = SearchResult['current_page'][number]['markets'][number];

/** Outcomes in their own order, without those that are practically decided. */
function tellingMarkets(markets: FoundMarket[], query: string): FoundMarket[] {
  const words = wordsOf(query);
  const weight = (market: FoundMarket) => {
    const label = market.yes_subtitle.toLowerCase();
    const implied = impliedOf(market) ?? 0n;
    const open = implied < MICROS - implied ? implied : MICROS - implied;
    const hits = words.filter((word) => label.includes(word)).length;
    return BigInt(hits) * MICROS + open;
  };
  const heaviest = [...markets]
    .sort((a, b) => Number(weight(b) - weight(a)))
    .slice(0, MARKETS_PER_EVENT);
  return markets.filter((market) => heaviest.includes(market));
}

function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

function impliedOf(market: FoundMarket): bigint | null {
  const bid = parseMicros(market.yes_bid_dollars);
  const ask = parseMicros(market.yes_ask_dollars);
  const last = parseMicros(market.last_price_dollars);
  return impliedChance({
    yesBidMicros: bid === 0n ? null : bid,
    yesAskMicros: ask === MICROS ? null : ask,
    noBidMicros: null,
    noAskMicros: null,
    lastPriceMicros: last === 0n ? null : last,
  });
}

function chanceOf(market: FoundMarket): string {
  const implied = impliedOf(market);
  return implied === null ? '–' : chance(implied);
}

/** A text split at the search words, so that the matches can be marked. */
export function marked(text: string, query: string): { text: string; isHit: boolean }[] {
  const words = wordsOf(query);
  if (words.length === 0) return [{ text, isHit: false }];
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text
    .split(new RegExp(`(${pattern})`, 'gi'))
    .filter((part) => part !== '')
    .map((part) => ({ text: part, isHit: words.includes(part.toLowerCase()) }));
}
