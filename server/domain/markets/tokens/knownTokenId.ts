import type { Hex } from 'viem';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import { outcomeTokenIdsHex } from './outcomeTokenIds.ts';

/** Each entry saves three hashes: an account trades the same few markets. */
const idsOf = new Map<string, ReturnType<typeof outcomeTokenIdsHex>>();
const MOST_IDS = 10_000;

/** The id of an outcome's token (0x and 64 hex digits), memoised per market. */
export function knownTokenId({ ticker, side }: { ticker: string; side: OutcomeSide }): Hex {
  let ids = idsOf.get(ticker);
  if (!ids) {
    ids = outcomeTokenIdsHex(ticker);
    if (idsOf.size >= MOST_IDS) idsOf.clear();
    idsOf.set(ticker, ids);
  }
  return ids[side];
}
