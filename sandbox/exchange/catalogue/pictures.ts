import type { ExchangeMarket } from '../market.ts';
import { hash32, pick } from '../random.ts';
import type { SeriesTemplate } from './template.ts';

/** Pictures and colours of listings. The exchange serves the pictures beside its interface. */

export const PICTURES_PATH = '/pictures/';

export function seriesPicturePath(template: SeriesTemplate): string {
  return `${PICTURES_PATH}series/${template.ticker}.svg`;
}

/** Teams have crests; undefined for other outcomes. */
export function marketPicturePath({ event, spec }: ExchangeMarket): string | undefined {
  const { category } = event.template;
  const isTeam = category === 'Sports' && spec.strike.type === 'structured';
  return isTeam && spec.suffix !== 'TIE' ? `${PICTURES_PATH}teams/${spec.suffix}.svg` : undefined;
}

const COLORS = [
  '#1F4E9E',
  '#B3202C',
  '#0E7A4D',
  '#5B2A86',
  '#D9541E',
  '#0F8B8D',
  '#C2185B',
  '#7A4B1E',
  '#F2B705',
  '#3F7CAC',
  '#6A8D1B',
  '#A13FA8',
];

export function outcomeColor(text: string): string {
  return pick(COLORS, text, 'color');
}

/** The SVG at a path; undefined when there is none. */
export function pictureAt(
  templates: ReadonlyMap<string, SeriesTemplate>,
  path: string,
): string | undefined {
  const [, kind = '', name = ''] =
    /^(series|teams)\/([A-Z0-9]+)\.svg$/.exec(path.slice(PICTURES_PATH.length)) ?? [];
  if (kind === 'teams') return crest(name);
  const template = templates.get(name);
  return template && emblem(template);
}

/** White lines on a tile in the colours of the series. */
function emblem({ ticker, tags }: SeriesTemplate): string {
  const lines = tags.map((tag) => EMBLEMS[tag]).find((found) => found !== undefined);
  const hue = hash32(ticker, 'hue') % 360;
  const tile = `<linearGradient id="t" x2="1" y2="1"><stop stop-color="hsl(${hue},48%,46%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360},56%,30%)"/></linearGradient>`;
  return svg(
    `${tile}<path fill="url(#t)" d="M0 0h48v48H0z"/><path fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" d="${lines ?? BARS}"/>`,
  );
}

/** A shield in the colours of the team. */
function crest(team: string): string {
  const pattern = pick(CREST_PATTERNS, team, 'pattern');
  const second = pick(['#F4F1E8', '#1C2230', '#F4F1E8', '#F2B705'], team, 'second');
  const shield = 'M6 4h36v22c0 9-7 15-18 19C13 41 6 35 6 26z';
  return svg(
    `<clipPath id="s"><path d="${shield}"/></clipPath><g clip-path="url(#s)"><path fill="${outcomeColor(team)}" d="M0 0h48v48H0z"/><path fill="${second}" d="${pattern}"/></g><path fill="none" stroke="#fff" stroke-width="2" d="${shield}"/>`,
  );
}

function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 48 48">${content}</svg>`;
}

const CREST_PATTERNS = [
  'M24 0h24v48H24z',
  'M0 16h48v14H0z',
  'M0 0h16v48H0zM32 0h16v48H32z',
  'M48 0v48H0z',
  'M0 12l24 16 24-16v14L24 42 0 26z',
  'M0 0h24v22H0zM24 22h24v26H24z',
  'M18 0h12v48H18z',
  'M0 0h48v14H0z',
];

const BARS = 'M12 36V24M20 36V14M28 36V28M36 36V18';
const GLOBE = 'M24 10a14 14 0 1 0 .01 0M10 24h28M24 10c6 8 6 20 0 28M24 10c-6 8-6 20 0 28';
const CANDLES = 'M14 12v24M24 8v26M34 14v24M11 18h6v10h-6zM21 14h6v12h-6zM31 22h6v10h-6z';
const CROSS = 'M20 10h8v10h10v8H28v10h-8V28H10v-8h10z';
const SWAP = 'M12 18h22l-6-6M36 30H14l6 6';

