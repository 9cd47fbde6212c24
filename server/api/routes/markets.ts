import { z } from 'zod';
import { eventTickerSchema, marketTickerSchema } from '#lib/api/schemas/common.ts';
import * as shapes from '#lib/api/schemas/market.ts';
import { quoteQuerySchema, quoteSchema } from '#lib/api/schemas/quote.ts';
import { searchQuerySchema, searchResultSchema } from '#lib/api/schemas/search.ts';
import { parseMicros } from '#lib/money.ts';
import type { Chain } from '../../chain/client.ts';
import { isSuspended } from '../../domain/admin/suspensions.ts';
import type { LiveMarkets } from '../../domain/markets/books/liveMarkets.ts';
import { listMarkets } from '../../domain/markets/catalogue/catalogue.ts';
import { listPriceHistory } from '../../domain/markets/prices/history.ts';
import { getOrderBook, listTrades } from '../../domain/markets/prices/liveReads.ts';
import {
  getRecentTradingMarket,
  quoteMarket,
  READING_HOLDS_MS,
} from '../../domain/markets/quotes/tradingMarket.ts';
import { listLiveScores } from '../../domain/markets/scores/liveScores.ts';
import type { Scoreboard } from '../../domain/markets/scores/scoreboard.ts';
import { searchMarkets } from '../../domain/markets/search/search.ts';
import {
  serializeEvent,
  serializeMarket,
  serializeOrderBook,
  serializePricePoint,
  serializeQuote,
  serializeScore,
  serializeSearchEvent,
  serializeTerms,
  serializeTrade,
} from '../../domain/markets/serializeMarket.ts';
import { getListedEvent, getListedMarket } from '../../domain/markets/sync/unmirrored.ts';
import { tradableBook } from '../../domain/orders/lifecycle/ownLevels.ts';
import { findLargestOrder } from '../../domain/orders/lifecycle/room/largestOrder.ts';
import type { Exchange } from '../../exchange/port.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/log.ts';
import { type Route, route } from './route.ts';

type Deps = {
  database: Database;
  chain: Chain;
  exchange: Exchange;
  liveMarkets: LiveMarkets;
  scoreboard: Scoreboard;
  log: Log;
  config: { publicBaseUrl: string };
};

const READ = {
  method: 'GET',
  tags: ['Markets'],
  auth: { apiKey: 'required', token: 'none', scope: 'read' },
} as const;

const tickerParams = z.strictObject({ ticker: marketTickerSchema });
const market = '/v1/prediction-market/markets/{ticker}';

const catalogueRoutes: Route<Deps>[] = [
  route({
    ...READ,
    path: '/v1/prediction-market/markets',
    operationId: 'listMarkets',
    summary: 'List markets',
    rateClass: 'read',
    cached: () => 'catalogue',
    query: shapes.marketListQuerySchema,
    response: { schema: shapes.marketListSchema },
    async handler({ deps, query: { status, ...rest } }) {
      const { markets, cursor } = await listMarkets(deps, {
        ...rest,
        ...(status === 'all' ? {} : { status }),
      });
      const { publicBaseUrl } = deps.config;
      return {
        markets: markets.map((market) => serializeMarket(market, publicBaseUrl)),
        count: markets.length,
        cursor,
      };
    },
  }),
  route({
    ...READ,
    path: market,
    operationId: 'getMarket',
    summary: 'Get a market',
    rateClass: 'read',
    cached: ({ ticker = '' }) => ({ ticker }),
    params: tickerParams,
    response: { schema: shapes.marketResponseSchema },
    handler: async ({ deps, params }) => ({
      market: serializeMarket(
        await getListedMarket(deps, params.ticker),
        deps.config.publicBaseUrl,
      ),
    }),
  }),
  route({
    ...READ,
    path: '/v1/prediction-market/events/{eventTicker}',
    operationId: 'getEvent',
    summary: 'Get an event with all its markets',
    rateClass: 'read',
    cached: () => 'catalogue',
    params: z.strictObject({ eventTicker: eventTickerSchema }),
    response: { schema: shapes.eventResponseSchema },
    handler: async ({ deps, params }) => ({
      event: serializeEvent(
        await getListedEvent(deps, params.eventTicker),
        deps.config.publicBaseUrl,
      ),
    }),
  }),
  route({
    ...READ,
    path: '/v1/prediction-market/search',
    operationId: 'searchMarkets',
    summary: 'Search markets',
    description: 'Returns events, most relevant first, each with its matching markets.',
    rateClass: 'read',
    cached: () => 'catalogue',
    query: searchQuerySchema,
    response: { schema: searchResultSchema },
    async handler({ deps, query }) {
      const found = await searchMarkets(deps, {
        query: query.query || (query.q ?? ''),
        pageSize: query.page_size,
        orderBy: query.order_by,
        fuzzyThreshold: query.fuzzy_threshold,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        ...(query.status === undefined ? {} : { statuses: [query.status] }),
        ...(query.category === undefined ? {} : { category: query.category }),
        ...(query.frequency === undefined ? {} : { frequency: query.frequency }),
        ...(query.series === undefined ? {} : { seriesTicker: query.series }),
        isGrouped: query.group_by === 'series',
      });
      return {
        total_results_count: found.totalResultsCount,
        current_page: found.events.map((event) =>
          serializeSearchEvent(event, {
            publicBaseUrl: deps.config.publicBaseUrl,
            withMilestones: query.with_milestones,
          }),
        ),
        next_cursor: found.nextCursor,
        ...(found.correctedQuery === undefined ? {} : { corrected_query: found.correctedQuery }),
      };
    },
  }),
];

