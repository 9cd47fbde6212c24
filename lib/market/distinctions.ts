import { utc } from '../format/utc.ts';

type Named = { ticker: string; title: string; subtitle: string; endTime: string | undefined };

/**
 * What tells entries of a list with equal titles apart: the subtitle, with the UTC date where that is
 * equal too. By ticker; without the entries whose title is unique.
 */
export function distinctionsIn(list: readonly Named[]): ReadonlyMap<string, string> {
  const titles = countOf(list.map(({ title }) => title));
  const names = countOf(list.map(nameOf));
  const distinctions = new Map<string, string>();
  for (const entry of list) {
    const { ticker, title, subtitle, endTime } = entry;
    if (titles.get(title) === 1) continue;
    const isUnique = subtitle !== '' && names.get(nameOf(entry)) === 1;
    const date = isUnique || endTime === undefined ? '' : utc(endTime).slice(0, 10);
    distinctions.set(ticker, [subtitle, date].filter(Boolean).join(' · '));
  }
  return distinctions;
}

/** The entries, one for each ticker, that share their title with another. */
export function equallyNamed<T extends { ticker: string; title: string }>(list: readonly T[]): T[] {
  const entries = [...new Map(list.map((entry) => [entry.ticker, entry])).values()];
  const titles = countOf(entries.map(({ title }) => title));
  return entries.filter(({ title }) => titles.get(title) !== 1);
}

const nameOf = ({ title, subtitle }: Named) => JSON.stringify([title, subtitle]);

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