/** Lines of a series' picture, by its first tag that has some. */
const EMBLEMS: Record<string, string> = {
  'US elections': 'M14 9v30M14 11h22l-5 7 5 7H14',
  Polls: BARS,
  Congress: 'M10 38h28M13 34V24M20 34V24M28 34V24M35 34V24M10 20h28L24 10z',
  'World leaders': GLOBE,
  'Interest rates': 'M14 34 34 14M17 13a3.5 3.5 0 1 0 .01 0M31 28a3.5 3.5 0 1 0 .01 0',
  'Data releases': 'M10 34l9-10 7 5 12-15M30 14h8v8',
  Growth: 'M12 37c0-14 8-22 25-25-2 16-10 23-21 20M12 37c4-8 10-13 16-16',
  Bitcoin: 'M17 12h9a6 6 0 0 1 0 12h-9zM17 24h10a6 6 0 0 1 0 12H17zM21 8v4M27 8v4M21 36v4M27 36v4',
  Ethereum: 'M24 8 35 24 24 40 13 24zM13 24l11-6 11 6',
  Solana: 'M16 13h20l-4 5H12zM12 22h20l4 5H16zM16 31h20l-4 5H12z',
  XRP: 'M12 12l12 11 12-11M12 36l12-11 12 11',
  Dogecoin: 'M17 11h6c8 0 11 6 11 13s-3 13-11 13h-6zM13 24h12',
  'S&P 500': CANDLES,
  'Nasdaq-100': 'M12 36V12l24 24V12',
  DAX: 'M10 34h28M12 30l8-8 6 4 10-14',
  'Nikkei 225': 'M24 12a12 12 0 1 0 .01 0M24 18v12M18 24h12',
  'crude oil (WTI)': 'M24 9c7 9 10 13 10 19a10 10 0 0 1-20 0c0-6 3-10 10-19z',
  gold: 'M10 36l4-10h9l4 10zM19 24l4-10h9l4 10z',
  'natural gas': 'M25 8c1 8 9 10 9 20a10 10 0 0 1-20 0c0-5 3-7 4-11 3 2 4 4 5 6 2-4 3-9 2-15z',
  'EUR/USD': SWAP,
  'USD/JPY': SWAP,
  '10-year Treasury yield': 'M12 10v26h26M16 30c6-12 12-14 20-15',
  Basketball: 'M24 10a14 14 0 1 0 .01 0M10 24h28M24 10v28M14 14c7 6 7 14 0 20M34 14c-7 6-7 14 0 20',
  Hockey: 'M30 8 20 31c-1 3-3 4-6 4h-4v-5h6M28 35h10v5H28z',
  Football: 'M10 38C8 20 20 8 38 10c2 18-10 30-28 28zM19 29 29 19M20 23l5 5M24 19l5 5',
  Soccer:
    'M24 10a14 14 0 1 0 .01 0M24 17l7 5-3 8h-8l-3-8zM24 10v7M38 23l-7-1M32 36l-4-6M16 36l4-6M10 23l7-1',
  'Daily temperature': 'M21 28V13a3.5 3.5 0 0 1 7 0v15a7 7 0 1 1-7 0zM24.5 20v13',
  Rain: 'M15 27a7 7 0 0 1 1-14 10 10 0 0 1 18 3 6 6 0 0 1-1 11zM17 33l-2 5M25 33l-2 5M33 33l-2 5',
  Hurricanes: 'M24 19a5 5 0 1 0 .01 0M34 8c-14-2-22 8-19 18M14 40c14 2 22-8 19-18',
  Climate: GLOBE,
  Awards: 'M16 10h16v10a8 8 0 0 1-16 0zM16 13h-6c0 6 2 9 6 9M32 13h6c0 6-2 9-6 9M24 28v6M17 38h14',
  Music: 'M19 34V13l16-3v21M19 34a5 4 0 1 1-.01-1M35 31a5 4 0 1 1-.01-1',
  Television: 'M10 14h28v19H10zM18 39h12M18 8l6 6 6-6',
  Film: 'M10 12h28v24H10zM16 12v24M32 12v24M10 20h6M10 28h6M32 20h6M32 28h6',
  Space:
    'M24 8c7 6 8 14 6 22H18c-2-8-1-16 6-22zM18 26l-5 8h6M30 26l5 8h-6M24 30v9M24 16a2.5 2.5 0 1 0 .01 0',
  Computing: 'M16 16h16v16H16zM20 10v6M28 10v6M20 32v6M28 32v6M10 20h6M10 28h6M32 20h6M32 28h6',
  Energy: 'M27 8 14 27h9l-2 13 13-19h-9z',
  Medicine: CROSS,
  'Public health': CROSS,
  Diplomacy: GLOBE,
  Rail: 'M16 10h16v20H16zM16 20h16M20 30l-5 8M28 30l5 8M20 25h.01M28 25h.01',
  Earnings: 'M10 38V22l9 5v-5l9 5V12h10v26z',
  Markets: CANDLES,
  Aviation:
    'M24 8c2 0 3 3 3 6v6l12 7v4l-12-4v7l4 3v3l-7-2-7 2v-3l4-3v-7L9 31v-4l12-7v-6c0-3 1-6 3-6z',
  Earth: 'M8 24h8l3-10 5 22 5-16 3 4h8',
  'Quick rounds': 'M24 10a14 14 0 1 0 .01 0M24 16v8l5 4',
};
