import type { LimitOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { IntentAction } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import type { Replacement } from '../orders/create/replacementStore.ts';
import { awaitsTrigger, type OrderRow } from '../orders/lifecycle/orderRow.ts';

/**
 * The request of the order that takes another one's place: the same terms at the new price, for
 * what the first has not filled of the new size. A trigger that has fired is not set again.
 * Undefined for an order without a limit price, and when nothing is left to trade.
 */
export function replacementBody(
  row: Pick<
    OrderRow,
    | 'action'
    | 'userAddress'
    | 'receiverAddress'
    | 'filledContractMicros'
    | 'triggerPriceMicros'
    | 'triggeredAt'
  >,
  { limitPriceMicros, contractMicros }: Replacement,
): LimitOrderRequest | undefined {
  const action = row.action as IntentAction;
  const remainingMicros = contractMicros - (row.filledContractMicros ?? 0n);
  if (action.orderType !== 'LimitOrder' || remainingMicros <= 0n) return undefined;
  const {
    maxQuoteQuantityIn: _most,
    minQuoteQuantityOut: _least,
    triggerPrice: _price,
    direction,
    triggerSource,
    ...terms
  } = action.order;
  const { triggerPriceMicros } = row;
  return {
    orderType: 'LimitOrder',
    chainId: action.chainId,
    userAddress: row.userAddress,
    ...(row.receiverAddress !== null && { receiverAddress: row.receiverAddress }),
    includeTokenTransfer: true,
    order: {
      ...terms,
      baseQuantity: formatMicros(remainingMicros),
      limitPrice: formatMicros(limitPriceMicros),
      ...(awaitsTrigger(row) &&
        triggerPriceMicros !== null && {
          triggerPrice: formatMicros(triggerPriceMicros),
          direction,
          triggerSource,
        }),
    },
  };
}
