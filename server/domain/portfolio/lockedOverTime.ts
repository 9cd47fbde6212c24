import type { Hex } from 'viem';
import { findBlockTimes, timeNoLater } from '../../chain/blockTimes.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { knownTokenId } from '../markets/tokens/knownTokenId.ts';
import type { PastLockedInput } from '../orders/lifecycle/lockedInputs.ts';
import { type Change, happened } from './valueOverTime.ts';

/** Changes of the USDC and the tokens that orders had locked. */
export type LockedChanges = {
  usdc: Change[];
  positions: { tokenId: Hex; changes: Change[] }[];
};

/**
 * What orders had locked in the vault. A change happens at the time of the block in which the input
 * left the account or the output arrived, so that every amount is counted exactly once.
 * @param cashThroughBlock the last block with known USDC of the account; later departures are still
 *   in it
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
