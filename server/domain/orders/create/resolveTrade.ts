import type { LimitOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { AnyOrderRequest, OrderRequest } from '#lib/api/schemas/order.ts';
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
import { requireNoCross } from '../lifecycle/ownLevels.ts';
import {
  deliverableProblem,
  findLargestOrder,
  type LargestOrder,
} from '../lifecycle/room/largestOrder.ts';
import { type LimitTerms, readLimitTerms } from './limitTerms.ts';
import { payoutOfSide, redemptionUsdcMicros } from './redemption.ts';
import {
  readParties,
  readTrade,
  stepProblem,
  type Trade,
  type TradeParts,
} from './validateTrade.ts';

export type ResolvedTrade = Omit<Trade, 'base'> & {
  ticker: string;
  side: OutcomeSide;
  /** The order sells tokens of a settled market: the vault pays, the exchange is not involved. */
  isRedemption: boolean;
  /** Of a limit order. */
  limit?: LimitTerms;
};

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
 * @throws {ServiceError} what `readTrade` throws, market_not_found, market_not_open, fee_unknown,
 *   limit_not_allowed, quantity_not_allowed, order_too_large; for a limit order also
 *   price_not_allowed, deadline_not_allowed, crosses_open_order
 */
export async function resolveTrade(
  deps: FactDeps,
  request: AnyOrderRequest,
  now = new Date(),
): Promise<ResolvedTrade> {
  return request.orderType === 'LimitOrder'
    ? await resolveLimitTrade(deps, request, now)
    : await resolveMarketTrade(deps, request);
}

async function resolveMarketTrade(deps: FactDeps, request: OrderRequest): Promise<ResolvedTrade> {
  const { base, ...trade } = readTrade(deps.chain, request);
  const outcome = await findOutcome(deps, base);
  const facts = await readTradeFacts(deps, outcome.ticker);
  throwFirst(tradeProblems({ ...trade, ...outcome }, facts));
  return { ...trade, ...outcome, isRedemption: isRedemption(trade, facts) };
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

/** Whether the order sells tokens of a settled market: the vault pays for those. */
export function isRedemption(
  { tradeAction }: Pick<Trade, 'tradeAction'>,
  { payoutYesMicros }: Pick<TradeFacts, 'payoutYesMicros'>,
): boolean {
  return tradeAction === 'sell' && payoutYesMicros !== undefined;
}

/** The fields of a trade that are valid, on the market they name. */
export type TradeOfMarket = Omit<TradeParts, 'base' | 'receiver'> & {
  ticker: string;
  side: OutcomeSide;
};

/** Why the market does not take a trade, in the order in which an order is checked. */
export function tradeProblems(trade: TradeOfMarket, facts: TradeFacts): ServiceError[] {
  const { trading, largest } = facts;
  const { status } = trading.market;
  const sized = sizedOf(trade);
  if (isRedemption(trade, facts)) return sized ? payoutProblems(sized, facts) : [];
  const closed = status === 'open' ? undefined : notOpen(trade.ticker, status);
  // The fees of a settled market may no longer be known.
  if (closed && status === 'settled') return [closed];
  const problems = [
    closed,
    trade.contractMicros === undefined ? undefined : stepProblem(trade.contractMicros),
    sized && quoteLimitProblem(trading, sized),
    sized && deliverableProblem(largest, sized),
  ];
  return problems.filter((problem) => problem !== undefined);
}

type Sized = TradeOfMarket & Pick<Trade, 'contractMicros' | 'quoteLimitUsdcMicros'>;

function sizedOf(trade: TradeOfMarket): Sized | undefined {
  const { contractMicros, quoteLimitUsdcMicros } = trade;
  if (contractMicros === undefined || quoteLimitUsdcMicros === undefined) return undefined;
  return { ...trade, contractMicros, quoteLimitUsdcMicros };
}

/** A settled market's tokens are redeemed by a MarketOrder: it has no price to wait for. */
async function resolveLimitTrade(
  deps: FactDeps,
  request: LimitOrderRequest,
  now: Date,
): Promise<ResolvedTrade> {
  const { base, tradeAction, receiver } = readParties(deps.chain, request);
  const { ticker, side } = await findOutcome(deps, base);
  const trading = await getRecentTradingMarket(deps, ticker);
  if (trading.market.status !== 'open') throw notOpen(ticker, trading.market.status);
  const sized = readLimitTerms(trading, request, { action: tradeAction, side, now });
  const trade = { ...sized, tradeAction, receiver, ticker, side };
  const tooLarge = deliverableProblem(await findLargestOrder(deps.chain), trade);
  if (tooLarge) throw tooLarge;
  const { limitPriceMicros } = sized.limit;
  if (sized.limit.restsUntil) await requireNoCross(deps, { ...trade, limitPriceMicros });
  return { ...trade, isRedemption: false };
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

function payoutProblems(trade: Sized, { payoutYesMicros = 0n }: TradeFacts): ServiceError[] {
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

function quoteLimitProblem({ market, fee }: TradingMarket, trade: Sized): ServiceError | undefined {
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
