import type { SearchSort } from '../catalogue/types.ts';
import { isFiller, queryWords, tickerWords, wordsOf } from './tokenize.ts';
import { topOf } from './topOf.ts';
import { type Expansion, Vocabulary } from './vocabulary.ts';

/** The fields that an event is found and ordered by. */
export type IndexedEvent = {
  ticker: string;
  seriesTicker: string;
  title: string;
  subtitle: string;
  seriesTitle: string;
  outcomes: string;
  category: string;
  tags: readonly string[];
} & EventFigures;

/** Figures that change often and are not searchable. */
export type EventFigures = {
  frequency: string;
  statusMask: number;
  isOpen: boolean;
  volumeContractMicros: bigint;
  /** Sort keys need not be exact: contracts, contracts, dollars. */
  volume: number;
  volume24h: number;
  liquidity: number;
  /** Unix milliseconds. */
  newestAt: number | undefined;
  closesNextAt: number | undefined;
};

export type IndexQuery = {
  query: string;
  orderBy: SearchSort;
  fuzzyThreshold: number;
  statusMask?: number;
  category?: string;
  frequency?: string;
  offset: number;
  limit: number;
};

export type IndexResult = { total: number; found: { ticker: string; score: number }[] };

/** The weight of a word by its field. */
const WEIGHT = { title: 12, ticker: 10, series: 7, subtitle: 6, tag: 6, category: 5, outcome: 5 };
/** A posting packs the event's number and the word's weight into one integer. */
const WEIGHTS = 32;
/** Compacts the postings when removed events exceed this share. */
const MOST_REMOVED_SHARE = 0.25;

type Doc = IndexedEvent & { terms: Map<number, number>; titleLength: number };

/**
 * Searches events in memory by the words of their titles, outcomes, categories and tickers: a word
 * matches as a prefix, and an unknown word matches the nearest ones. If any event has all words of
 * a query, only such events are returned; otherwise those with the most words.
 */
export class SearchIndex {
  private readonly vocabulary = new Vocabulary();
  private readonly postings: number[][] = [];
  private docs: (Doc | undefined)[] = [];
  private readonly byTicker = new Map<string, number>();
  private removed = 0;
  private readonly seriesVolumes = new Map<string, bigint>();

  /** Scratch space of one search, by the event's number. */
  private scores = new Float64Array(0);
  private matched = new Uint8Array(0);
  private best = new Float64Array(0);
  private touched = new Int32Array(0);

  get size(): number {
    return this.byTicker.size;
  }

  /** Contracts traded in all events of a series. */
  seriesVolumeContractMicros(seriesTicker: string): bigint {
    return this.seriesVolumes.get(seriesTicker) ?? 0n;
  }

  /** Adds or replaces an event. */
  put(event: IndexedEvent): void {
    const known = this.byTicker.get(event.ticker);
    const before = known === undefined ? undefined : this.docs[known];
    this.addSeriesVolume(event.seriesTicker, event.volumeContractMicros);
    if (before) this.addSeriesVolume(before.seriesTicker, -before.volumeContractMicros);
    if (known !== undefined && before && isSameText(before, event)) {
      this.docs[known] = Object.assign(before, event);
      return;
    }
    if (known !== undefined && before) this.remove(known, before);
    this.add(event);
    if (this.removed > 100 && this.removed > this.docs.length * MOST_REMOVED_SHARE) this.compact();
  }

  search(query: IndexQuery): IndexResult {
    this.fitScratch();
    const words = queryWords(query.query);
    const count = words.length === 0 ? this.listAll(query) : this.listMatching(words, query);
    const top = topOf(this.touched, count, query.offset + query.limit, this.orderOf(query, words));
    const found = top.slice(query.offset).map((doc) => ({
      ticker: this.docs[doc]?.ticker ?? '',
      score: words.length === 0 ? 0 : (this.scores[doc] ?? 0),
    }));
    return { total: count, found };
  }

  private add(event: IndexedEvent): void {
    const number = this.docs.length;
    const terms = this.termsOf(event);
    this.docs.push({ ...event, terms, titleLength: Math.max(wordsOf(event.title).length, 1) });
    this.byTicker.set(event.ticker, number);
    this.post(number, terms);
  }

  private post(number: number, terms: Map<number, number>): void {
    for (const [term, weight] of terms) {
      const posting = number * WEIGHTS + weight;
      const list = this.postings[term];
      if (list) list.push(posting);
      else this.postings[term] = [posting];
      this.vocabulary.count(term, 1);
    }
  }

  private termsOf(event: IndexedEvent): Map<number, number> {
    const terms = new Map<number, number>();
    const note = (words: string[], weight: number) => {
      for (const word of words) {
        const term = this.vocabulary.numberOf(word);
        terms.set(term, Math.max(terms.get(term) ?? 0, weight));
      }
    };
    note(wordsOf(event.title), WEIGHT.title);
    note(tickerWords(event.ticker), WEIGHT.ticker);
    note(wordsOf(event.seriesTitle), WEIGHT.series);
    note(wordsOf(event.subtitle), WEIGHT.subtitle);
    for (const tag of event.tags) note(wordsOf(tag), WEIGHT.tag);
    note(wordsOf(event.category), WEIGHT.category);
    note(wordsOf(event.outcomes), WEIGHT.outcome);
    return terms;
  }

  private remove(number: number, doc: Doc): void {
    for (const term of doc.terms.keys()) this.vocabulary.count(term, -1);
    this.docs[number] = undefined;
    this.removed += 1;
  }

