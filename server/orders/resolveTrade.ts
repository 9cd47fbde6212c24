import type { OrderRequest } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Chain } from '../chain/client.ts';
import type { Database } from '../db/client.ts';
import { ServiceError } from '../errors.ts';
import { limitPriceFor } from '../markets/limitPrice.ts';
import { findOutcomeByTokenId } from '../markets/outcomes.ts';
import { getTradingMarket } from '../markets/tradingMarket.ts';
import type { Venue } from '../venue/port.ts';
import { readTrade, type Trade } from './trade.ts';

export type ResolvedTrade = Omit<Trade, 'base'> & { ticker: string; side: OutcomeSide };

/**
 * The trade a request asks for, on a market that is open and at a bound that can be met at all.
 * @throws {ServiceError} what `readTrade` throws, market_not_found, market_not_open, fee_unknown,
 *   limit_not_allowed
 */
export async function resolveTrade(
  deps: { database: Database; chain: Chain; venue: Venue },
  request: OrderRequest,
): Promise<ResolvedTrade> {
  const { base, ...trade } = readTrade(deps.chain, request);
  const { ticker, side } = 'ticker' in base ? base : await outcomeOf(deps, base.tokenId);
  const { market, fee } = await getTradingMarket(deps, ticker);
  if (market.status !== 'open') {
    throw new ServiceError(
      'market_not_open',
      `The market ${ticker} is ${market.status}; orders are taken while it is open. ` +
        'Nothing was created.',
      { errors: [{ pointer: '/order/baseToken', detail: `the market is ${market.status}` }] },
    );
  }
  const limitPriceMicros = limitPriceFor({
    ranges: market.priceRanges,
    fee,
    action: trade.tradeAction,
    side,
    contractMicros: trade.contractMicros,
    boundMicros: trade.limitUsdcMicros,
  });
  if (limitPriceMicros === undefined) throw unreachableBound(trade);
  return { ...trade, ticker, side };
}

async function outcomeOf(
  deps: { database: Database },
  tokenId: bigint,
): Promise<{ ticker: string; side: OutcomeSide }> {
  const outcome = await findOutcomeByTokenId(deps, tokenId);
  if (outcome) return outcome;
  throw new ServiceError('unsupported_token', 'No market has an outcome token with this id.', {
    errors: [{ pointer: '/order/baseToken/data/tokenId', detail: 'is not known' }],
  });
}

function unreachableBound(trade: Omit<Trade, 'base'>): ServiceError {
  const contracts = formatMicros(trade.contractMicros);
  const isBuy = trade.tradeAction === 'buy';
  return new ServiceError(
    'limit_not_allowed',
    isBuy
      ? `No price exists at which ${contracts} contracts and their fee cost so little.`
      : `No price exists at which ${contracts} contracts bring so much after the fee.`,
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
