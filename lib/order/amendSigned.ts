import type { CrossbookClient } from '#lib/api/client.ts';
import type { AmendOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { AnyOrderRequestInput, OrderRecord } from '#lib/api/schemas/order.ts';
import { formatMicros, maxMicros, parseMicros } from '#lib/money.ts';
import { type OrderSigner, signOrder } from './signOrder.ts';

/** What is to be known of the order. */
export type AmendableOrder = Pick<
  OrderRecord,
  | 'id'
  | 'action'
  | 'userAddress'
  | 'receiverAddress'
  | 'filledBaseQuantity'
  | 'remainingBaseQuantity'
  | 'limitPrice'
>;

/**
 * Amends an order of an account whose permission names a session key: where another order takes its
 * place, asks for what is to be signed, compares it with what is wanted, and signs it. Without a
 * session key, and within what the vault has locked, nothing is signed.
 * @param order as its owner knows it; what it has filled since is asked for
 * @throws {OtherOrderError} and what `PATCH /v1/order/{id}` answers with
 */
export async function amendSigned(
  api: Pick<CrossbookClient, 'amendOrder' | 'getOrder' | 'prepareAmendment'>,
  signer: OrderSigner | undefined,
  order: AmendableOrder,
  change: AmendOrderRequest,
) {
  const { id } = order;
  if (!signer) return await api.amendOrder(id, change);
  const prepared = await api.prepareAmendment(id, change);
  if (!prepared.typedData) return await api.amendOrder(id, change);
  const now = await api.getOrder(id);
  const filledMicros = maxMicros(filledOf(order), filledOf(now));
  const wanted = replacementOf(order, change, filledMicros);
  const { clientId, signed } = await signOrder(signer, wanted, prepared);
  return await api.amendOrder(id, { ...change, clientId, signed });
}

const filledOf = ({ filledBaseQuantity }: Pick<OrderRecord, 'filledBaseQuantity'>) =>
  parseMicros(filledBaseQuantity ?? '0');

/** The order that takes another one's place: its terms with the change, for what is not filled. */
function replacementOf(
  order: AmendableOrder,
  { limitPrice, baseQuantity }: AmendOrderRequest,
  filledMicros: bigint,
): AnyOrderRequestInput {
  const { action, userAddress, receiverAddress } = order;
  if (action.orderType !== 'LimitOrder') throw new Error(`order ${order.id} has no limit price`);
  const { maxQuoteQuantityIn: _most, minQuoteQuantityOut: _least, ...terms } = action.order;
  const sizeMicros =
    baseQuantity === undefined
      ? parseMicros(order.remainingBaseQuantity ?? terms.baseQuantity) + filledOf(order)
      : parseMicros(baseQuantity);
  return {
    orderType: 'LimitOrder',
    chainId: action.chainId,
    userAddress,
    receiverAddress,
    order: {
      ...terms,
      baseQuantity: formatMicros(sizeMicros - filledMicros),
      limitPrice: limitPrice ?? order.limitPrice ?? terms.limitPrice,
    },
  };
}
