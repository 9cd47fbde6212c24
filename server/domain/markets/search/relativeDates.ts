import { monthName } from './tokenize.ts';

const DAY_MS = 86_400_000;
const DAYS = new Map([
  ['today', 0],
  ['tonight', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
]);
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const STEPS = new Map([
  ['this', 0],
  ['current', 0],
  ['next', 1],
  ['upcoming', 1],
  ['last', -1],
  ['past', -1],
]);
const MONTHS = Array.from({ length: 12 }, (_, index) => monthName(index));
/** The exchange's days are those of its own time zone. */
const OFFSET_MS = 5 * 3_600_000;

/**
 * Replaces words such as "tomorrow" and "next month" with the words of the date, but none that
 * belongs to a name.
 */
export function withDates(
  words: readonly string[],
  now: number,
  isNamed: (at: number) => boolean,
): string[] {
  const today = new Date(now - OFFSET_MS);
  const dated: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '';
    const step = STEPS.get(word);
    const found = step === undefined ? undefined : periodOf(next, step, today);
    if (isNamed(at)) dated.push(word);
    else if (found) {
      dated.push(...found);
      at += 1;
    } else if (DAYS.has(word) || WEEKDAYS.includes(word)) {
      const weekday = (WEEKDAYS.indexOf(word) - today.getUTCDay() + 7) % 7;
      const day = new Date(today.getTime() + (DAYS.get(word) ?? weekday) * DAY_MS);
      dated.push(monthName(day.getUTCMonth()), String(day.getUTCDate()));
    } else if (word === 'eoy' || word === 'yearend') {
      dated.push('end', String(today.getUTCFullYear()));
    } else if (words.slice(at, at + 3).join(' ') === 'end of year') {
      dated.push('end', String(today.getUTCFullYear()));
      at += 2;
    } else dated.push(word);
  }
  return dated;
}

function periodOf(word: string, step: number, today: Date): string[] | undefined {
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  if (word === 'year') return [String(year + step)];
  if (word === 'week' || word === 'weekend') return [];
  if (word === 'month') {
    const meant = new Date(Date.UTC(year, month + step, 1));
    return [monthName(meant.getUTCMonth()), String(meant.getUTCFullYear())];
  }
  if (word === 'quarter') {
    const meant = new Date(Date.UTC(year, month + 3 * step, 1));
    return [`q${Math.floor(meant.getUTCMonth() / 3) + 1}`, String(meant.getUTCFullYear())];
  }
  const named = MONTHS.indexOf(word);
  if (named < 0 || step === 0) return undefined;
  if (step > 0) return [word, String(named > month ? year : year + 1)];
  return [word, String(named < month ? year : year - 1)];
}
