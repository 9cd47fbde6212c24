import type { Address } from 'viem';
import type { AnyOrderRequest } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Chain } from '#server/chain/client.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { ServiceError, throwFirst } from '#server/platform/errors.ts';
import { findOutcomeByTokenId } from '../../markets/catalogue/outcomes.ts';
import { limitPriceFor } from '../../markets/quotes/limitPrice.ts';
import { getRecentTradingMarket, type TradingMarket } from '../../markets/quotes/tradingMarket.ts';
import { findSettlement, type Settlement } from '../../settlement/settlementStore.ts';
import { rests } from '../lifecycle/orderRow.ts';
import { crossProblem, findOwnLevels, type OwnLevels } from '../lifecycle/ownLevels.ts';
import {
  deliverableProblem,
  findLargestOrder,
  type LargestOrder,
} from '../lifecycle/room/largestOrder.ts';
import { type LimitTerms, parseLimitTerms } from './limitTerms.ts';
import { payoutOfSide, redemptionUsdcMicros } from './redemption.ts';
import { parseTriggerTerms, type TriggerTerms } from './triggerTerms.ts';
import {
  amountPointer,
  parseTrade,
  stepProblem,
  type Trade,
  type TradeParts,
} from './validateTrade.ts';

/** A trade of one market with its size and price limit. */
export type SizedTrade = Pick<Trade, 'tradeAction' | 'contractMicros' | 'quoteLimitUsdcMicros'> & {
  ticker: string;
  side: OutcomeSide;
  /** The order sells tokens of a settled market: the vault pays, the exchange is not involved. */
  isRedemption: boolean;
  /** Of a limit order. */
  limit?: LimitTerms;
  /** Of a stop order. */
  trigger?: TriggerTerms;
};

export type ResolvedTrade = SizedTrade & { receiver: Address | undefined };

/** What a trade of one market is checked against. */
export type TradeFacts = {
  trading: TradingMarket;
  /** Of a settled market; undefined before the vault knows of it. */
  settlement: Pick<Settlement, 'state'> | undefined;
  /** Of a settled market, what the vault pays for a Yes token; undefined until that is known. */
  payoutYesMicros: bigint | undefined;
  /** Undefined while the node does not respond. */
  largest: LargestOrder | undefined;
};

type FactDeps = { database: Database; chain: Chain; exchange: Exchange };

/**
 * Resolves a request to a trade on an open market with a reachable price limit, or to the
 * redemption of a settled one.
 * @throws {ServiceError} unsupported_chain, unsupported_token, receiver_not_allowed,
 *   market_not_found, market_not_open, fee_unknown, limit_not_allowed, quantity_not_allowed,
 *   order_too_large; for a limit order also price_not_allowed, deadline_not_allowed,
 *   crosses_open_order
 */
export async function resolveTrade(
  deps: FactDeps,
  request: AnyOrderRequest,
  now = new Date(),
): Promise<ResolvedTrade> {
  const { parts, problems } = parseTrade(deps.chain, request);
  throwFirst(problems);
  const { base, receiver, limitOrder } = parts;
  if (!base) throw new TypeError('a trade without problems has a token');
  const outcome = await findOutcome(deps, base);
  const [facts, own] = await Promise.all([
    readTradeFacts(deps, outcome.ticker),
    limitOrder ? findOwnLevels(deps.database, outcome.ticker) : {},
  ]);
  const found = tradeOnMarket({ ...parts, ...outcome }, facts, { own, now });
  throwFirst(found.problems);
  if (!found.trade) throw new TypeError('a trade without problems has a size');
  return { ...found.trade, receiver };
}

/** @throws {ServiceError} unsupported_token */
export async function findOutcome(
  deps: { database: Database },
  base: Trade['base'],
): Promise<{ ticker: string; side: OutcomeSide }> {
  return 'ticker' in base ? base : await outcomeOf(deps, base.tokenId);
}

/** @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable */
export async function readTradeFacts(deps: FactDeps, ticker: string): Promise<TradeFacts> {
  const [trading, largest] = await Promise.all([
    getRecentTradingMarket(deps, ticker),
    findLargestOrder(deps.chain),
  ]);
  const { status, final } = trading.market;
  if (status !== 'settled') {
    return { trading, largest, settlement: undefined, payoutYesMicros: undefined };
  }
  // What the vault pays counts, which admins may have decided.
  const settlement = await findSettlement(deps.database.orm, ticker);
  return {
    trading,
    largest,
    settlement,
    payoutYesMicros: settlement?.payoutYesMicros ?? final?.payoutYesMicros,
  };
}

/**
 * Whether the order sells tokens of a settled market: the vault pays for those. A limit or stop
 * order never does, since there is no price to wait for.
 */
export function isRedemption(
  {
    tradeAction,
    limitOrder,
    stopOrder,
  }: Pick<TradeParts, 'tradeAction' | 'limitOrder' | 'stopOrder'>,
  { payoutYesMicros }: Pick<TradeFacts, 'payoutYesMicros'>,
): boolean {
  return tradeAction === 'sell' && !limitOrder && !stopOrder && payoutYesMicros !== undefined;
}

/** The fields of a trade that are valid, on the market they name. */
export type TradeOfMarket = Omit<TradeParts, 'base' | 'receiver'> & {
  ticker: string;
  side: OutcomeSide;
};

