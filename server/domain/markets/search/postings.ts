import type { Concept } from './understand.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A posting packs the event's number and, in its lowest bits, the word's weight. */
const WEIGHT_BITS = 5;
const WEIGHT = 2 ** WEIGHT_BITS - 1;
/** Options below this quality are too loose to tell how rare a part is. */
const TELLING_QUALITY = 0.4;

/** Which events have which terms, by the events' numbers. */
export class Postings {
  private readonly vocabulary: Vocabulary;
  private readonly lists: number[][] = [];

  /** Of the latest search: the score of each event, and the worth of the needed parts it has. */
  scores = new Float64Array(0);
  covered = new Float64Array(0);
  /** The numbers of the events found, from the start. */
  found = new Int32Array(0);
  /** Of one part: the best value of each event, and the events that have it. */
  private best = new Float64Array(0);
  private reached = new Int32Array(0);

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  add(number: number, terms: ReadonlyMap<number, number>): void {
    for (const [term, weight] of terms) {
      const posting = (number << WEIGHT_BITS) | weight;
      const list = this.lists[term];
      if (list) list.push(posting);
      else this.lists[term] = [posting];
      this.vocabulary.count(term, 1);
    }
  }

  clear(): void {
    this.lists.length = 0;
  }

  /** Makes room for as many events. */
  fit(events: number): void {
    if (this.scores.length >= events) return;
    const length = Math.ceil(events * 1.25) + 64;
    this.scores = new Float64Array(length);
    this.covered = new Float64Array(length);
    this.best = new Float64Array(length);
    this.reached = new Int32Array(length);
    this.found = new Int32Array(length);
  }

  /**
   * Fills `found`, `scores` and `covered` with the events that have a part of a query. Returns
   * their count and what all needed parts are worth.
   */
  match(concepts: readonly Concept[], events: number): { count: number; whole: number } {
    this.scores.fill(0);
    this.covered.fill(0);
    let count = 0;
    let whole = 0;
    for (const concept of concepts) {
      if (concept.options.length === 0) continue;
      const rarity = this.rarityOf(concept, events);
      if (!concept.isOptional) whole += rarity;
      count = this.addConcept(concept, rarity, count);
    }
    return { count, whole };
  }

  /** A part that few events have tells more. */
  private rarityOf({ options }: Concept, events: number): number {
    let most = 0;
    for (const { term, quality } of options) {
      if (quality >= TELLING_QUALITY) most = Math.max(most, this.vocabulary.countOf(term));
    }
    return Math.log(1 + events / (most + 0.5));
  }

  /** Adds the score of one part of the query to each event that has it. */
  private addConcept(
    { options, isOptional, share }: Concept,
    rarity: number,
    before: number,
  ): number {
    const { scores, covered, best, found, reached } = this;
    let reachedCount = 0;
    for (const { term, quality } of options) {
      const list = this.lists[term] ?? [];
      const worth = quality * rarity * share;
      for (let index = 0; index < list.length; index += 1) {
        const posting = list[index] ?? 0;
        const number = posting >> WEIGHT_BITS;
        const value = worth * (posting & WEIGHT);
        const known = best[number] ?? 0;
        if (known === 0) {
          reached[reachedCount] = number;
          reachedCount += 1;
        }
        if (value > known) best[number] = value;
      }
    }
    let count = before;
    for (let index = 0; index < reachedCount; index += 1) {
      const number = reached[index] ?? 0;
      if (scores[number] === 0) {
        found[count] = number;
        count += 1;
      }
      scores[number] = (scores[number] ?? 0) + (best[number] ?? 0);
      if (!isOptional) covered[number] = (covered[number] ?? 0) + rarity;
      best[number] = 0;
    }
    return count;
  }
}
