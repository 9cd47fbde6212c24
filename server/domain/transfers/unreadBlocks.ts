import { type Address, erc20Abi, isAddressEqual } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import type { BlockRange, UnreadBlock } from '#server/chain/logReader.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { type LedgerLine, move } from '../ledger/ledger.ts';
import type { NewUsdcTransfer } from './readBlocks.ts';
import { insertChainPostings, listTransfersAt, listUnreadPostings } from './store.ts';

/**
 * What an account's balance did in a block whose logs the node tells in no way: too many of them for
 * one answer. The account is booked by its balance there, so that it holds nobody else up and the
 * books still know every micro-unit; only the single transfers stay untold.
 */
type Change = UnreadBlock & { usdcMicros: bigint };

type Deps = { chain: Chain; log: Log };

/** @throws when the logs of the vault are untold: its orders cannot be known by a balance */
export async function readChanges(
  deps: Deps,
  unread: readonly UnreadBlock[],
  followedSince: ReadonlyMap<string, bigint>,
): Promise<Change[]> {
  const { swapVault, outcomeToken } = deps.chain.contracts;
  const changes = new Map<string, Change>();
  for (const one of unread) {
    const { address, blockNumber } = one;
    if ([swapVault, outcomeToken].some((contract) => isAddressEqual(contract, address))) {
      throw new Error(`the node returned no logs of ${address} in block ${blockNumber}`);
    }
    const isFollowed = (followedSince.get(address) ?? blockNumber) < blockNumber;
    if (!isFollowed || changes.has(referenceOf(one))) continue;
    deps.log.warn({ address, blockNumber }, 'too many transfers to read; booked by the balance');
    const usdcMicros = await balanceChange(deps.chain, address, blockNumber);
    changes.set(referenceOf(one), { ...one, usdcMicros });
  }
  return [...changes.values()];
}

async function balanceChange(chain: Chain, account: Address, blockNumber: bigint): Promise<bigint> {
  const balanceAt = (at: bigint) =>
    chain.client.readContract({
      address: chain.contracts.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
      blockNumber: at,
    });
  const [after, before] = await Promise.all([balanceAt(blockNumber), balanceAt(blockNumber - 1n)]);
  return after - before;
}

const referenceOf = ({ address, blockNumber }: UnreadBlock) => `${address} ${blockNumber}`;

function sumOf(
  transfers: readonly NewUsdcTransfer[],
  isCounted: (transfer: NewUsdcTransfer) => boolean,
): bigint {
  return transfers.reduce((sum, one) => (isCounted(one) ? sum + one.usdcMicros : sum), 0n);
}

/**
 * Books what the balances did beyond the transfers that are known. What was booked so before, and
 * is read now after all, is taken out again.
 */
export async function bookUnread(
  tx: Queryable,
  range: BlockRange,
  changes: readonly Change[],
): Promise<void> {
  const former = await listUnreadPostings(tx, range);
  const postings = new Map(
    former.map((one) => [one.reference, { ...one, lines: [] as LedgerLine[] }]),
  );
  for (const change of changes) {
    const { address, blockNumber, usdcMicros } = change;
    const known = await listTransfersAt(tx, address, blockNumber);
    const told = sumOf(known, (one) => one.toAddress === address);
    const sent = sumOf(known, (one) => one.fromAddress === address);
    const reference = referenceOf(change);
    const lines = move('usdc', 'outside', `user:${address}`, usdcMicros - told + sent);
    postings.set(reference, { reference, blockNumber, lines });
  }
  await insertChainPostings(
    tx,
    [...postings.values()].map((posting) => ({ name: 'unread', ...posting })),
  );
}
