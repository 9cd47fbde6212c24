import { isHex } from 'viem';
import type { ChainOperation } from '#server/chain/operations/store.ts';
import { revertGrants } from '#server/domain/accounts/grants.ts';
import { findOutcomesByTokenIds } from '#server/domain/markets/catalogue/outcomes.ts';
import {
  reopenOrphanedRequests,
  revertOrders,
} from '#server/domain/orders/lifecycle/revertOrders.ts';
import { revertSettlements } from '#server/domain/settlement/revertSettlements.ts';
import type { DeletedSettlementLogs } from '#server/domain/settlement/settlementLogs.ts';
import type { Queryable } from '#server/platform/database/client.ts';

/** The subjects of deleted logs. */
export type TouchedByChain = DeletedSettlementLogs & {
  chainOrderIds: string[];
  tokenIds: string[];
  /** Of transactions that have disappeared. */
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
 * Reverts states together with the chain logs behind them: every state of an order, settlement,
 * redemption, withdrawal, returned request or grant that the stored logs no longer support returns
 * to the stage where its step decides again. `server/domain/transfers/` applies the same rule to
 * transfers. Called in the transaction that deleted logs and stored their replacements, so that a
 * log that only moved to another block reverts nothing.
 * @param touched the subjects of the deleted logs; without it everything is checked
 * @returns the orders to process now, and the reverted settlements
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
