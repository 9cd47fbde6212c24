import { orderSummary } from '#components/order/orderView.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { explainUnknownOutcome } from '#lib/browser/api/unknownOutcome.ts';
import { orderRequest } from '#lib/browser/trade/orderRequest.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

export type Redeemable = Pick<
  PositionView,
  'marketId' | 'side' | 'contractMicros' | 'redeemableMicros'
>;

type For = {
  api: TradingClient;
  site: SiteConfig;
  owner: string;
  /** Constant for the same key, so that a retry stays the same order. */
  clientIdOf: (key: string) => string;
};

/**
 * Redeems one position, or all; returns the ids of the orders.
 * @throws with a message for the user
 */
export async function requestRedemption(
  asked: For,
  position: Redeemable | undefined,
): Promise<string[]> {
  try {
    return position ? [await redeemOne(asked, position)] : await redeemAll(asked);
  } catch (problem) {
    throw explainUnknownOutcome(problem, 'your redemption');
  }
}

async function redeemAll({ api, site, owner }: For): Promise<string[]> {
  const { intents } = await api.redeemPositions({ userAddress: owner, chainId: site.chainId });
  return intents.map(({ id }) => id);
}

async function redeemOne(
  { api, site, owner, clientIdOf }: For,
  position: Redeemable,
): Promise<string> {
  const { orders } = await api.listOrders({ userAddress: owner });
  // Enabled again, the button would redeem twice, the second time in vain.
  const open = openRedemption(orders, position);
  if (open) return open.id;
  const draft = {
    ticker: position.marketId,
    side: position.side,
    action: 'sell' as const,
    contractMicros: position.contractMicros,
    quoteLimitUsdcMicros: position.redeemableMicros ?? 0n,
  };
  const key = `${owner} ${position.marketId} ${position.side} ${position.contractMicros}`;
  const request = { ...orderRequest(site, draft, owner), clientId: clientIdOf(key) };
  const { intent } = await api.createOrder(request);
  return intent.id;
}

export function openRedemption(
  orders: readonly OrderRecord[],
  { marketId, side }: Pick<PositionView, 'marketId' | 'side'>,
): OrderRecord | undefined {
  return orders.find((order) => {
    if (!order.isRedemption || order.isComplete) return false;
    const summary = orderSummary(order);
    return summary.marketId === marketId && summary.side === side;
  });
}
