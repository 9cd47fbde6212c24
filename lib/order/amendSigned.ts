import type { CrossbookClient } from '#lib/api/client.ts';
import type { AmendOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { AnyOrderRequestInput, OrderRecord } from '#lib/api/schemas/order.ts';
import { formatMicros, parseMicros } from '#lib/money.ts';
import { type OrderSigner, signOrder } from './signOrder.ts';

/**
 * Amends an order of an account whose permission names a session key: where another order takes its
 * place, asks for what is to be signed, compares it with what is wanted, and signs it. Without a
 * session key, and within what the vault has locked, nothing is signed.
 * @throws {OtherOrderError} and what `PATCH /v1/order/{id}` answers with
 */
export async function amendSigned(
  api: Pick<CrossbookClient, 'amendOrder' | 'getOrder' | 'prepareAmendment'>,
  signer: OrderSigner | undefined,
  id: string,
  change: AmendOrderRequest,
) {
  if (!signer) return await api.amendOrder(id, change);
  const prepared = await api.prepareAmendment(id, change);
  if (!prepared.typedData) return await api.amendOrder(id, change);
  const wanted = replacementOf(await api.getOrder(id), change);
  const { clientId, signed } = await signOrder(signer, wanted, prepared);
  return await api.amendOrder(id, { ...change, clientId, signed });
}

/** The order that takes another one's place: its terms with the change, for what is not filled. */
function replacementOf(
  { id, action, userAddress, receiverAddress, ...order }: OrderRecord,
  { limitPrice, baseQuantity }: AmendOrderRequest,
): AnyOrderRequestInput {
  if (action.orderType !== 'LimitOrder') throw new Error(`order ${id} has no limit price`);
  const { maxQuoteQuantityIn: _most, minQuoteQuantityOut: _least, ...terms } = action.order;
  const filled = parseMicros(order.filledBaseQuantity ?? '0');
  const remaining =
    baseQuantity === undefined
      ? parseMicros(order.remainingBaseQuantity ?? terms.baseQuantity)
      : parseMicros(baseQuantity) - filled;
  return {
    orderType: 'LimitOrder',
    chainId: action.chainId,
    userAddress,
    receiverAddress,
    order: {
      ...terms,
      baseQuantity: formatMicros(remaining),
      limitPrice: limitPrice ?? order.limitPrice ?? terms.limitPrice,
    },
  };
}
