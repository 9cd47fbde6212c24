import { readFileSync } from 'node:fs';
import type { IndexedEvent } from '../searchIndex.ts';

/**
 * Queries as people type them, over a listing in the exchange's wording. Queries of odd lines are
 * looked at when the search is changed; those of even lines only measure it.
 */
export type Judged = { query: string; expected: string[] };
export type Figures = { first: number; withinThree: number; nothing: number; misses: string[] };

export const JUDGED_AT = Date.UTC(2026, 10, 23, 13);
const DAY_MS = 86_400_000;
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

function linesOf(file: string): string[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

export function judgedQueries(): { lookedAt: Judged[]; heldOut: Judged[] } {
  const all = linesOf('queries.txt').map((line): Judged => {
    const [query = '', expected = ''] = line.split(' | ');
    return { query, expected: expected.split(' ') };
  });
  return {
    lookedAt: all.filter((_, index) => index % 2 === 0),
    heldOut: all.filter((_, index) => index % 2 === 1),
  };
}

/** Each line is a series: its fields, and its events as stamps with what fills their titles. */
export function judgedListing(): IndexedEvent[] {
  return linesOf('listing.txt').flatMap((line) => {
    const [series = '', seriesTitle = '', category = '', tag = '', ...rest] = line.split('|');
    const [magnitude = '0', title = '', subtitle = '', outcomes = '', stamps = ''] = rest;
    const listed = stampsOf(stamps);
    return listed.map((stamp): IndexedEvent => {
      const filled = fillerOf(stamp);
      const closesAt = closeOf(stamp.text);
      const volume = 10 ** Number(magnitude) / listed.length;
      const isOpen = closesAt > JUDGED_AT && !stamp.isSettled;
      return {
        ticker: `${series}-${stamp.text}`,
        seriesTicker: series,
        title: filled(title),
        subtitle: filled(subtitle),
        seriesTitle,
        outcomes: filled(outcomes),
        category,
        tags: [tag],
        frequency: 'daily',
        statusMask: isOpen ? 2 : 16,
        isOpen,
        volumeContractMicros: BigInt(Math.round(volume)) * 1_000_000n,
        volume,
        volume24h: isOpen ? volume / 50 : 0,
        liquidity: volume / 100,
        newestAt: JUDGED_AT - DAY_MS,
        closesNextAt: isOpen ? closesAt : undefined,
      };
    });
  });
}

type Stamp = { text: string; words: string[]; isSettled: boolean };

/**
 * `26NOV29AB(Alpha/Beta)` fills {1} and {2}; `26SEP..27JAN` counts months, days or hours; `26!` is
 * settled.
 */
function stampsOf(text: string): Stamp[] {
  const whole = text.match(/[^\s(]+(\([^)]*\))?/g) ?? [];
  return whole.flatMap((one) => {
    const [name = '', words = ''] = one.replace(')', '').split('(');
    const [from = '', to] = name.replace('!', '').split('..');
    const texts = to === undefined ? [from] : between(from, to);
    const isSettled = name.endsWith('!');
    return texts.map((stamp) => ({ text: stamp, words: words.split('/'), isSettled }));
  });
}

function between(from: string, to: string): string[] {
  const found = [from];
  for (let at = from; at !== to && found.length < 100; found.push(at)) at = following(at);
  return found;
}

function following(stamp: string): string {
  const { year, month, day, hour } = partsOf(stamp);
  const next = new Date(
    Date.UTC(
      year,
      month + (day === undefined ? 1 : 0),
      (day ?? 1) + (day !== undefined && hour === undefined ? 1 : 0),
      (hour ?? 0) + (hour === undefined ? 0 : 1),
    ),
  );
  const two = (value: number) => String(value).padStart(2, '0');
  const name = MONTHS[next.getUTCMonth()]?.slice(0, 3).toUpperCase() ?? '';
  const rest = [
    day === undefined ? '' : two(next.getUTCDate()),
    hour === undefined ? '' : two(next.getUTCHours()),
  ];
  return `${two(next.getUTCFullYear() % 100)}${name}${rest.join('')}`;
}

function partsOf(stamp: string) {
  const [, year = '', month, day, hour] =
    /^(\d{2})(?:([A-Z]{3})(?:(\d{2})(\d{2})?)?)?/.exec(stamp) ?? [];
  const named = MONTHS.findIndex((one) => one.slice(0, 3).toUpperCase() === month);
  return {
    year: 2000 + Number(year),
    month: named < 0 ? 11 : named,
    day: day === undefined ? undefined : Number(day),
    hour: hour === undefined ? undefined : Number(hour),
  };
}

function closeOf(stamp: string): number {
  const { year, month, day, hour } = partsOf(stamp);
  if (day === undefined) return Date.UTC(year, month + 1, 1);
  return Date.UTC(year, month, day, hour ?? 23);
}

function fillerOf({ text, words }: Stamp): (template: string) => string {
  const { year, month, day, hour = 0 } = partsOf(text);
  const name = MONTHS[month] ?? '';
  const short = name.slice(0, 3);
  const quarter = month < 3 ? `Q4 ${year - 1}` : `Q${Math.floor(month / 3)} ${year}`;
  const values: Record<string, string> = {
    M: `${short} ${year}`,
    MM: `${name} ${year}`,
    D: `${short} ${day ?? 1}, ${year}`,
    H: `${hour % 12 === 0 ? 12 : hour % 12}${hour < 12 ? 'am' : 'pm'} EST`,
    Q: quarter,
    Y: String(year),
    Y2: String(year % 100),
    N: words[0] ?? '',
    '1': words[0] ?? '',
    '2': words[1] ?? '',
  };
  return (template) => template.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
}

export function measure(
  queries: readonly Judged[],
  firstThree: (query: string) => string[],
): Figures {
  const misses: string[] = [];
  let [first, withinThree, nothing] = [0, 0, 0];
  for (const { query, expected } of queries) {
    const found = firstThree(query);
    const isRight = (ticker: string | undefined) =>
      ticker !== undefined && expected.some((start) => ticker.startsWith(start));
    if (isRight(found[0])) first += 1;
    else misses.push(`${query} -> ${found.join(', ')} (${expected.join(' ')})`);
    if (found.slice(0, 3).some(isRight)) withinThree += 1;
    if (found.length === 0) nothing += 1;
  }
  const share = (count: number) => count / queries.length;
  return { first: share(first), withinThree: share(withinThree), nothing: share(nothing), misses };
}
