import type { SearchSort } from '../catalogue/types.ts';
import { termsOf } from './eventTerms.ts';
import { compareBy } from './order.ts';
import { PHRASES } from './phraseTables.ts';
import { Postings } from './postings.ts';
import { Ranking } from './ranking.ts';
import { SeriesGroups } from './seriesGroups.ts';
import { wordsOf } from './tokenize.ts';
import { topOf } from './topOf.ts';
import { type Concept, Understanding } from './understand.ts';
import { Vocabulary } from './vocabulary.ts';

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
  seriesTicker?: string;
  /** Lists only the first event of each series. */
  isGrouped?: boolean;
  offset: number;
  limit: number;
  /** Unix milliseconds; the current time when left out. */
  now?: number;
};

export type FoundEvent = {
  ticker: string;
  score: number;
  /** How many other events of its series are found as well. */
  moreInSeries: number;
};

export type IndexResult = {
  total: number;
  found: FoundEvent[];
  /** The query with its mistyped words replaced. */
  corrected?: string;
};

/** Compacts the postings when removed events exceed this share. */
const MOST_REMOVED_SHARE = 0.25;

/** Parts of a query that an event lacks may not be worth more than this share of it. */
const LEAST_COVERED = 0.8;
/** Sums of the same parts differ by rounding. */
const WHOLE = 0.999;

type Doc = IndexedEvent & { terms: Map<number, number>; titleLength: number };

/**
 * Searches events in memory by the words and phrases of their titles, outcomes, series, categories
 * and tickers. If any event has all parts of a query, only such events are returned; otherwise
 * those that lack the least. The best event of each series comes first.
 */
export class SearchIndex {
  private readonly vocabulary = new Vocabulary();
  private readonly understanding = new Understanding(this.vocabulary, PHRASES);
  private readonly postings = new Postings(this.vocabulary);
  private docs: (Doc | undefined)[] = [];
  private readonly byTicker = new Map<string, number>();
  private removed = 0;
  private readonly series = new SeriesGroups();
  private readonly ranking = new Ranking();

  get size(): number {
    return this.byTicker.size;
  }

  /** Contracts traded in all events of a series. */
  seriesVolumeContractMicros(seriesTicker: string): bigint {
    return this.series.volumeContractMicros(seriesTicker);
  }

  /** Adds or replaces an event. */
  put(event: IndexedEvent): void {
    const known = this.byTicker.get(event.ticker);
    const before = known === undefined ? undefined : this.docs[known];
    this.series.addVolume(event.seriesTicker, event.volumeContractMicros);
    if (before) this.series.addVolume(before.seriesTicker, -before.volumeContractMicros);
    if (known !== undefined && before && isSameText(before, event)) {
      this.docs[known] = Object.assign(before, event);
      this.rank(known, before);
      return;
    }
    if (known !== undefined && before) this.remove(known, before);
    this.add(event);
    if (this.removed > 100 && this.removed > this.docs.length * MOST_REMOVED_SHARE) this.compact();
  }

  search(query: IndexQuery): IndexResult {
    this.postings.fit(this.docs.length);
    const now = query.now ?? Date.now();
    const { concepts, corrected } = this.understanding.of(query.query, query.fuzzyThreshold, now);
    const hasWords = concepts.length > 0;
    let count = hasWords ? this.listMatching(concepts, query, now) : this.listAll(query);
    const before = this.orderOf(query, hasWords);
    const isRanked = query.orderBy === 'querymatch' && hasWords;
    if (isRanked || query.isGrouped) this.series.note(this.postings.found, count, before);
    if (query.isGrouped) count = this.series.keepFirst(this.postings.found, count);
    const order = isRanked ? this.series.firstOfEach(before) : before;
    const top = topOf(this.postings.found, count, query.offset + query.limit, order);
    const found = top.slice(query.offset).map((number) => ({
      ticker: this.docs[number]?.ticker ?? '',
      score: hasWords ? (this.postings.scores[number] ?? 0) : 0,
      moreInSeries: isRanked || query.isGrouped ? this.series.othersOf(number) : 0,
    }));
    return { total: count, found, ...(corrected === undefined ? {} : { corrected }) };
  }

  private add(event: IndexedEvent): void {
    const number = this.docs.length;
    const terms = termsOf(event, this.vocabulary);
    const doc = { ...event, terms, titleLength: wordsOf(event.title).length };
    this.docs.push(doc);
    this.byTicker.set(event.ticker, number);
    this.postings.add(number, terms);
    this.rank(number, doc);
  }

  private rank(number: number, doc: Doc): void {
    this.series.setSeries(number, doc.seriesTicker);
    this.ranking.set(number, doc, doc.titleLength);
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
    this.postings.clear();
    this.removed = 0;
    this.docs = docs;
    for (const [number, doc] of docs.entries()) {
      this.byTicker.set(doc.ticker, number);
      this.postings.add(number, doc.terms);
      this.rank(number, doc);
    }
  }

  /** Finds every event that passes the filters and returns their number. */
  private listAll(query: IndexQuery): number {
    let count = 0;
    for (const [number, doc] of this.docs.entries()) {
      if (!doc || !passes(doc, query)) continue;
      this.postings.found[count] = number;
      count += 1;
    }
    return count;
  }

  /** Finds and ranks the events that lack the least of the query and returns their number. */
  private listMatching(concepts: readonly Concept[], query: IndexQuery, now: number): number {
    const { found, covered, scores } = this.postings;
    const { count: candidates, whole } = this.postings.match(concepts, this.docs.length);
    let most = 0;
    for (let index = 0; index < candidates; index += 1) {
      const number = found[index] ?? 0;
      const has = covered[number] ?? 0;
      if (has > most && this.isListed(number, query)) most = has;
    }
    const least = most > WHOLE * whole ? WHOLE * whole : most * LEAST_COVERED;
    let count = 0;
    for (let index = 0; index < candidates; index += 1) {
      const number = found[index] ?? 0;
      const has = covered[number] ?? 0;
      if (has === 0 || has < least || !this.isListed(number, query)) continue;
      const factor = this.ranking.factor(number, this.series.popularityOf(number), now);
      scores[number] = (scores[number] ?? 0) * (has / whole) ** 2 * factor;
      found[count] = number;
      count += 1;
    }
    return count;
  }

  private isListed(number: number, query: IndexQuery): boolean {
    const doc = this.docs[number];
    return doc !== undefined && passes(doc, query);
  }

  private orderOf({ orderBy }: IndexQuery, hasWords: boolean): (a: number, b: number) => number {
    const isRanked = orderBy === 'querymatch' && hasWords;
    const compare = compareBy(orderBy === 'querymatch' && !hasWords ? 'trending' : orderBy);
    const { scores } = this.postings;
    return (a, b) => {
      const apart = isRanked ? (scores[b] ?? 0) - (scores[a] ?? 0) : 0;
      if (apart !== 0) return apart;
      const [one, other] = [this.docs[a], this.docs[b]];
      return one && other ? compare(one, other) : 0;
    };
  }
}

function passes(doc: Doc, query: IndexQuery): boolean {
  return (
    (query.statusMask === undefined || (doc.statusMask & query.statusMask) !== 0) &&
    (query.seriesTicker === undefined || doc.seriesTicker === query.seriesTicker) &&
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
