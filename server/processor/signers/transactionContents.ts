import type { Address, Hex } from 'viem';
import { withdrawalRefOf } from '#lib/withdraw/withdrawalToSign.ts';
import { type Chain, isDeployed } from '#server/chain/client.ts';
import type { OperationCall } from '#server/chain/operations/encode.ts';
import { isRelayOver, relayCallOf, simulateRelay } from '#server/chain/operations/relayCall.ts';
import type { ChainOperation } from '#server/chain/operations/store.ts';
import { readOrderMessage, type VaultOrder } from '#server/chain/vaultOrder.ts';
import { getRecordedGrant } from '#server/domain/accounts/grants.ts';
import {
  type DeliveryArgs,
  readDeliveryArgs,
} from '#server/domain/orders/create/deliveryTotals.ts';
import { redemptionCallOf } from '#server/domain/orders/create/redemption.ts';
import { readBackings } from '#server/domain/orders/lifecycle/backing.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder, vaultOrderOf } from '#server/domain/orders/lifecycle/orderRow.ts';
import { isProposed, settlementCallOf } from '#server/domain/settlement/settlementCall.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { orphanedRequests } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

export type OrphanedRequest = typeof orphanedRequests.$inferSelect;

/** The targets of operations: orders, and orphaned requests. */
export type OperationTargets = {
  orders: ReadonlyMap<string, OrderRow>;
  orphans: ReadonlyMap<string, OrphanedRequest>;
};

export type TransactionContents = {
  operations: readonly ChainOperation[];
  targets: OperationTargets;
};

export async function loadOperationTargets(
  db: Queryable,
  operations: readonly ChainOperation[],
): Promise<OperationTargets> {
  const ids = operations.map((operation) => operation.orderId);
  const rows = await db.select().from(orders).where(isOneOf(orders.id, ids));
  const mayBeOrphaned = operations.some(({ kind }) => kind === 'refund');
  const orphans = mayBeOrphaned
    ? await db.select().from(orphanedRequests).where(isOneOf(orphanedRequests.id, ids))
    : [];
  return {
    orders: new Map(rows.map((row) => [row.id, row])),
    orphans: new Map(orphans.map((row) => [row.id, row])),
  };
}

/** The order of an operation. @throws when there is none */
export function orderOf(targets: OperationTargets, operation: ChainOperation): OrderRow {
  const order = targets.orders.get(operation.orderId);
  if (!order) throw new Error(`operation ${operation.id} belongs to no intent`);
  return order;
}

/** The vault order of an operation, of our order or of an orphaned request. */
function vaultOrderFor(targets: OperationTargets, operation: ChainOperation): VaultOrder {
  const orphan = targets.orphans.get(operation.orderId);
  if (orphan) return readOrderMessage(orphan.order);
  return vaultOrderOf(asTradeOrder(orderOf(targets, operation)));
}

/** The vault's id of the order; undefined for operations without one. */
export function chainOrderIdFor(
  targets: OperationTargets,
  operation: ChainOperation,
): Hex | undefined {
  const { orderId } = operation;
  const target = targets.orphans.get(orderId) ?? targets.orders.get(orderId);
  return (target?.chainOrderId ?? undefined) as Hex | undefined;
}

/** The totals that a fill states: of an order that is delivered once, those of its row. */
export function deliveryArgsOf(
  order: OrderRow,
  operation: ChainOperation,
): Pick<DeliveryArgs, 'filledTotalMicros' | 'quoteTotalMicros' | 'isLast'> {
  return (
    readDeliveryArgs(operation.args) ?? {
      filledTotalMicros: order.filledContractMicros ?? 0n,
      quoteTotalMicros: order.quoteUsdcMicros ?? 0n,
      isLast: true,
    }
  );
}

/** Operations of these kinds share a transaction; the others are sent individually. */
const BATCH_SIZE: Partial<Record<ChainOperation['kind'], number>> = {
  request: 20,
  // One backing per outcome, for any number of deliveries.
  attest: 200,
  fill: 20,
  refund: 20,
  redeem: 20,
};

export function batchSizeOf(kind: ChainOperation['kind']): number {
  return BATCH_SIZE[kind] ?? 1;
}

/** A single operation that would have no effect now, and why. */
type Obsolete = { kind: 'obsolete'; failure: string };

