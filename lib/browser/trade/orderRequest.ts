import type { OrderRequestInput } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import type { TradeAction, TradeSide } from './quote.ts';

/** What an order takes from the site's configuration. */
export type OrderSite = Pick<SiteConfig, 'chainId'> & {
  contracts: Pick<SiteConfig['contracts'], 'usdc'>;
};

export type OrderDraft = {
  ticker: string;
  side: TradeSide;
  action: TradeAction;
  /** How many contracts; of an amount, how many it must buy as a whole. */
  contractMicros: bigint;
  /** Buy: the most to pay. Sell: the least to receive. */
  quoteLimitUsdcMicros: bigint;
  /** Buy: spends the limit, so that the fill decides the number of contracts. */
  spendsLimit?: boolean;
};

/** The order as POST /v1/order, its preview and POST /v1/order/calldata take it. */
export function orderRequest(site: OrderSite, draft: OrderDraft, owner: string): OrderRequestInput {
  const quoteLimit = formatMicros(draft.quoteLimitUsdcMicros);
  return {
    orderType: 'MarketOrder',
    order: {
      quoteToken: {
        type: 'chain',
        data: { tokenId: '0', chainId: site.chainId, contractAddress: site.contracts.usdc },
      },
      baseToken: { type: 'venue', data: { marketId: draft.ticker, side: draft.side } },
      orderType: draft.action === 'buy' ? 'BUY' : 'SELL',
      baseQuantity: formatMicros(draft.contractMicros),
      ...(draft.action === 'buy'
        ? { maxQuoteQuantityIn: quoteLimit }
        : { minQuoteQuantityOut: quoteLimit }),
      ...(draft.spendsLimit && { sizedBy: 'maxQuoteQuantityIn' as const }),
    },
    chainId: site.chainId,
    includeTokenTransfer: true,
    userAddress: owner,
  };
}
