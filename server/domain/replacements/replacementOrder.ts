import { randomUUID } from 'node:crypto';
import { getAddress, type Hex } from 'viem';
import type { AmendOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { AnyOrderRequest, OrderToSign } from '#lib/api/schemas/order.ts';
import { orderTypedData } from '#lib/order/orderToSign.ts';
import { orderMessage } from '#server/chain/vaultOrder.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { type NewTradeOrder, newTradeOrder, type OrderDeps } from '../orders/create/createOrder.ts';
import {
  readPreparedAt,
  requireOrderSignature,
  wantsOrderSignature,
} from '../orders/create/orderSignature.ts';
import type { ReplacementSignature } from '../orders/create/replacementStore.ts';
import { type ResolvedTrade, resolveTrade } from '../orders/create/resolveTrade.ts';
import { isTaken } from '../orders/create/storeOrder.ts';
import { type OrderRow, type TradeOrder, vaultOrderOf } from '../orders/lifecycle/orderRow.ts';

type Deps = Omit<OrderDeps, 'log'>;

/** What names an order that takes another one's place, and the moment its terms follow from. */
type Naming = { id: string; clientId: string; now: Date };

type ReplacementOrder = { order: NewTradeOrder; trade: ResolvedTrade; body: AnyOrderRequest };

/**
 * The order that takes another one's place, as the vault would take it.
 * @throws {ServiceError} what `resolveTrade` throws
 */
export async function resolveReplacement(
  deps: Deps,
  { apiKeyId, accountId }: Pick<OrderRow, 'apiKeyId' | 'accountId'>,
  request: AnyOrderRequest,
  { id, clientId, now }: Naming,
): Promise<ReplacementOrder> {
  const body = { ...request, clientId };
  const trade = await resolveTrade(deps, body, now);
  const account = getAddress(accountId);
  return { order: newTradeOrder({ apiKeyId, body, trade, account, now, id }), trade, body };
}

/**
 * What a session key must sign for a change; nothing without a key.
 * @param request undefined for a change within what the vault has locked
 */
export async function replacementToSign(
  deps: Deps,
  order: TradeOrder,
  request: AnyOrderRequest | undefined,
): Promise<OrderToSign> {
  const naming = { id: randomUUID(), clientId: randomUUID(), now: new Date() };
  const { clientId, now } = naming;
  const isSigned = request && (await wantsOrderSignature(deps, getAddress(order.accountId)));
  const next = isSigned && (await resolveReplacement(deps, order, request, naming)).order;
  return {
    typedData: next ? orderTypedData(deps.chain.id, orderMessage(vaultOrderOf(next))) : null,
    clientId,
    preparedAt: now.toISOString(),
  };
}

/**
 * Checks that a session key has signed the order that takes another one's place, where the permission
 * names one.
 * @returns what to store beside the wish; undefined where nothing is signed
 * @throws {ServiceError} order_signature_required, order_signature_invalid, session_key_removed,
 *   client_id_conflict and what `resolveTrade` throws
 */
export async function requireReplacementSignature(
  deps: Deps,
  order: TradeOrder,
  request: AnyOrderRequest,
  { signed, clientId }: Pick<AmendOrderRequest, 'signed' | 'clientId'>,
): Promise<ReplacementSignature | undefined> {
  const account = getAddress(order.accountId);
  if (!signed && !(await wantsOrderSignature(deps, account))) return undefined;
  const preparedAt = signed ? readPreparedAt(signed, new Date()) : new Date();
  const id = signed?.id ?? randomUUID();
  if (await isTaken(deps.database, id)) throw idIsTaken();
  const naming = { id, clientId: clientId ?? id, now: preparedAt };
  const next = await resolveReplacement(deps, order, request, naming);
  const signature: Hex | null = await requireOrderSignature(deps, vaultOrderOf(next.order), signed);
  return signature === null ? undefined : { id, clientId: naming.clientId, preparedAt, signature };
}

function idIsTaken(): ServiceError {
  return new ServiceError(
    'client_id_conflict',
    'An order with the signed ID exists. Sign again with another ID. The order rests as it was.',
    { errors: [{ pointer: '/signed/id', detail: 'was already used' }] },
  );
}