/**
 * A trade on its market: its size and price limit as far as they are valid, and why the market does
 * not take it, in the order in which an order is checked.
 * @param own levels of our own resting orders, which a limit order must not meet
 */
export function tradeOnMarket(
  parts: TradeOfMarket,
  facts: TradeFacts,
  { own, now }: { own: OwnLevels; now: Date },
): { trade: SizedTrade | undefined; problems: ServiceError[] } {
  const { trading, largest } = facts;
  const { status } = trading.market;
  const { ticker, side, tradeAction, limitOrder, stopOrder } = parts;
  const marketTrade = marketTradeOf(parts);
  if (isRedemption(parts, facts)) {
    const trade = marketTrade && { ...marketTrade, isRedemption: true };
    return { trade, problems: trade ? payoutProblems(trade, facts) : [] };
  }
  const closed = status === 'open' ? [] : [notOpen(ticker, status)];
  // The fees of a settled market may no longer be known.
  if (status === 'settled') return { trade: marketTrade, problems: closed };
  const { sized, problems } = limitOrder
    ? parseLimitTerms(trading, limitOrder, { ...parts, now })
    : { sized: marketTrade, problems: quantityProblems(parts, trading) };
  const stop = stopOrder && parseTriggerTerms(trading, stopOrder, { side, now });
  if (stop) problems.push(...stop.problems);
  if (!sized) return { trade: undefined, problems: [...closed, ...problems] };
  const trigger = stop?.trigger && { trigger: stop.trigger };
  const trade: SizedTrade = {
    ticker,
    side,
    tradeAction,
    isRedemption: false,
    ...sized,
    ...trigger,
  };
  const later = [
    deliverableProblem(largest, trade, amountPointer(parts)),
    // One that waits for its price first meets no other order yet.
    trade.limit && rests(trade.limit) && !stopOrder
      ? crossProblem({ ...trade, ...trade.limit }, own)
      : undefined,
  ].filter((problem) => problem !== undefined);
  return { trade, problems: [...closed, ...problems, ...later] };
}

/** A market order as far as its request alone sizes it. */
export function marketTradeOf(parts: TradeOfMarket): SizedTrade | undefined {
  const { ticker, side, tradeAction, contractMicros, quoteLimitUsdcMicros } = parts;
  if (contractMicros === undefined || quoteLimitUsdcMicros === undefined) return undefined;
  const amounts = { contractMicros, quoteLimitUsdcMicros };
  return { ticker, side, tradeAction, ...amounts, isRedemption: false };
}

function quantityProblems(parts: TradeOfMarket, trading: TradingMarket): ServiceError[] {
  const { contractMicros } = parts;
  const trade = marketTradeOf(parts);
  return [
    contractMicros === undefined ? undefined : stepProblem(contractMicros),
    trade && quoteLimitProblem(trading, trade),
  ].filter((problem) => problem !== undefined);
}

async function outcomeOf(
  deps: { database: Database },
  tokenId: bigint,
): Promise<{ ticker: string; side: OutcomeSide }> {
  const outcome = await findOutcomeByTokenId(deps, tokenId);
  if (outcome) return outcome;
  throw new ServiceError('unsupported_token', 'No market has an outcome token with this ID.', {
    errors: [{ pointer: '/order/baseToken/data/tokenId', detail: 'is not known' }],
  });
}

function notOpen(ticker: string, status: string): ServiceError {
  const hint =
    status === 'settled'
      ? 'its tokens can only be sold, at the payout'
      : 'you can trade it only while it is open';
  return new ServiceError(
    'market_not_open',
    `The market ${ticker} is ${status}; ${hint}. Nothing was created.`,
    { errors: [{ pointer: '/order/baseToken', detail: `the market is ${status}` }] },
  );
}

function payoutProblems(trade: SizedTrade, { payoutYesMicros = 0n }: TradeFacts): ServiceError[] {
  const perContractMicros = payoutOfSide(trade.side, payoutYesMicros);
  const payoutUsdcMicros = redemptionUsdcMicros(trade.contractMicros, perContractMicros);
  if (trade.quoteLimitUsdcMicros <= payoutUsdcMicros) return [];
  const payout = formatMicros(payoutUsdcMicros);
  return [
    new ServiceError(
      'limit_not_allowed',
      `The market is settled and pays ${payout} USDC for these contracts, below the price limit. ` +
        'Nothing was created.',
      { errors: [{ pointer: '/order/minQuoteQuantityOut', detail: `must be at most ${payout}` }] },
    ),
  ];
}

function quoteLimitProblem(
  { market, fee }: TradingMarket,
  trade: SizedTrade,
): ServiceError | undefined {
  const { tradeAction: action, side, contractMicros, quoteLimitUsdcMicros } = trade;
  const order = { action, side, contractMicros, quoteLimitUsdcMicros };
  if (limitPriceFor({ ranges: market.priceRanges, fee, ...order }) !== undefined) return undefined;
  const contracts = formatMicros(trade.contractMicros);
  const isBuy = trade.tradeAction === 'buy';
  return new ServiceError(
    'limit_not_allowed',
    isBuy
      ? `${contracts} contracts with fees cannot cost that little at any price.`
      : `${contracts} contracts cannot bring that much after fees at any price.`,
    {
      errors: [
        {
          pointer: isBuy ? '/order/maxQuoteQuantityIn' : '/order/minQuoteQuantityOut',
          detail: isBuy ? 'is below the cheapest possible cost' : 'is above the highest possible',
        },
      ],
    },
  );
}
