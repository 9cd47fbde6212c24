import type { Hex } from 'viem';
import { findBlockTimes, timeNoLater } from '../../chain/blockTimes.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { knownTokenId } from '../markets/tokens/knownTokenId.ts';
import type { PastLockedInput } from '../orders/lifecycle/lockedInputs.ts';
import { type Change, happened } from './valueOverTime.ts';

/** What orders had locked: USDC as it came and went, and tokens in the same way. */
export type LockedChanges = {
  usdc: Change[];
  positions: { tokenId: Hex; changes: Change[] }[];
};

/**
 * What orders had locked in the vault, at the times of the blocks at which it left the account and
 * something came of it: at no moment is it neither here nor there.
 * @param cashThroughBlock up to where the account's USDC is known; what left it later is still in it
 */
export async function lockedOverTime(
  db: Queryable,
  all: readonly PastLockedInput[],
  { cashThroughBlock, now }: { cashThroughBlock: bigint; now: Date },
): Promise<LockedChanges> {
  const inputs = all.filter(
    ({ tradeAction, fromBlock }) => tradeAction === 'sell' || fromBlock <= cashThroughBlock,
  );
  const blocks = inputs.flatMap(({ fromBlock, untilBlock }) =>
    untilBlock === null ? [fromBlock] : [fromBlock, untilBlock],
  );
  const timeOf = timeNoLater(await findBlockTimes(db, blocks));
  const changesOf = ({ micros, fromBlock, untilBlock }: PastLockedInput): Change[] => [
    { at: happened(timeOf(fromBlock), now), micros },
    ...(untilBlock === null ? [] : [{ at: happened(timeOf(untilBlock), now), micros: -micros }]),
  ];
  const usdc = inputs.filter((input) => input.tradeAction === 'buy').flatMap(changesOf);
  const sold = Map.groupBy(
    inputs.filter((input) => input.tradeAction === 'sell'),
    knownTokenId,
  );
  const positions = [...sold].map(([tokenId, of]) => ({ tokenId, changes: of.flatMap(changesOf) }));
  return { usdc, positions };
}
