/** Endings of inflected and derived words, longest first. */
const ENDINGS =
  'ations ation ments ingly ment ness ings ions ing ial ion ers ed er es ic ee ly s'.split(' ');
const SHORTEST = 3;

/**
 * What inflections of a word share: "resigns", "resigned" and "resignation" are one. Not a word
 * itself, and only compared with others.
 */
export function stemOf(word: string): string {
  if (word.length <= SHORTEST || !/^[a-z]+$/.test(word)) return word;
  // Parties and party, movies and movie.
  const plain = word.replace(/(ies|ied|y)$/, 'i');
  if (plain !== word) return plain;
  const ending = ENDINGS.find(
    (one) => word.endsWith(one) && word.length - one.length >= (one.length > 3 ? 4 : SHORTEST),
  );
  // "Glass" and "status" have no ending.
  const keeps = ending === undefined || (ending === 's' && /[su]s$/.test(word));
  const rest = keeps ? word : word.slice(0, word.length - ending.length);
  const single = /([b-df-hj-np-tv-z])\1$/.test(rest) ? rest.slice(0, -1) : rest;
  return single.length > SHORTEST && single.endsWith('e') ? single.slice(0, -1) : single;
}
