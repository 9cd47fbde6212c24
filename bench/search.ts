import MiniSearch from 'minisearch';
import { createBenchmark } from '#sandbox/exchange/catalogue/benchmark.ts';
import { pick, unit } from '#sandbox/exchange/random.ts';
import { statusMaskOf } from '#server/domain/markets/catalogue/statusMask.ts';
import { type IndexedEvent, SearchIndex } from '#server/domain/markets/search/searchIndex.ts';
import {
  JUDGED_AT,
  judgedListing,
  judgedQueries,
} from '#server/domain/markets/search/testing/judgedSet.ts';
import { wordsOf } from '#server/domain/markets/search/tokenize.ts';
import { isQuick, sizesOr } from './harness/options.ts';
import { type Filter, openTrigrams } from './harness/trigrams.ts';
import { type Measure, percentile, report } from './report.ts';

/**
 * The search of events against MiniSearch with a fuzziness of 0.2 and against PostgreSQL's trigrams,
 * on the same events and the same queries, three in four of them filtered: `node bench/search.ts
 * [markets…]`, 100,000 and 1,000,000 when left out. Run with `--expose-gc` for the memory, and with
 * 12 GB of heap at a million.
 */
const sizes = sizesOr([100_000, 1_000_000], [10_000]);
const SEED = 7;
const NOW = Date.UTC(2026, 10, 21, 5);
const QUERIES = isQuick ? 300 : 1_000;
const SHOWN = 10;
/** MiniSearch runs fewer queries where it is slow. */
const BASELINE_QUERIES = 300;
const TRIGRAM_QUERIES = 60;

type Query = {
  text: string;
  filter: Filter;
  target: string;
  kind: 'word' | 'words' | 'prefix' | 'typo';
};

type Search = (text: string, filter: Filter) => string[];

const OPEN = statusMaskOf(['open']);
const STATUSES = [OPEN, OPEN, statusMaskOf(['open', 'closed']), statusMaskOf(['closed'])];

function corpus(markets: number): IndexedEvent[] {
  const benchmark = createBenchmark(markets, SEED);
  return Array.from({ length: benchmark.eventCount }, (_, index) => {
    const { ticker, spec, template } = benchmark.eventAt(index, NOW);
    const volume = 10 ** (7 * unit(index, 'volume'));
    const statusMask = pick(STATUSES, 'status', index);
    return {
      ticker,
      seriesTicker: template.ticker,
      title: spec.title,
      subtitle: spec.subTitle,
      seriesTitle: template.title,
      outcomes: spec.markets.map((market) => `${market.yesSubTitle} ${market.suffix}`).join(' '),
      category: template.category,
      tags: template.tags,
      frequency: template.frequency,
      statusMask,
      isOpen: (statusMask & OPEN) !== 0,
      volumeContractMicros: BigInt(Math.round(volume)) * 1_000_000n,
      volume,
      volume24h: volume / 10,
      liquidity: volume / 3,
      newestAt: NOW,
      closesNextAt: NOW + index,
    };
  });
}

/** The words that distinguish an event: what is measured and where. */
function tellingWords(event: IndexedEvent): string[] {
  const [, about = ''] = /for (.*) by /.exec(event.title) ?? [];
  return wordsOf(about).filter((word) => word.length >= 4);
}

function mistype(word: string, ...salt: (string | number)[]): string {
  const at = 1 + Math.floor(unit(...salt, 'at') * (word.length - 2));
  const letter = pick('abcdefghijklmnopqrstuvwxyz'.split(''), ...salt, 'letter');
  return pick(
    [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + letter + word.slice(at),
      word.slice(0, at) + letter + word.slice(at + 1),
      word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1),
    ],
    ...salt,
    'error',
  );
}

function queries(events: IndexedEvent[], count: number): Query[] {
  return Array.from({ length: count }, (_, index): Query => {
    const event = pick(events, 'query', index);
    const words = tellingWords(event);
    const place = words.at(-1) ?? '';
    const kind = pick(['word', 'words', 'prefix', 'typo'] as const, 'kind', index);
    const text = {
      word: place,
      words: words.join(' '),
      prefix: `${words[0]} ${place.slice(0, Math.max(4, place.length - 3))}`,
      typo: `${words.slice(0, -1).join(' ')} ${mistype(place, index)}`,
    }[kind];
    return { text, filter: filterFor(event, index), target: event.ticker, kind };
  });
}

/** A filter that the event passes, or none. */
function filterFor({ statusMask, category, frequency }: IndexedEvent, index: number): Filter {
  const filters = [{}, { statusMask }, { category }, { statusMask, category, frequency }];
  return pick(filters, 'filter', index);
}

function passes(event: Required<Filter>, { statusMask, category, frequency }: Filter): boolean {
  return (
    (statusMask === undefined || (event.statusMask & statusMask) !== 0) &&
    (category === undefined || event.category === category) &&
    (frequency === undefined || event.frequency === frequency)
  );
}

/**
 * Milliseconds of each call, the best of three, which excludes other load of the machine. The first
 * ones warm up and are repeated.
 */
function time(asked: Query[], search: Search) {
  for (const { text, filter } of asked.slice(0, 100)) search(text, filter);
  const samples: number[] = [];
  let answered = 0;
  let typos = 0;
  for (const { text, filter, target, kind } of asked) {
    const times = [0, 1, 2].map(() => {
      const begun = performance.now();
      search(text, filter);
      return performance.now() - begun;
    });
    samples.push(Math.min(...times));
    const found = search(text, filter);
    if (kind !== 'typo') continue;
    typos += 1;
    if (found.slice(0, SHOWN).includes(target)) answered += 1;
  }
  return { samples, typosAnswered: answered / Math.max(typos, 1) };
}

