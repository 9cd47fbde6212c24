const MOST_WORDS = 12;

/** Lower case, without accents, split into letters and digits: how words are stored and asked. */
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

/** The words of a query, each once, not more than anyone types on purpose. */
export function queryWords(query: string): string[] {
  return [...new Set(wordsOf(query))].slice(0, MOST_WORDS);
}

/** So common that a title is not missed for lacking them. */
const FILLERS = new Set(
  'a an and are at be by for from in is it of on or than that the this to was what when where which who will with'.split(
    ' ',
  ),
);

export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}

/**
 * Forms under which a ticker's first part is looked for: the exchange begins most of its series
 * with KX, which nobody types.
 */
export function tickerWords(ticker: string): string[] {
  return wordsOf(ticker).flatMap((word, index) => {
    const bare = index === 0 && word.startsWith('kx') ? word.slice(2) : '';
    return bare.length > 1 ? [word, bare] : [word];
  });
}
