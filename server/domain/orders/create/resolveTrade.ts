import type { LimitOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { AnyOrderRequest, OrderRequest } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Chain } from '#server/chain/client.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { findOutcomeByTokenId } from '../../markets/catalogue/outcomes.ts';
import { limitPriceFor } from '../../markets/quotes/limitPrice.ts';
import { getRecentTradingMarket, type TradingMarket } from '../../markets/quotes/tradingMarket.ts';
import { findSettlement } from '../../settlement/settlementStore.ts';
import { requireNoCross } from '../lifecycle/ownLevels.ts';
import { requireDeliverable } from '../lifecycle/room/largestOrder.ts';
import { type LimitTerms, readLimitTerms } from './limitTerms.ts';
import { payoutOfSide, redemptionUsdcMicros } from './redemption.ts';
import {
  readParties,
  readTrade,
  requireTradableStep,
  type Trade,
  type TradeParties,
} from './validateTrade.ts';

export type ResolvedTrade = Omit<Trade, 'base'> & {
  ticker: string;
  side: OutcomeSide;
  /** The order sells tokens of a settled market: the vault pays, the exchange is not involved. */
  isRedemption: boolean;
  /** Of a limit order. */
  limit?: LimitTerms;
};

type ResolveDeps = { database: Database; chain: Chain; exchange: Exchange };

/**
 * Resolves a request to a trade on an open market with a reachable price limit, or to the
 * redemption of a settled one.
 * @throws {ServiceError} what `readTrade` throws, market_not_found, market_not_open, fee_unknown,
 *   limit_not_allowed, quantity_not_allowed, order_too_large; for a limit order also
 *   price_not_allowed, deadline_not_allowed, crosses_open_order
 */
export async function resolveTrade(
  deps: ResolveDeps,
  request: AnyOrderRequest,
  now = new Date(),
): Promise<ResolvedTrade> {
  return request.orderType === 'LimitOrder'
    ? await resolveLimitTrade(deps, request, now)
    : await resolveMarketTrade(deps, request);
}

async function resolveMarketTrade(
  deps: ResolveDeps,
  request: OrderRequest,
): Promise<ResolvedTrade> {
  const { base, ...trade } = readTrade(deps.chain, request);
  const { ticker, side } = await outcomeNamedBy(deps, base);
  const trading = await getRecentTradingMarket(deps, ticker);
  const resolved = { ...trade, ticker, side };
  const { status, final } = trading.market;
  if (status === 'settled' && trade.tradeAction === 'sell') {
    // What the vault pays counts, which admins may have decided.
    const settlement = await findSettlement(deps.database.orm, ticker);
    const payoutYesMicros = settlement?.payoutYesMicros ?? final?.payoutYesMicros;
    if (payoutYesMicros !== undefined) {
      const payout = payoutOfSide(side, payoutYesMicros);
      requirePayout(trade, redemptionUsdcMicros(trade.contractMicros, payout));
      return { ...resolved, isRedemption: true };
    }
  }
  if (status !== 'open') throw notOpen(ticker, status);
  requireTradableStep(trade.contractMicros);
  requireReachableQuoteLimit(trading, resolved);
  await requireDeliverable(deps.chain, resolved);
  return { ...resolved, isRedemption: false };
}

/** A settled market's tokens are redeemed by a MarketOrder: it has no price to wait for. */
async function resolveLimitTrade(
  deps: ResolveDeps,
  request: LimitOrderRequest,
  now: Date,
): Promise<ResolvedTrade> {
  const { base, tradeAction, receiver } = readParties(deps.chain, request);
  const { ticker, side } = await outcomeNamedBy(deps, base);
  const trading = await getRecentTradingMarket(deps, ticker);
  if (trading.market.status !== 'open') throw notOpen(ticker, trading.market.status);
  const sized = readLimitTerms(trading, request, { action: tradeAction, side, now });
  const trade = { ...sized, tradeAction, receiver, ticker, side };
  await requireDeliverable(deps.chain, trade);
  const { limitPriceMicros } = sized.limit;
  if (sized.limit.restsUntil) await requireNoCross(deps, { ...trade, limitPriceMicros });
  return { ...trade, isRedemption: false };
}

async function outcomeNamedBy(
  deps: ResolveDeps,
  base: TradeParties['base'],
): Promise<{ ticker: string; side: OutcomeSide }> {
  return 'ticker' in base ? base : await outcomeOf(deps, base.tokenId);
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

function requirePayout(trade: Omit<Trade, 'base'>, payoutUsdcMicros: bigint): void {
  if (trade.quoteLimitUsdcMicros <= payoutUsdcMicros) return;
  const payout = formatMicros(payoutUsdcMicros);
  throw new ServiceError(
    'limit_not_allowed',
    `The market is settled and pays ${payout} USDC for these contracts, below the price limit. ` +
      'Nothing was created.',
    { errors: [{ pointer: '/order/minQuoteQuantityOut', detail: `must be at most ${payout}` }] },
  );
}

function requireReachableQuoteLimit(
  { market, fee }: TradingMarket,
  trade: Omit<Trade, 'base'> & { side: OutcomeSide },
): void {
  const { tradeAction: action, side, contractMicros, quoteLimitUsdcMicros } = trade;
  const order = { action, side, contractMicros, quoteLimitUsdcMicros };
  if (limitPriceFor({ ranges: market.priceRanges, fee, ...order }) !== undefined) return;
  const contracts = formatMicros(trade.contractMicros);
  const isBuy = trade.tradeAction === 'buy';
  throw new ServiceError(
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