function ownSearch(events: IndexedEvent[]): Search {
  const index = new SearchIndex();
  for (const event of events) index.put(event);
  return (query, filter) =>
    index
      .search({
        query,
        ...filter,
        orderBy: 'querymatch',
        fuzzyThreshold: 4,
        offset: 0,
        limit: SHOWN,
        now: JUDGED_AT,
      })
      .found.map((one) => one.ticker);
}

function miniSearch(events: IndexedEvent[]): Search {
  const index = new MiniSearch({
    idField: 'ticker',
    fields: ['title', 'seriesTitle', 'subtitle', 'outcomes', 'category', 'ticker'],
    searchOptions: { fuzzy: 0.2, prefix: true, combineWith: 'AND', boost: { title: 2 } },
  });
  index.addAll(events);
  const byTicker = new Map(events.map((event) => [event.ticker, event]));
  return (query, filter) =>
    index
      .search(query, {
        filter: ({ id }) => {
          const event = byTicker.get(String(id));
          return event !== undefined && passes(event, filter);
        },
      })
      .map((one) => String(one.id));
}

/** A new query, immediately after the index is built. */
function coldMs(asked: Query[], search: Search): number {
  const begun = performance.now();
  for (const { text, filter } of asked.slice(0, 20)) search(text, filter);
  return (performance.now() - begun) / 20;
}

async function timeTrigrams(events: IndexedEvent[], asked: Query[]): Promise<number[]> {
  const trigrams = await openTrigrams(events, SHOWN);
  if (!trigrams) return [];
  const samples: number[] = [];
  for (const { text, filter } of asked.slice(0, TRIGRAM_QUERIES)) {
    const begun = performance.now();
    await trigrams.search(text, filter);
    samples.push(performance.now() - begun);
  }
  await trigrams.close();
  return samples;
}

/** The judged listing over and over: events of one market, whose words thousands share. */
function repeated(count: number): IndexedEvent[] {
  const listing = judgedListing();
  return Array.from({ length: count }, (_, number) => {
    const event = pick(listing, 'repeated', number);
    const seriesTicker = `${event.seriesTicker}${number % 7}`;
    const volume = event.volume * 2 * unit(number, 'repeated');
    return { ...event, ticker: `${event.ticker}X${number}`, seriesTicker, volume };
  });
}

/** Queries as people type them, over as many events as there are markets. */
function measureJudged(markets: number): void {
  const { lookedAt, heldOut } = judgedQueries();
  const asked = [...lookedAt, ...heldOut].map(({ query }): Query => {
    return { text: query, filter: {}, target: '', kind: 'words' };
  });
  const before = heapMiB();
  const search = ownSearch(repeated(markets));
  const memory = heapMiB() - before;
  const { samples } = time(asked, search);
  report(`Judged queries over ${markets.toLocaleString('en-US')} events of one market`, [
    { name: 'half of the queries are faster than', ours: percentile(samples, 0.5), unit: 'ms' },
    {
      name: '99 of 100 queries are faster than',
      ours: percentile(samples, 0.99),
      unit: 'ms',
      ...(markets > 100_000 ? {} : { atMost: 5 }),
    },
    { name: 'memory', ours: memory, unit: 'MiB' },
  ]);
}

function heapMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

for (const markets of sizes) {
  measureJudged(markets);
  const events = corpus(markets);
  const asked = queries(events, QUERIES);
  const before = heapMiB();
  const begun = performance.now();
  const own = ownSearch(events);
  const built = performance.now() - begun;
  const memory = heapMiB() - before;
  const cold = coldMs(asked, own);
  const ours = time(asked, own);
  const trigrams = await timeTrigrams(events, asked);
  const begunBaseline = performance.now();
  const baselineSearch = miniSearch(events);
  const builtBaseline = performance.now() - begunBaseline;
  const baseline = time(asked.slice(0, BASELINE_QUERIES), baselineSearch);
  const speed = (name: string, share: number, atMost: number): Measure => ({
    name,
    ours: percentile(ours.samples, share),
    baseline: percentile(baseline.samples, share),
    unit: 'ms',
    atMost,
  });
  report(
    `Search of ${events.length.toLocaleString('en-US')} events with ${markets.toLocaleString('en-US')} markets (baseline: MiniSearch, fuzziness 0.2)`,
    [
      speed('half of the queries are faster than', 0.5, 0.5),
      speed('99 of 100 queries are faster than', 0.99, 0.25),
      { name: 'the same, in itself', ours: percentile(ours.samples, 0.99), unit: 'ms', atMost: 5 },
      {
        name: 'mistyped queries that find their event',
        ours: ours.typosAnswered,
        unit: '',
        atLeast: 0.9,
      },
      { name: 'the same by the baseline', ours: baseline.typosAnswered, unit: '' },
      { name: 'a query right after building, of the first twenty', ours: cold, unit: 'ms' },
      ...(trigrams.length === 0
        ? []
        : [0.5, 0.99].map((share) => ({
            name: `PostgreSQL trigrams as baseline, p${share * 100}`,
            ours: percentile(ours.samples, share),
            baseline: percentile(trigrams, share),
            unit: 'ms',
          }))),
      { name: 'time to build', ours: built / 1000, baseline: builtBaseline / 1000, unit: 's' },
      { name: 'memory', ours: memory, unit: 'MiB' },
    ],
  );
}
