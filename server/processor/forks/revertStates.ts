import { isHex } from 'viem';
import type { ChainOperation } from '#server/chain/operations/store.ts';
import { revertGrants } from '#server/domain/accounts/grants.ts';
import { findOutcomesByTokenIds } from '#server/domain/markets/catalogue/outcomes.ts';
import { reopenOrphanedRequests } from '#server/domain/orders/lifecycle/orphanedRequests.ts';
import { revertOrders } from '#server/domain/orders/lifecycle/revertOrders.ts';
import { revertSettlements } from '#server/domain/settlement/revertSettlements.ts';
import type { DeletedSettlementLogs } from '#server/domain/settlement/settlementLogs.ts';
import type { Queryable } from '#server/platform/database/client.ts';

/** What logs that are gone from the chain were about. */
export type TouchedByChain = DeletedSettlementLogs & {
  chainOrderIds: string[];
  tokenIds: string[];
  /** Of transactions that have vanished. */
  operations: Pick<ChainOperation, 'orderId' | 'kind' | 'accountId'>[];
};

export function touchedBy(
  transfers: readonly { tokenId: string }[],
  events: readonly { chainOrderId: string }[],
  settled: DeletedSettlementLogs,
): TouchedByChain {
  return {
    ...settled,
    chainOrderIds: events.map((event) => event.chainOrderId),
    tokenIds: transfers.map((transfer) => transfer.tokenId),
    operations: [],
  };
}

export function mergeTouched(one: TouchedByChain, other: TouchedByChain): TouchedByChain {
  return {
    chainOrderIds: [...one.chainOrderIds, ...other.chainOrderIds],
    tokenIds: [...one.tokenIds, ...other.tokenIds],
    marketKeys: [...one.marketKeys, ...other.marketKeys],
    redeemers: [...one.redeemers, ...other.redeemers],
    operations: [...one.operations, ...other.operations],
  };
}

/**
 * What rests on a log of the chain goes back with it: every state of an order, a settlement, a
 * redemption, a withdrawal, a returned request or a permission for which the stored logs have no
 * reason any more is taken back to where its step decides anew. The transfers have the same rule in
 * `server/domain/transfers/`. Called after logs were forgotten and what replaces them was stored, in that
 * transaction, so that nothing is taken back that merely stands in another block.
 * @param touched what the forgotten logs were about; without it everything is checked
 * @returns the orders to work on now, and the settlements that were taken back
 */
export async function revertStates(
  tx: Queryable,
  touched?: TouchedByChain,
): Promise<{ orderIds: string[]; tickers: string[] }> {
  const tickers = await revertSettlements(
    tx,
    touched && { marketKeys: touched.marketKeys, tickers: await tickersOf(tx, touched.tokenIds) },
  );
  await reopenOrphanedRequests(tx, touched?.chainOrderIds);
  await revertGrants(
    tx,
    touched?.operations.flatMap(({ kind, accountId }) => (kind === 'grant' ? accountId : [])),
  );
  const orderIds = await revertOrders(
    tx,
    touched && {
      ids: touched.operations.map((operation) => operation.orderId),
      chainOrderIds: touched.chainOrderIds,
      redeemers: touched.redeemers,
    },
  );
  return { orderIds, tickers };
}

async function tickersOf(tx: Queryable, tokenIds: readonly string[]): Promise<string[]> {
  const ids = tokenIds.filter((id) => isHex(id));
  const outcomes = await findOutcomesByTokenIds({ database: { orm: tx } }, ids);
  return [...outcomes.values()].map((outcome) => outcome.ticker);
}
