import type { SearchSort } from '../catalogue/types.ts';
import { PHRASES } from './phraseTables.ts';
import { rankFactor, type Standing, seriesPopularity, standingOf } from './ranking.ts';
import { tickerWords, wordsOf } from './tokenize.ts';
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

/** The weight of a word by its field. */
const WEIGHT = { title: 12, ticker: 8, series: 9, subtitle: 7, tag: 5, category: 4, outcome: 6 };
/** A posting packs the event's number and the word's weight into one integer. */
const WEIGHTS = 32;
/** Compacts the postings when removed events exceed this share. */
const MOST_REMOVED_SHARE = 0.25;

/** Parts of a query that an event lacks may not be worth more than this share of it. */
const LEAST_COVERED = 0.8;

type Series = {
  volumeContractMicros: bigint;
  popularity: number;
  /** Of the latest search: the first event found, and how many. */
  search: number;
  first: number;
  count: number;
};

type Doc = IndexedEvent & Standing & { terms: Map<number, number>; series: Series };

const SHORTEST_TICKER_WORD = 3;

/**
 * Searches events in memory by the words and phrases of their titles, outcomes, series, categories
 * and tickers. If any event has all parts of a query, only such events are returned; otherwise
 * those that lack the least. The best event of each series comes first.
 */
export class SearchIndex {
  private readonly vocabulary = new Vocabulary();
  private readonly understanding = new Understanding(this.vocabulary, PHRASES);
  private readonly postings: number[][] = [];
  private docs: (Doc | undefined)[] = [];
  private readonly byTicker = new Map<string, number>();
  private removed = 0;
  private readonly series = new Map<string, Series>();
  private searches = 0;