  /** Renumbers the events without the removed ones. */
  private compact(): void {
    const docs = this.docs.filter((doc) => doc !== undefined);
    for (const doc of docs) for (const term of doc.terms.keys()) this.vocabulary.count(term, -1);
    this.postings.length = 0;
    this.removed = 0;
    this.docs = docs;
    for (const [number, doc] of docs.entries()) {
      this.byTicker.set(doc.ticker, number);
      this.post(number, doc.terms);
    }
  }

  private addSeriesVolume(seriesTicker: string, by: bigint): void {
    this.seriesVolumes.set(seriesTicker, this.seriesVolumeContractMicros(seriesTicker) + by);
  }

  private fitScratch(): void {
    if (this.scores.length >= this.docs.length) return;
    const length = Math.ceil(this.docs.length * 1.25) + 64;
    this.scores = new Float64Array(length);
    this.best = new Float64Array(length);
    this.matched = new Uint8Array(length);
    this.touched = new Int32Array(length);
  }

  /** Fills `touched` with every event that passes the filters and returns their number. */
  private listAll(query: IndexQuery): number {
    let count = 0;
    for (const [number, doc] of this.docs.entries()) {
      if (!doc || !passes(doc, query)) continue;
      this.touched[count] = number;
      count += 1;
    }
    return count;
  }

  /**
   * Fills `touched` and `scores` with the events that have the most words and returns their number.
   */
  private listMatching(words: string[], query: IndexQuery): number {
    this.scores.fill(0);
    this.matched.fill(0);
    let candidates = 0;
    let asked = 0;
    for (const word of words) {
      const expansions = this.vocabulary.expand(word, query.fuzzyThreshold);
      const isNeeded = !isFiller(word);
      if (isNeeded) asked += 1;
      candidates = this.addWord(expansions, isNeeded, candidates);
    }
    // A query of filler words only matches them literally.
    let most = asked === 0 ? 0 : 1;
    let count = 0;
    for (let index = 0; index < candidates; index += 1) {
      const number = this.touched[index] ?? 0;
      const doc = this.docs[number];
      const has = this.matched[number] ?? 0;
      if (!doc || has < most || !passes(doc, query)) continue;
      if (has > most) {
        most = has;
        count = 0;
      }
      this.scores[number] = (this.scores[number] ?? 0) * statusWeight(doc);
      this.touched[count] = number;
      count += 1;
    }
    return count;
  }

  /** Adds the score of one query word to each event that has it. */
  private addWord(expansions: Expansion[], isNeeded: boolean, before: number): number {
    const { scores, matched, best, touched } = this;
    const reached: number[] = [];
    for (const { term, quality } of expansions) {
      const list = this.postings[term] ?? [];
      const rarity = Math.log(1 + this.docs.length / (this.vocabulary.countOf(term) + 0.5));
      const worth = quality * rarity;
      for (let index = 0; index < list.length; index += 1) {
        const posting = list[index] ?? 0;
        const number = (posting / WEIGHTS) | 0;
        const value = worth * (posting % WEIGHTS);
        const known = best[number] ?? 0;
        if (known === 0) reached.push(number);
        if (value > known) best[number] = value;
      }
    }
    let candidates = before;
    for (const number of reached) {
      if (scores[number] === 0) {
        touched[candidates] = number;
        candidates += 1;
      }
      scores[number] = (scores[number] ?? 0) + (best[number] ?? 0);
      if (isNeeded) matched[number] = (matched[number] ?? 0) + 1;
      best[number] = 0;
    }
    return candidates;
  }

  private orderOf({ orderBy }: IndexQuery, words: string[]): (a: number, b: number) => number {
    const sort = orderBy === 'querymatch' && words.length === 0 ? 'trending' : orderBy;
    const figure = FIGURES[sort];
    const doc = (number: number) => this.docs[number];
    return (a, b) => {
      const [one, other] = [doc(a), doc(b)];
      if (!one || !other) return 0;
      if (sort === 'querymatch') {
        const apart = (this.scores[b] ?? 0) - (this.scores[a] ?? 0);
        if (apart !== 0) return apart;
      }
      const apart = figure(other) - figure(one);
      if (apart !== 0) return apart;
      return other.volume - one.volume || (one.ticker < other.ticker ? -1 : 1);
    };
  }
}

/** The larger figure sorts first. */
const FIGURES: Record<SearchSort, (doc: EventFigures) => number> = {
  querymatch: (doc) => doc.volume,
  trending: (doc) => doc.volume24h,
  volume: (doc) => doc.volume,
  liquidity: (doc) => doc.liquidity,
  newest: (doc) => doc.newestAt ?? Number.MIN_SAFE_INTEGER,
  closing: (doc) => -(doc.closesNextAt ?? Number.MAX_SAFE_INTEGER),
};

/** Ranks events that trade above those that do not, and short titles above long ones. */
function statusWeight(doc: Doc): number {
  const traded = 1 + 0.06 * Math.log10(1 + doc.volume24h + doc.volume / 30);
  return (traded * (doc.isOpen ? 1 : 0.6)) / (1 + 0.015 * doc.titleLength);
}

function passes(doc: Doc, query: IndexQuery): boolean {
  return (
    (query.statusMask === undefined || (doc.statusMask & query.statusMask) !== 0) &&
    (query.category === undefined || doc.category === query.category) &&
    (query.frequency === undefined || doc.frequency === query.frequency)
  );
}

function isSameText(a: IndexedEvent, b: IndexedEvent): boolean {
  return (
    a.title === b.title &&
    a.subtitle === b.subtitle &&
    a.seriesTitle === b.seriesTitle &&
    a.outcomes === b.outcomes &&
    a.category === b.category &&
    a.tags.join(' ') === b.tags.join(' ')
  );
}