/** A caller asks again soon. */
const SCORE_PATIENCE_MS = 1_000;

const priceRoutes: Route<Deps>[] = [
  route({
    ...READ,
    path: `${market}/quote`,
    operationId: 'getQuote',
    summary: 'Quote a trade',
    description:
      'The cost of buying or the proceeds of selling now, with the fee, from the live order book.',
    rateClass: 'quote',
    reusable: true,
    params: tickerParams,
    query: quoteQuerySchema,
    response: { schema: quoteSchema },
    async handler({ deps, params, query, c }) {
      const { contracts, ...rest } = query;
      const asked = { ...params, ...rest, contractMicros: parseMicros(contracts) };
      const [quoted, suspended, largest] = await Promise.all([
        quoteMarket(deps, asked, (book) => tradableBook(deps.database, book)),
        isSuspended(deps, asked.ticker),
        findLargestOrder(deps.chain),
      ]);
      c.set('reusableUntil', quoted.asOf.getTime() + READING_HOLDS_MS);
      // A market that takes no orders can fill none.
      const fillable = quoted.quote.fillable && !suspended;
      return serializeQuote(asked, { ...quoted, quote: { ...quoted.quote, fillable }, largest });
    },
  }),
  route({
    ...READ,
    path: `${market}/orderbook`,
    operationId: 'getOrderBook',
    summary: 'Get the order book',
    rateClass: 'quote',
    params: tickerParams,
    response: { schema: shapes.orderBookSchema },
    async handler({ deps, params }) {
      const { ticker } = await getListedMarket(deps, params.ticker);
      const { book, asOf } = await getOrderBook(deps, ticker);
      return serializeOrderBook(book, asOf);
    },
  }),
  route({
    ...READ,
    path: `${market}/terms`,
    operationId: 'getMarketTerms',
    summary: 'Get the ticks and the fee of a market',
    description: 'The prices that limit orders may have, and the fee of a taker.',
    rateClass: 'quote',
    params: tickerParams,
    response: { schema: shapes.marketTermsSchema },
    handler: async ({ deps, params }) =>
      serializeTerms(await getRecentTradingMarket(deps, params.ticker)),
  }),
  route({
    ...READ,
    path: `${market}/trades`,
    operationId: 'listTrades',
    summary: 'List the latest trades of a market',
    rateClass: 'read',
    params: tickerParams,
    query: shapes.tradeListQuerySchema,
    response: { schema: shapes.tradeListSchema },
    async handler({ deps, params, query }) {
      const { ticker, openAt: openedAt } = await getListedMarket(deps, params.ticker);
      const { trades, cursor } = await listTrades(deps, { ticker, openedAt, ...query });
      return { trades: trades.map(serializeTrade), cursor };
    },
  }),
  route({
    ...READ,
    path: `${market}/price-history`,
    operationId: 'getPriceHistory',
    summary: 'Get the prices of a market over time',
    rateClass: 'read',
    cached: ({ ticker = '' }) => ({ ticker }),
    params: tickerParams,
    query: shapes.priceHistoryQuerySchema,
    response: { schema: shapes.priceHistorySchema },
    async handler({ deps, params, query }) {
      const market = await getListedMarket(deps, params.ticker);
      const points = await listPriceHistory(deps, market, query.range);
      return { ticker: market.ticker, range: query.range, points: points.map(serializePricePoint) };
    },
  }),
];

const scoreRoutes: Route<Deps>[] = [
  route({
    ...READ,
    path: '/v1/prediction-market/scores',
    operationId: 'listScores',
    summary: 'List the scores of games',
    description:
      'The scores of the games that events are about, from the start of a game until hours after its ' +
      'end. Events without a game, and games without a score at the exchange, are left out. ' +
      'A score changes every few seconds at most.',
    rateClass: 'read',
    query: shapes.scoreListQuerySchema,
    response: { schema: shapes.scoreListSchema },
    async handler({ deps, query }) {
      const scores = await listLiveScores(deps, query.eventTickers, SCORE_PATIENCE_MS);
      return { scores: scores.map(serializeScore) };
    },
  }),
];

export const marketRoutes: Route<Deps>[] = [...catalogueRoutes, ...priceRoutes, ...scoreRoutes];
