const MOST_WORDS = 12;

/**
 * Lowercases, strips accents and splits into letters and digits: the form in which words are
 * indexed and searched.
 */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The distinct words of a query, up to a plausible maximum. */
export function queryWords(query: string): string[] {
  return [...new Set(wordsOf(query))].slice(0, MOST_WORDS);
}

/** Too common for a title to lose rank without them. */
const FILLERS = new Set(
  'a an and are at be by for from in is it of on or than that the this to was what when where which who will with'.split(
    ' ',
  ),
);

export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}

/**
 * Search forms of a ticker's first part: most series of the exchange begin with KX, which users do
 * not type.
 */
export function tickerWords(ticker: string): string[] {
  return wordsOf(ticker).flatMap((word, index) => {
    const bare = index === 0 && word.startsWith('kx') ? word.slice(2) : '';
    return bare.length > 1 ? [word, bare] : [word];
  });
}
