import type { Address, Hex } from 'viem';
import type { ChainOperation } from '#server/chain/operations/store.ts';
import type { VaultOrder } from '#server/chain/vaultOrder.ts';
import { asTradeOrder, vaultOrderOf } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/lease.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { type LoggedOrder, orphanedRequests } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

export type OrphanedRequest = typeof orphanedRequests.$inferSelect;

/** What operations are about: intents, and requests that belong to none. */
export type OperationTargets = {
  orders: ReadonlyMap<string, OrderRow>;
  strays: ReadonlyMap<string, OrphanedRequest>;
};

/** What a transaction carries, and what that is about. */
export type Cargo = { operations: readonly ChainOperation[]; subjects: OperationTargets };

export async function loadOperationTargets(
  db: Queryable,
  operations: readonly ChainOperation[],
): Promise<OperationTargets> {
  const ids = operations.map((operation) => operation.orderId);
  const rows = await db.select().from(orders).where(isOneOf(orders.id, ids));
  const mayBeStray = operations.some(({ kind }) => kind === 'refund');
  const strays = mayBeStray
    ? await db.select().from(orphanedRequests).where(isOneOf(orphanedRequests.id, ids))
    : [];
  return {
    orders: new Map(rows.map((row) => [row.id, row])),
    strays: new Map(strays.map((row) => [row.id, row])),
  };
}

/** The intent an operation is about. @throws when there is none */
export function orderOf(subjects: OperationTargets, operation: ChainOperation): OrderRow {
  const order = subjects.orders.get(operation.orderId);
  if (!order) throw new Error(`operation ${operation.id} belongs to no intent`);
  return order;
}

/** The order in the vault that an operation is about, of an intent or of nobody's. */
export function vaultOrderFor(subjects: OperationTargets, operation: ChainOperation): VaultOrder {
  const stray = subjects.strays.get(operation.orderId);
  if (stray) return readLoggedOrder(stray.order);
  return vaultOrderOf(asTradeOrder(orderOf(subjects, operation)));
}

/** The vault's id of it; undefined for operations that are about no order. */
export function chainOrderIdFor(
  subjects: OperationTargets,
  operation: ChainOperation,
): Hex | undefined {
  const { orders: byId, strays } = subjects;
  const id =
    strays.get(operation.orderId)?.chainOrderId ?? byId.get(operation.orderId)?.chainOrderId;
  return (id ?? undefined) as Hex | undefined;
}

/** The order as JSON, whatever its numbers. */
export function writeLoggedOrder(order: VaultOrder): LoggedOrder {
  return {
    ...order,
    quantity: order.quantity.toString(),
    quoteLimit: order.quoteLimit.toString(),
    expiry: order.expiry.toString(),
    salt: order.salt.toString(),
  };
}

function readLoggedOrder(order: LoggedOrder): VaultOrder {
  return {
    ...order,
    account: order.account as Address,
    receiver: order.receiver as Address,
    marketKey: order.marketKey as Hex,
    clientRef: order.clientRef as Hex,
    quantity: BigInt(order.quantity),
    quoteLimit: BigInt(order.quoteLimit),
    expiry: BigInt(order.expiry),
    salt: BigInt(order.salt),
  };
}
