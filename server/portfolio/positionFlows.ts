import type { Address, Hex } from 'viem';
import { outcomeTokenId, outcomeTokenIdOfKey, tokenIdHex } from '#lib/outcomeToken.ts';
import type { Chain } from '../chain/client.ts';
import { listPlainTransfers } from '../chain/holdings.ts';
import type { Queryable } from '../db/client.ts';
import { listCompletedTrades } from '../orders/completedTrades.ts';
import { listRedemptionsOf } from '../settlement/redemptionStore.ts';
import { type PositionCost, type PositionFlow, positionAfter } from './positionCost.ts';

export type PlacedFlow = { flow: PositionFlow; blockNumber: bigint; logIndex: number };

/** What happened to each token of a holder, in the chain's order, by token id (64 hex digits). */
export async function readPositionFlows(
  deps: { db: Queryable; chain: Chain },
  holder: Address,
): Promise<Map<string, PlacedFlow[]>> {
  const [trades, redeemed, transfers] = await Promise.all([
    listCompletedTrades(deps.db, holder),
    listRedemptionsOf(deps.db, holder),
    listPlainTransfers(deps, holder),
  ]);
  const flows = new Map<string, PlacedFlow[]>();
  const add = (
    tokenId: string,
    at: { blockNumber: bigint; logIndex: number },
    flow: PositionFlow,
  ) =>
    flows.set(tokenId, [
      ...(flows.get(tokenId) ?? []),
      { flow, blockNumber: at.blockNumber, logIndex: at.logIndex },
    ]);
  for (const trade of trades) {
    const { tradeAction: kind, contractMicros, quoteUsdcMicros } = trade;
    const tokenId = tokenIdHex(outcomeTokenId(trade.ticker, trade.side));
    add(tokenId, trade, { kind, contractMicros, quoteUsdcMicros });
  }
  for (const one of redeemed) {
    const tokenId = tokenIdHex(outcomeTokenIdOfKey(one.marketKey as Hex, one.outcome));
    const { contractMicros, payoutUsdcMicros: quoteUsdcMicros } = one;
    add(tokenId, one, { kind: 'sell', contractMicros, quoteUsdcMicros });
  }
  for (const one of transfers) {
    add(one.tokenId, one, { kind: one.direction, contractMicros: one.contractMicros });
  }
  for (const list of flows.values()) list.sort(byPlace);
  return flows;
}

/** What each token of a holder cost, by token id (64 hex digits). */
export async function readPositionCosts(
  deps: { db: Queryable; chain: Chain },
  holder: Address,
): Promise<Map<string, PositionCost>> {
  const flows = await readPositionFlows(deps, holder);
  return new Map(
    [...flows].map(([tokenId, placed]) => [tokenId, positionAfter(placed.map((one) => one.flow))]),
  );
}

function byPlace(a: PlacedFlow, b: PlacedFlow): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? -1 : 1;
  return a.logIndex - b.logIndex;
}
