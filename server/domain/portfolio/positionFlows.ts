import type { Address, Hex } from 'viem';
import { OUTCOME_INDEX, outcomeTokenIdOfKey, tokenIdHex } from '#lib/outcomeToken.ts';
import type { Chain } from '../../chain/client.ts';
import { listPlainTransfers } from '../../chain/holdings.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { knownTokenId } from '../markets/tokens/knownTokenId.ts';
import { listCompletedTradesOf } from '../orders/read/completedTrades.ts';
import { listMergesOf, listRedemptionsOf } from '../settlement/settlementStore.ts';
import {
  type PositionCost,
  type PositionFlow,
  positionAfter,
  yesShareOfMerge,
} from './positionCost.ts';

export type PlacedFlow = { flow: PositionFlow; blockNumber: bigint; logIndex: number };

/** Flows of a holder's tokens in the chain's order, by token id (64 hex digits). */
export type FlowsByToken = Map<string, PlacedFlow[]>;

/** The flows of these holders' tokens; the result has an entry for every holder. */
export async function readPositionFlows(
  deps: { db: Queryable; chain: Chain },
  holders: readonly Address[],
): Promise<Map<Address, FlowsByToken>> {
  const [trades, redeemed, transfers, merges] = await Promise.all([
    listCompletedTradesOf(deps.db, holders),
    listRedemptionsOf(deps.db, holders),
    listPlainTransfers(deps, holders),
    listMergesOf(deps.db, holders),
  ]);
  const flows = new Map<Address, FlowsByToken>(holders.map((holder) => [holder, new Map()]));
  const add = (
    holder: string,
    tokenId: string,
    { blockNumber, logIndex }: { blockNumber: bigint; logIndex: number },
    flow: PositionFlow,
  ) => {
    const ofHolder = flows.get(holder as Address);
    const placed = { flow, blockNumber, logIndex };
    const known = ofHolder?.get(tokenId);
    if (known) known.push(placed);
    else ofHolder?.set(tokenId, [placed]);
  };
  for (const [holder, ofHolder] of trades) {
    for (const trade of ofHolder) {
      const { tradeAction: kind, contractMicros, quoteUsdcMicros } = trade;
      add(holder, knownTokenId(trade), trade, { kind, contractMicros, quoteUsdcMicros });
    }
  }
  for (const one of redeemed) {
    const tokenId = tokenIdHex(outcomeTokenIdOfKey(one.marketKey as Hex, one.outcome));
    const { contractMicros, payoutUsdcMicros: quoteUsdcMicros } = one;
    add(one.holder, tokenId, one, { kind: 'sell', contractMicros, quoteUsdcMicros });
  }
  for (const one of transfers) {
    const { direction: kind, contractMicros } = one;
    add(one.holder, one.tokenId, one, { kind, contractMicros });
  }
  for (const ofHolder of flows.values()) {
    for (const placed of ofHolder.values()) placed.sort(byPlace);
  }
  for (const merge of merges) {
    const ofHolder = flows.get(merge.holder as Address);
    if (ofHolder) addMerge(ofHolder, merge);
  }
  return flows;
}

/** Closes both sides; earlier merges are among the flows already. */
function addMerge(
  ofHolder: FlowsByToken,
  merge: { marketKey: string; contractMicros: bigint; blockNumber: bigint; logIndex: number },
): void {
  const { marketKey, contractMicros, blockNumber, logIndex } = merge;
  const side = (outcome: number) => {
    const tokenId = tokenIdHex(outcomeTokenIdOfKey(marketKey as Hex, outcome));
    const placed = ofHolder.get(tokenId) ?? [];
    ofHolder.set(tokenId, placed);
    const before = placed.filter((one) => byPlace(one, merge) < 0);
    return { placed, cost: positionAfter(before.map((one) => one.flow)), at: before.length };
  };
  const [yes, no] = [side(OUTCOME_INDEX.yes), side(OUTCOME_INDEX.no)];
  const ofYes = yesShareOfMerge(contractMicros, { yes: yes.cost, no: no.cost });
  const flow = (quoteUsdcMicros: bigint): PlacedFlow => ({
    flow: { kind: 'sell', contractMicros, quoteUsdcMicros },
    blockNumber,
    logIndex,
  });
  yes.placed.splice(yes.at, 0, flow(ofYes));
  no.placed.splice(no.at, 0, flow(contractMicros - ofYes));
}

export async function readPositionCosts(
  deps: { db: Queryable; chain: Chain },
  holders: readonly Address[],
): Promise<Map<Address, Map<string, PositionCost>>> {
  const costOf = (placed: PlacedFlow[]) => positionAfter(placed.map((one) => one.flow));
  const flows = await readPositionFlows(deps, holders);
  return new Map(
    [...flows].map(([holder, byToken]) => [
      holder,
      new Map([...byToken].map(([tokenId, placed]) => [tokenId, costOf(placed)])),
    ]),
  );
}

type Place = Pick<PlacedFlow, 'blockNumber' | 'logIndex'>;

function byPlace(a: Place, b: Place): number {
  return Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex;
}
