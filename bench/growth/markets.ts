import { hash } from 'node:crypto';
import type { Hex } from 'viem';
import { storeMarkets } from '#sandbox/testing/storedMarkets.ts';
import { findEvent, findMarket, listMarkets } from '#server/domain/markets/catalogue/catalogue.ts';
import { findOutcomesByTokenIds } from '#server/domain/markets/catalogue/outcomes.ts';
import { preparePage } from '#server/domain/markets/sync/page.ts';
import type { CatalogueEvent, CatalogueMarket } from '#server/exchange/catalogue.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';
import { sizesOr } from '../harness/options.ts';
import { type Curve, some } from './curve.ts';

const log = createLog('bench', 'silent');
const EVENTS_A_PAGE = 50;

/** The mirror's markets, four to an event. */
export const marketsCurve: Curve = {
  of: 'markets',
  sizes: sizesOr([1_000, 10_000, 100_000, 1_000_000], [1_000, 10_000]),
  tables: 'markets, events',
  async store(database, from, to) {
    await storeMarkets(database, from, to);
    await storeEvents(database, from, to);
  },
  asked(database, size) {
    const deps = { database };
    const page = { limit: 50, status: 'open' } as const;
    let first: Promise<string> | undefined;
    const cursor = () => {
      first ??= listMarkets(deps, page).then((found) => found.cursor);
      return first;
    };
    return {
      'a market': (index) => findMarket(deps, `BENCH-${some(index, size)}`),
      'an event with its markets': (index) => findEvent(deps, `EVENT-${some(index, size / 4) - 1}`),
      'a page of 50 open markets': () => listMarkets(deps, page),
      'the page after it': async () => listMarkets(deps, { ...page, cursor: await cursor() }),
      'the market of a token': (index) =>
        findOutcomesByTokenIds(deps, [tokenOf(some(index, size))]),
      'comparing a page of the exchange with the mirror': (index) =>
        preparePage({ database, log }, pageOf(index, size)),
    };
  },
};

/** As `storeMarkets` makes them: four to an event. */
async function storeEvents(database: Database, from: number, to: number): Promise<void> {
  await database.pool.query(
    `insert into events (ticker, series_ticker, series_title, title, subtitle, category, frequency,
       mutually_exclusive, icon_url_light_mode, icon_url_dark_mode, background_color_light_mode,
       background_color_dark_mode, title_text, outcome_text, updated_at)
     select 'EVENT-' || n, 'SERIES', 'Series', 'Event ' || n, '', 'Sports', '', false, '', '', '',
       '', 'Event ' || n, '', now()
     from generate_series($1::int / 4, $2::int / 4) n on conflict do nothing`,
    [from, to],
  );
}

const md5 = (text: string) => hash('md5', text, 'hex');

/** The id that `storeMarkets` gives to the YES token of the nth market. */
const tokenOf = (n: number): Hex => `0x${md5(`y${n}`)}${md5(`e${n}`)}`;

/** What the exchange would say of some events that are mirrored, each with its four markets. */
function pageOf(index: number, size: number): CatalogueEvent[] {
  return Array.from({ length: EVENTS_A_PAGE }, (_, place) => {
    const event = some(index * EVENTS_A_PAGE + place, size / 4 - 1);
    return {
      eventTicker: `EVENT-${event}`,
      seriesTicker: 'SERIES',
      title: `Event ${event}`,
      subtitle: '',
      mutuallyExclusive: false,
      category: 'Sports',
      markets: [0, 1, 2, 3].map((which) => marketOf(event * 4 + which, `EVENT-${event}`)),
    };
  });
}

const NOW = new Date();

function marketOf(n: number, eventTicker: string): CatalogueMarket {
  return {
    ticker: `BENCH-${n}`,
    shard: 0,
    eventTicker,
    title: `Market ${n}`,
    yesSubTitle: '',
    noSubTitle: '',
    marketType: 'binary',
    status: 'open',
    exchangeStatus: 'active',
    yesBidMicros: 400_000n,
    yesAskMicros: 420_000n,
    yesBidContractMicros: 10_000_000n,
    yesAskContractMicros: 10_000_000n,
    lastPriceMicros: 410_000n,
    previousPriceMicros: 410_000n,
    volumeContractMicros: 0n,
    volume24hContractMicros: 0n,
    openInterestContractMicros: 0n,
    createdAt: NOW,
    updatedAt: NOW,
    openAt: NOW,
    closeAt: NOW,
    expirationAt: NOW,
    expectedEndAt: NOW,
    canCloseEarly: false,
    earlyCloseCondition: '',
    proposedResult: null,
    strike: null,
    strikeGroup: null,
    rulesPrimary: '',
    rulesSecondary: '',
    priceRanges: [],
    isOffered: true,
  };
}
