import { getAddress } from 'viem';
import { ERROR_CODES } from '#lib/api/errorCodes.ts';
import { isServiceError } from '#server/platform/errors.ts';
import { type OrderDeps, storeTradeOrder } from '../orders/create/createOrder.ts';
import { checkOrderSignature } from '../orders/create/orderSignature.ts';
import { requireReducing } from '../orders/create/reduceOnly.ts';
import {
  type DueReplacement,
  REPLACED,
  recordReplacement,
  takeReplacements,
} from '../orders/create/replacementStore.ts';
import { hashRequest, isTaken } from '../orders/create/storeOrder.ts';
import { vaultOrderOf } from '../orders/lifecycle/orderRow.ts';
import { replacementBody } from './replacementBody.ts';
import { resolveReplacement } from './replacementOrder.ts';

/**
 * Places what takes the place of orders that have ended. Its id is stored with the request, so that
 * a repetition finds the order instead of placing a second one. A failing one holds up no other,
 * and is tried again when its lease ends.
 */
export async function placeReplacements(deps: OrderDeps): Promise<void> {
  const taken = await takeReplacements(deps.database);
  await Promise.all(
    taken.map(async (due) => {
      try {
        const outcome = await place(deps, due);
        if (outcome !== undefined) await recordReplacement(deps.database, due.order, outcome);
      } catch (err) {
        deps.log.error({ err, orderId: due.order.id }, 'an order could not be replaced');
      }
    }),
  );
}

/** Undefined when it is to be tried again. */
async function place(deps: OrderDeps, due: DueReplacement): Promise<string | undefined> {
  const { order, signed, isOld } = due;
  const { replacedBy: id } = order;
  if (id === null) throw new Error(`order ${order.id} does not name its replacement`);
  if (await isTaken(deps.database, id)) return REPLACED;
  const body = replacementBody(order, due);
  if (!body) return 'filled';
  try {
    const naming = { id, clientId: signed?.clientId ?? id, now: signed?.preparedAt ?? new Date() };
    const next = await resolveReplacement(deps, order, body, naming);
    await requireReducing(deps.chain, getAddress(order.accountId), next.trade);
    // What was filled since it was signed makes another order of it.
    const vaultOrder = vaultOrderOf(next.order);
    const { signature } = await checkOrderSignature(deps, vaultOrder, signed);
    await storeTradeOrder(deps, next.order, {
      kind: 'api',
      apiKeyId: order.apiKeyId,
      requestHash: hashRequest({ kind: 'replacement', of: order.id }),
      body: next.body,
      trade: next.trade,
      owner: getAddress(order.ownerAddress),
      orderSignature: signature,
    });
    return REPLACED;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    // It was valid when it was stored.
    if (error.code === 'order_signature_invalid') return 'changed_since_signed';
    const mayPass = ERROR_CODES[error.code].status >= 500;
    return mayPass && !isOld ? undefined : error.code;
  }
}
