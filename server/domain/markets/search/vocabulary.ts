import { allowedErrors, canBeNear, editDistance, letterMask } from './editDistance.ts';
import { stemOf } from './stem.ts';
import { isMonth } from './tokenize.ts';
import { topOf } from './topOf.ts';

/** A term that a query word may match, and the quality of the match: 1 is the word itself. */
export type Option = { term: number; quality: number };

const MOST_PREFIXED = 48;
/** Of the words that begin with a prefix, in their order. */
const MOST_SCANNED = 1_000;
const MOST_CORRECTED = 4;
/** New terms are scanned linearly up to this number, then merged into the sorted ones. */
const MOST_UNSORTED = 512;
const PREFIX_QUALITY = 0.7;
/** A word that is known is seldom the beginning of another one. */
const PREFIX_OF_KNOWN = 0.3;
const INFLECTED_QUALITY = 0.9;
/** Words of many events rank higher: users mean them more often. */
const COMMON = 1 / 400;

/** All indexed words, numbered. Finds inflections, words by prefix, and words near a mistyped one. */
export class Vocabulary {
  readonly words: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly masks: number[] = [];
  private readonly eventCounts: number[] = [];
  private readonly taught = new Set<number>();
  private readonly byStem = new Map<string, number[]>();
  /** Words without digits by length: numbers are not mistyped words. */
  private readonly correctable = new Map<number, number[]>();
  private sorted: number[] = [];
  private unsorted: number[] = [];

  numberOf(word: string): number {
    const known = this.numbers.get(word);
    if (known !== undefined) return known;
    const term = this.words.length;
    this.numbers.set(word, term);
    this.words.push(word);
    this.masks.push(letterMask(word));
    this.eventCounts.push(0);
    this.unsorted.push(term);
    if (/^\p{L}+$/u.test(word)) {
      addTo(this.correctable, word.length, term);
      if (!isMonth(word)) addTo(this.byStem, stemOf(word), term);
    }
    return term;
  }

  /** Makes a word known that no event needs to have. */
  teach(word: string): void {
    this.taught.add(this.numberOf(word));
  }

  count(term: number, by: 1 | -1): void {
    this.eventCounts[term] = this.countOf(term) + by;
  }

  countOf(term: number): number {
    return this.eventCounts[term] ?? 0;
  }

  /** The term of a word that some event has. */
  termOf(word: string): number | undefined {
    const term = this.numbers.get(word);
    return term !== undefined && this.countOf(term) > 0 ? term : undefined;
  }

  knows(word: string): boolean {
    const term = this.numbers.get(word);
    return term !== undefined && (this.countOf(term) > 0 || this.taught.has(term));
  }

  /** The terms that a word matches: itself, its inflections, and words that begin with it. */
  optionsFor(word: string, isPrefix: boolean): Option[] {
    const own = this.termOf(word);
    const options = own === undefined ? [] : [{ term: own, quality: 1 }];
    const inflected =
      /^[a-z]+$/.test(word) && !isMonth(word) ? (this.byStem.get(stemOf(word)) ?? []) : [];
    for (const term of inflected) {
      if (term !== own && this.countOf(term) > 0)
        options.push({ term, quality: INFLECTED_QUALITY });
    }
    // Tickers and their dates are rarely typed halfway.
    if (isPrefix && !(own !== undefined && /\d/.test(word))) {
      const share = options.length > 0 || this.knows(word) ? PREFIX_OF_KNOWN : PREFIX_QUALITY;
      options.push(...this.startingWith(word, share));
    }
    return options;
  }

  /** The most frequent longer words that begin with this one. */
  private startingWith(prefix: string, share: number): Option[] {
    this.sortIn();
    const terms: number[] = [];
    const take = (term: number): boolean => {
      const word = this.words[term] ?? '';
      if (!word.startsWith(prefix)) return false;
      if (word !== prefix && this.countOf(term) > 0) terms.push(term);
      return true;
    };
    const from = this.firstFrom(prefix);
    for (let index = from; index < from + MOST_SCANNED && index < this.sorted.length; index += 1) {
      if (!take(this.sorted[index] ?? 0)) break;
    }
    for (const term of this.unsorted) take(term);
    const byCount = (a: number, b: number) => this.countOf(b) - this.countOf(a);
    return topOf(terms, terms.length, MOST_PREFIXED, byCount).map((term) => {
      const length = this.words[term]?.length ?? 1;
      return { term, quality: share * (0.4 + (0.6 * prefix.length) / length) };
    });
  }

  /** The known words with the fewest errors, up to a number, likeliest first. */
  near(word: string, fuzzyThreshold: number, most: number): string[] {
    if (!/^\p{L}+$/u.test(word)) return [];
    const allowed = Math.min(allowedErrors(word.length, fuzzyThreshold), most);
    for (let errors = 1; errors <= allowed; errors += 1) {
      const found = this.within(word, errors);
      if (found.length === 0) continue;
      found.sort((a, b) => a.rank - b.rank);
      return found.slice(0, MOST_CORRECTED).map(({ term }) => this.words[term] ?? '');
    }
    return [];
  }

  private within(word: string, errors: number): { term: number; rank: number }[] {
    const mask = letterMask(word);
    const found: { term: number; rank: number }[] = [];
    for (let length = word.length - errors; length <= word.length + errors; length += 1) {
      // A short word is one of its own, not a mistyped one.
      if (length < 4) continue;
      for (const term of this.correctable.get(length) ?? []) {
        if (!canBeNear(mask, this.masks[term] ?? 0, errors)) continue;
        const count = this.countOf(term);
        const known = this.words[term] ?? '';
        if (count === 0 && !this.taught.has(term)) continue;
        if (editDistance(word, known, errors) > errors) continue;
        // Typing errors rarely affect the first letter.
        const rank = (known[0] === word[0] ? 0 : 0.5) - Math.min(count * COMMON, 0.4);
        found.push({ term, rank });
      }
    }
    return found;
  }

  private sortIn(): void {
    if (this.unsorted.length <= MOST_UNSORTED) return;
    const { words } = this;
    this.sorted = [...this.sorted, ...this.unsorted].sort((a, b) =>
      (words[a] ?? '') < (words[b] ?? '') ? -1 : 1,
    );
    this.unsorted = [];
  }

  /** The index of the first word at or after the given one. */
  private firstFrom(prefix: string): number {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.words[this.sorted[middle] ?? 0] ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function addTo<Key>(lists: Map<Key, number[]>, key: Key, term: number): void {
  const list = lists.get(key);
  if (list) list.push(term);
  else lists.set(key, [term]);
}
