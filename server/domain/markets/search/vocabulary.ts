import { allowedErrors, editDistance, letterMask, mayBeNear } from './editDistance.ts';

/** A term that a query word may match, and the quality of the match: 1 is the word itself. */
export type Expansion = { term: number; quality: number };

const MOST_PREFIXED = 64;
const MOST_CORRECTED = 12;
/** New terms are scanned linearly up to this number, then merged into the sorted ones. */
const MOST_UNSORTED = 512;
const PREFIX_QUALITY = 0.8;
/** By the number of errors. */
const TYPO_QUALITY = [1, 0.5, 0.32, 0.2];
/** Words of many events rank higher: users mean them more often. */
const COMMON = 1 / 400;

/** All indexed words, numbered. Finds words by prefix, and words near a mistyped one. */
export class Vocabulary {
  readonly words: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly masks: number[] = [];
  private readonly eventCounts: number[] = [];
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
    if (!/\p{N}/u.test(word)) {
      const sameLength = this.correctable.get(word.length);
      if (sameLength) sameLength.push(term);
      else this.correctable.set(word.length, [term]);
    }
    return term;
  }

  count(term: number, by: 1 | -1): void {
    this.eventCounts[term] = this.countOf(term) + by;
  }

  countOf(term: number): number {
    return this.eventCounts[term] ?? 0;
  }

  /**
   * The terms that a word may match: itself, its prefix matches and, for an unknown word, the
   * nearest ones within the allowed errors.
   */
  expand(word: string, fuzzyThreshold: number): Expansion[] {
    const own = this.numbers.get(word);
    const isKnown = own !== undefined && this.countOf(own) > 0;
    const found = this.startingWith(word);
    if (isKnown) return [{ term: own, quality: 1 }, ...found];
    return [...found, ...this.near(word, fuzzyThreshold)];
  }

  /** The most frequent longer words that begin with this one. */
  private startingWith(prefix: string): Expansion[] {
    this.sortIn();
    const terms: number[] = [];
    for (let index = this.firstFrom(prefix); index < this.sorted.length; index += 1) {
      const term = this.sorted[index] ?? 0;
      const word = this.words[term] ?? '';
      if (!word.startsWith(prefix)) break;
      if (word !== prefix && this.countOf(term) > 0) terms.push(term);
    }
    for (const term of this.unsorted) {
      const word = this.words[term] ?? '';
      if (word !== prefix && word.startsWith(prefix) && this.countOf(term) > 0) terms.push(term);
    }
    if (terms.length > MOST_PREFIXED) terms.sort((a, b) => this.countOf(b) - this.countOf(a));
    return terms.slice(0, MOST_PREFIXED).map((term) => {
      const length = this.words[term]?.length ?? 1;
      return { term, quality: PREFIX_QUALITY * (0.4 + (0.6 * prefix.length) / length) };
    });
  }

  /** Words with the fewest errors: with one, or if there are none with two, and so on. */
  private near(word: string, fuzzyThreshold: number): Expansion[] {
    if (/\p{N}/u.test(word)) return [];
    const allowed = allowedErrors(word.length, fuzzyThreshold);
    for (let errors = 1; errors <= allowed; errors += 1) {
      const found = this.within(word, errors);
      if (found.length === 0) continue;
      found.sort((a, b) => a.rank - b.rank);
      const best = found[0]?.rank ?? 0;
      const quality = TYPO_QUALITY[errors] ?? 0.2;
      return found
        .slice(0, MOST_CORRECTED)
        .map(({ term, rank }) => ({ term, quality: quality / (1 + rank - best) }));
    }
    return [];
  }

  private within(word: string, errors: number): { term: number; rank: number }[] {
    const mask = letterMask(word);
    const found: { term: number; rank: number }[] = [];
    for (let length = word.length - errors; length <= word.length + errors; length += 1) {
      for (const term of this.correctable.get(length) ?? []) {
        if (!mayBeNear(mask, this.masks[term] ?? 0, errors)) continue;
        const count = this.countOf(term);
        const known = this.words[term] ?? '';
        if (count === 0 || editDistance(word, known, errors) > errors) continue;
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
