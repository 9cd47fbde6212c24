const MOST_WORDS = 12;

/** A number with its decimals and what is attached to it, such as 150k or 26dec31; or a word. */
const WORD = /\p{N}+(?:,\p{N}{3}(?!\p{N}))*(?:\.\p{N}+)?[\p{L}\p{N}]*|\p{L}[\p{L}\p{N}]*/gu;
const NUMBER = /^(\d[\d,]*(?:\.\d+)?)(k|m|mn|mm|b|bn|t|tn|bps?|pct|f|c|st|nd|rd|th)?$/;
const FACTORS = new Map(
  ['k thousand', 'm mn mm million', 'b bn billion', 't tn trillion'].flatMap((names, index) =>
    names.split(' ').map((name) => [name, 1_000 ** (index + 1)] as const),
  ),
);
const NUMBER_WORDS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, value) => [word, String(value)]),
);
export const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/**
 * Lowercases, strips accents and splits into words in one form: the form in which events are
 * indexed and searched. Months are their first three letters, numbers are plain digits.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
    // U.S. and S&P are one word.
    .replace(/(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}?(?![\p{L}\p{N}])/gu, (letters) =>
      letters.replaceAll('.', ''),
    )
    .replace(/(?<=(?<!\p{L})\p{L}{1,2})&(?=\p{L}(?!\p{L}))/gu, '');
  const words: string[] = [];
  for (const word of plain.match(WORD) ?? []) {
    const factor = FACTORS.get(word);
    const before = words.at(-1);
    if (
      factor !== undefined &&
      word.length > 2 &&
      before !== undefined &&
      /^[\d.]+$/.test(before)
    ) {
      words[words.length - 1] = digitsOf(Number(before) * factor);
    } else words.push(...formsOf(word));
  }
  return words;
}

function formsOf(word: string): string[] {
  const [, digits = '', unit = ''] = NUMBER.exec(word) ?? [];
  if (digits === '') return [NUMBER_WORDS.get(word) ?? monthOf(word) ?? word];
  const value = Number(digits.replaceAll(',', ''));
  const number = digitsOf(value * (FACTORS.get(unit) ?? 1));
  return unit.startsWith('bp') ? [number, 'bps'] : [number];
}

/** Numbers beyond any price keep their first form. */
function digitsOf(value: number): string {
  return value < 1e20 ? String(Number(value.toPrecision(12))) : 'inf';
}

/** The short form of a month, also when it is typed halfway. */
function monthOf(word: string): string | undefined {
  if (word.length < 3) return undefined;
  if (word === 'sept') return 'sep';
  return MONTHS.find((month) => month.startsWith(word))?.slice(0, 3);
}

/** Whether a word is the short form of a month, which is no other word's stem. */
export function isMonth(word: string): boolean {
  return word.length === 3 && MONTHS.some((month) => month.startsWith(word));
}

export function monthName(index: number): string {
  return MONTHS[index]?.slice(0, 3) ?? '';
}

/** The words of a query, up to a plausible maximum. */
export function queryWords(query: string): string[] {
  return wordsOf(query).slice(0, MOST_WORDS);
}

/** Too common for a title to lose rank without them. */
const FILLERS = new Set(
  `a am an and any are as at be been being bet bets betting by can chance chances could did do does
   for from get go going had has have he her his how i if in into is it its kalshi me much my odds of
   on or our polymarket prediction predictions probability should than that the their them then there
   these they this to vs was we were what when where which who whom whose why will with would you
   your next last past previous upcoming current currently happen happens s`.split(/\s+/),
);

/** Words that a title about the same may well lack. */
const VAGUE = new Set(
  `amount annual average bracket close closes closing contest count daily data date day district event final
   forecast futures game games hourly level list live market markets match matches monthly new news
   night number numbers office outcome people price prices quarterly race rate rates report result
   results score season series stock team time total update value week weekly win winner wins won
   year yearly`.split(/\s+/),
);

export function isVague(word: string): boolean {
  return VAGUE.has(word);
}

export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}

/**
 * Search forms of a ticker: most series of the exchange begin with KX, which users do not type, and
 * the next part often begins with a date, such as 26DEC31.
 */
export function tickerWords(ticker: string): string[] {
  const [series = '', ...parts] = ticker.toLowerCase().split('-');
  const bare = series.startsWith('kx') ? series.slice(2) : '';
  const named = bare.length > 1 ? [series, bare] : [series];
  return [...named, ...parts, ...dateWords(parts[0] ?? '')];
}

const STAMP = /^(\d{2})(?:(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(\d{2})?|(?!\d))/;

function dateWords(stamp: string): string[] {
  const [found, year, month, day] = STAMP.exec(stamp) ?? [];
  if (found === undefined) return [];
  return [`20${year}`, month, day && String(Number(day))].filter((word) => word !== undefined);
}

/** The date in a ticker, or the end of the month or year in it, in unix milliseconds. */
export function tickerDate(ticker: string): number | undefined {
  const [found, year, month, day] = STAMP.exec(ticker.toLowerCase().split('-')[1] ?? '') ?? [];
  if (found === undefined) return undefined;
  const index = month === undefined ? 11 : MONTHS.findIndex((name) => name.startsWith(month));
  // The end of the day, in the exchange's time.
  return day === undefined
    ? Date.UTC(2000 + Number(year), index + 1, 1, 5)
    : Date.UTC(2000 + Number(year), index, Number(day) + 1, 5);
}
