import type { SearchSort } from '../catalogue/types.ts';
import { termsOf } from './eventTerms.ts';
import { compareBy } from './order.ts';
import { PHRASES } from './phraseTables.ts';
import { Postings } from './postings.ts';
import {
  brevityOf,
  type RankFigures,
  rankFactor,
  rankFiguresOf,
  seriesPopularity,
} from './ranking.ts';
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

type Series = {
  volumeContractMicros: bigint;
  popularity: number;
  /** Of the latest search: the first event found, and how many. */
  search: number;
  first: number;
  count: number;
};

type Doc = IndexedEvent &
  RankFigures & {
    brevity: number;
    terms: Map<number, number>;
    series: Series;
  };

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
  private readonly series = new Map<string, Series>();
  private searches = 0;

  get size(): number {
    return this.byTicker.size;
  }

  /** Contracts traded in all events of a series. */
  seriesVolumeContractMicros(seriesTicker: string): bigint {
    return this.series.get(seriesTicker)?.volumeContractMicros ?? 0n;
  }

  /** Adds or replaces an event. */
  put(event: IndexedEvent): void {
    const known = this.byTicker.get(event.ticker);
    const before = known === undefined ? undefined : this.docs[known];
    const series = this.addSeriesVolume(event.seriesTicker, event.volumeContractMicros);
    if (before) this.addSeriesVolume(before.seriesTicker, -before.volumeContractMicros);
    if (known !== undefined && before && isSameText(before, event)) {
      this.docs[known] = Object.assign(before, event, rankFiguresOf(event), { series });
      return;
    }
    if (known !== undefined && before) this.remove(known, before);
    this.add(event, series);
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
    if (isRanked || query.isGrouped) this.noteSeries(count, before);
    if (query.isGrouped) count = this.keepFirst(count);
    const order = isRanked ? this.firstOfSeries(before) : before;
    const top = topOf(this.postings.found, count, query.offset + query.limit, order);
    const found = top.slice(query.offset).map((number) => this.foundAt(number, hasWords));
    return { total: count, found, ...(corrected === undefined ? {} : { corrected }) };
  }

  private foundAt(number: number, hasWords: boolean): FoundEvent {
    const doc = this.docs[number];
    return {
      ticker: doc?.ticker ?? '',
      score: hasWords ? (this.postings.scores[number] ?? 0) : 0,
      moreInSeries: doc && doc.series.search === this.searches ? doc.series.count - 1 : 0,
    };
  }

  private add(event: IndexedEvent, series: Series): void {
    const number = this.docs.length;
    const terms = termsOf(event, this.vocabulary);
    const brevity = brevityOf(wordsOf(event.title).length);
    this.docs.push({ ...event, ...rankFiguresOf(event), brevity, terms, series });
    this.byTicker.set(event.ticker, number);
    this.postings.add(number, terms);
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
    }
  }

  private addSeriesVolume(seriesTicker: string, by: bigint): Series {
    let series = this.series.get(seriesTicker);
    if (!series) {
      series = { volumeContractMicros: 0n, popularity: 0, search: 0, first: 0, count: 0 };
      this.series.set(seriesTicker, series);
    }
    series.volumeContractMicros += by;
    series.popularity = seriesPopularity(series.volumeContractMicros);
    return series;
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
      const doc = this.docs[number];
      if (has > most && doc && passes(doc, query)) most = has;
    }
    const least = most > WHOLE * whole ? WHOLE * whole : most * LEAST_COVERED;
    let count = 0;
    for (let index = 0; index < candidates; index += 1) {
      const number = found[index] ?? 0;
      const has = covered[number] ?? 0;
      const doc = this.docs[number];
      if (has === 0 || has < least || !doc || !passes(doc, query)) continue;
      const share = (has / whole) ** 2;
      scores[number] = (scores[number] ?? 0) * share * rankFactor(doc, doc.series.popularity, now);
      found[count] = number;
      count += 1;
    }
    return count;
  }

  /** Notes the first of the listed events of each series, and how many there are. */
  private noteSeries(count: number, before: (a: number, b: number) => number): void {
    this.searches += 1;
    for (let index = 0; index < count; index += 1) {
      const number = this.postings.found[index] ?? 0;
      const series = this.docs[number]?.series;
      if (!series) continue;
      if (series.search !== this.searches) {
        Object.assign(series, { search: this.searches, first: number, count: 0 });
      } else if (before(number, series.first) < 0) series.first = number;
      series.count += 1;
    }
  }

  private keepFirst(count: number): number {
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const number = this.postings.found[index] ?? 0;
      if (this.docs[number]?.series.first !== number) continue;
      this.postings.found[kept] = number;
      kept += 1;
    }
    return kept;
  }

  private firstOfSeries(
    before: (a: number, b: number) => number,
  ): (a: number, b: number) => number {
    const isLater = (number: number) => (this.docs[number]?.series.first === number ? 0 : 1);
    return (a, b) => isLater(a) - isLater(b) || before(a, b);
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