  /** Scratch space of one search, by the event's number. */
  private scores = new Float64Array(0);
  private covered = new Float64Array(0);
  private best = new Float64Array(0);
  private touched = new Int32Array(0);

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
      const standing = standingOf(event, titleLengthOf(event));
      this.docs[known] = Object.assign(before, event, standing, { series });
      return;
    }
    if (known !== undefined && before) this.remove(known, before);
    this.add(event, series);
    if (this.removed > 100 && this.removed > this.docs.length * MOST_REMOVED_SHARE) this.compact();
  }

  search(query: IndexQuery): IndexResult {
    this.fitScratch();
    const now = query.now ?? Date.now();
    const { concepts, corrected } = this.understanding.of(query.query, query.fuzzyThreshold, now);
    const hasWords = concepts.length > 0;
    let count = hasWords ? this.listMatching(concepts, query, now) : this.listAll(query);
    const before = this.orderOf(query, hasWords);
    const isRanked = query.orderBy === 'querymatch' && hasWords;
    if (isRanked || query.isGrouped) this.noteSeries(count, before);
    if (query.isGrouped) count = this.keepFirst(count);
    const order = isRanked ? this.firstOfSeries(before) : before;
    const top = topOf(this.touched, count, query.offset + query.limit, order);
    const found = top.slice(query.offset).map((number) => this.foundAt(number, hasWords));
    return { total: count, found, ...(corrected === undefined ? {} : { corrected }) };
  }

  private foundAt(number: number, hasWords: boolean): FoundEvent {
    const doc = this.docs[number];
    return {
      ticker: doc?.ticker ?? '',
      score: hasWords ? (this.scores[number] ?? 0) : 0,
      moreInSeries: doc && doc.series.search === this.searches ? doc.series.count - 1 : 0,
    };
  }

  private add(event: IndexedEvent, series: Series): void {
    const number = this.docs.length;
    const terms = this.termsOf(event);
    this.docs.push({ ...event, ...standingOf(event, titleLengthOf(event)), terms, series });
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
    const note = (word: string, weight: number) => {
      const term = this.vocabulary.numberOf(word);
      terms.set(term, Math.max(terms.get(term) ?? 0, weight));
    };
    const noteText = (text: string, weight: number) => {
      const words = wordsOf(text);
      for (const word of words) note(word, weight);
      for (const group of PHRASES.groupsIn(words)) note(group, weight);
    };
    noteText(event.title, WEIGHT.title);
    for (const word of tickerWords(event.ticker)) note(word, WEIGHT.ticker);
    noteText(topicOf(event.ticker), WEIGHT.ticker);
    noteText(event.seriesTitle, WEIGHT.series);
    noteText(event.subtitle, WEIGHT.subtitle);
    for (const tag of event.tags) noteText(tag, WEIGHT.tag);
    noteText(event.category, WEIGHT.category);
    noteText(event.outcomes, WEIGHT.outcome);
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

  private fitScratch(): void {
    if (this.scores.length >= this.docs.length) return;
    const length = Math.ceil(this.docs.length * 1.25) + 64;
    this.scores = new Float64Array(length);
    this.best = new Float64Array(length);
    this.covered = new Float64Array(length);
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
   * Fills `touched` and `scores` with the events that lack the least of the query and returns
   * their number.
   */
  private listMatching(concepts: readonly Concept[], query: IndexQuery, now: number): number {
    this.scores.fill(0);
    this.covered.fill(0);
    let candidates = 0;
    let whole = 0;
    for (const concept of concepts) {
      if (concept.options.length === 0) continue;
      const rarity = this.rarityOf(concept);
      if (!concept.isOptional) whole += rarity;
      candidates = this.addConcept(concept, rarity, candidates);
    }
    let most = 0;
    for (let index = 0; index < candidates; index += 1) {
      const number = this.touched[index] ?? 0;
      const covered = this.covered[number] ?? 0;
      const doc = this.docs[number];
      if (covered > most && doc && passes(doc, query)) most = covered;
    }
    const isWhole = most > 0.999 * whole;
    const least = isWhole ? 0.999 * whole : most * LEAST_COVERED;
    let count = 0;
    for (let index = 0; index < candidates; index += 1) {
      const number = this.touched[index] ?? 0;
      const covered = this.covered[number] ?? 0;
      if (covered === 0 || covered < least) continue;
      const doc = this.docs[number];
      if (!doc || !passes(doc, query)) continue;
      const share = covered / whole;
      const score = (this.scores[number] ?? 0) * share * share;
      this.scores[number] = score * rankFactor(doc, doc.series.popularity, now);
      this.touched[count] = number;
      count += 1;
    }
    return count;
  }

  /** A part that few events have tells more. */
  private rarityOf({ options }: Concept): number {
    let most = 0;
    for (const { term, quality } of options) {
      if (quality >= 0.4) most = Math.max(most, this.vocabulary.countOf(term));
    }
    return Math.log(1 + this.docs.length / (most + 0.5));
  }

  /** Adds the score of one part of the query to each event that has it. */
  private addConcept(
    { options, isOptional, share }: Concept,
    rarity: number,
    before: number,
  ): number {
    const { scores, covered, best, touched } = this;
    const reached: number[] = [];
    for (const { term, quality } of options) {
      const list = this.postings[term] ?? [];
      const worth = quality * rarity * share;
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
      if (!isOptional) covered[number] = (covered[number] ?? 0) + rarity;
      best[number] = 0;
    }
    return candidates;
  }

  /** Notes the first of the listed events of each series, and how many there are. */
  private noteSeries(count: number, before: (a: number, b: number) => number): void {
    this.searches += 1;
    for (let index = 0; index < count; index += 1) {
      const number = this.touched[index] ?? 0;
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
      const number = this.touched[index] ?? 0;
      if (this.docs[number]?.series.first !== number) continue;
      this.touched[kept] = number;
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
    const sort = orderBy === 'querymatch' && !hasWords ? 'trending' : orderBy;
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

function titleLengthOf(event: IndexedEvent): number {
  return Math.max(wordsOf(event.title).length, 1);
}

/** The longest known word that a series ticker begins with: NFLGAME is about NFL. */
function topicOf(ticker: string): string {
  const bare = ticker.toLowerCase().replace(/^kx/, '').split('-')[0] ?? '';
  for (let length = bare.length - 1; length >= SHORTEST_TICKER_WORD; length -= 1) {
    if (PHRASES.words.has(bare.slice(0, length))) return bare.slice(0, length);
  }
  return '';
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