/**
 * Encodes locked operations of one kind as a call. Returns undefined when the single operation is
 * no longer needed (a grant replaced by a newer one, a proposal vetoed meanwhile).
 */
export async function buildCall(
  deps: { database: Database; chain: Chain },
  tx: Queryable,
  operations: readonly ChainOperation[],
  targets: OperationTargets,
): Promise<OperationCall | Obsolete | undefined> {
  const [first] = operations;
  if (!first) return undefined;
  const trades = () => operations.map((operation) => asTradeOrder(orderOf(targets, operation)));
  switch (first.kind) {
    case 'request':
      return {
        kind: 'request',
        orders: trades().map(vaultOrderOf),
        signatures: trades().map(({ orderSignature }) => (orderSignature ?? '0x') as Hex),
      };
    case 'refund':
      return {
        kind: 'refund',
        orders: operations.map((operation) => vaultOrderFor(targets, operation)),
      };
    case 'fill':
      return {
        kind: 'fill',
        fills: operations.map((operation) => {
          const order = asTradeOrder(orderOf(targets, operation));
          const args = deliveryArgsOf(order, operation);
          return {
            order: vaultOrderOf(order),
            filledTotal: args.filledTotalMicros,
            quoteTotal: args.quoteTotalMicros,
            isLast: args.isLast,
          };
        }),
      };
    case 'attest':
      return { kind: 'attest', backings: await readBackings(tx, trades()) };
    case 'grant':
      return await buildGrant(deps, orderOf(targets, first));
    case 'withdraw':
      return await buildWithdrawal(deps.chain, orderOf(targets, first));
    case 'redeem':
      return { kind: 'redeem', redemptions: operations.map(redemptionCallOf) };
    case 'relay':
      return await buildRelay(deps.chain, first);
    case 'register':
    case 'propose':
      return settlementCallOf(first);
    case 'finalize':
      return (await isProposed(deps.chain, first)) ? settlementCallOf(first) : undefined;
  }
}

/** Simulated once more: what reverts costs the service and moves nothing. */
async function buildRelay(
  chain: Chain,
  operation: ChainOperation,
): Promise<OperationCall | Obsolete> {
  const relay = relayCallOf(operation);
  // Also where the node cannot simulate: a message must not hold up the others for ever.
  if (isRelayOver(relay)) return { kind: 'obsolete', failure: 'expired' };
  const simulated = await simulateRelay(chain, relay);
  if ('failure' in simulated) return { kind: 'obsolete', failure: simulated.failure };
  return { kind: 'relay', relay };
}

async function buildGrant(
  deps: { database: Database; chain: Chain },
  order: OrderRow,
): Promise<OperationCall | undefined> {
  const recorded = await getRecordedGrant(deps, order.accountId);
  if (!recorded) return undefined;
  return {
    kind: 'grant',
    owner: order.ownerAddress as Address,
    account: order.accountId as Address,
    deployed: await isDeployed(deps.chain, order.accountId as Address),
    grant: recorded.grant,
    signature: recorded.signature,
  };
}

/**
 * A withdrawal that the owner signed needs no grant, so nothing else deploys the account: until it
 * is deployed, the transaction creates it, and the next attempt pays.
 */
async function buildWithdrawal(chain: Chain, order: OrderRow): Promise<OperationCall> {
  const account = order.accountId as Address;
  const signed = signedPartOf(order);
  if (signed && !(await isDeployed(chain, account))) {
    return { kind: 'deploy', owner: order.ownerAddress as Address };
  }
  const isErc1155 = order.withdrawTokenId !== null;
  return {
    kind: 'withdraw',
    account,
    token: isErc1155 ? chain.contracts.outcomeToken : chain.contracts.usdc,
    tokenId: BigInt(order.withdrawTokenId ?? 0),
    amountMicros: order.withdrawMicros ?? 0n,
    to: order.destinationAddress as Address,
    ref: withdrawalRefOf(order.id),
    signed,
  };
}

function signedPartOf({ withdrawSignature, expiresAt }: OrderRow) {
  if (withdrawSignature === null || expiresAt === null) return undefined;
  const deadline = BigInt(expiresAt.getTime() / 1_000);
  return { signature: withdrawSignature as Hex, deadline };
}
