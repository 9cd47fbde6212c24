import { type Address, erc20Abi, isAddressEqual } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import type { BlockRange, UnreadBlock } from '#server/chain/logReader.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { type LedgerLine, move } from '../ledger/ledger.ts';
import type { NewUsdcTransfer } from './readBlocks.ts';
import { insertChainPostings, listTransfersAt, listUnreadPostings } from './store.ts';

/**
 * The change of an account's balance in a block whose logs the node cannot return, because they
 * exceed one response. The account is recorded by its balance, so that it delays no other and the
 * ledger stays complete; only the individual transfers are missing.
 */
type Change = UnreadBlock & { usdcMicros: bigint };

type Deps = { chain: Chain; log: Log };

/** @throws when logs of our contracts are missing: a balance cannot identify their orders */
export async function readChanges(
  deps: Deps,
  unread: readonly UnreadBlock[],
  followedSince: ReadonlyMap<string, bigint>,
): Promise<Change[]> {
  const { swapVault, settlement, outcomeToken } = deps.chain.contracts;
  const changes = new Map<string, Change>();
  for (const one of unread) {
    const { address, blockNumber } = one;
    const ours = [swapVault, settlement, outcomeToken];
    if (ours.some((contract) => isAddressEqual(contract, address))) {
      throw new Error(`the node returned no logs of ${address} in block ${blockNumber}`);
    }
    const isFollowed = (followedSince.get(address) ?? blockNumber) < blockNumber;
    if (!isFollowed || changes.has(referenceOf(one))) continue;
    deps.log.warn({ address, blockNumber }, 'too many transfers to read; recorded by balance');
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
 * Posts the balance change beyond the known transfers. Reverses an earlier such posting when its
 * logs have been read since.
 */
export async function recordUnread(
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
    const received = sumOf(known, (one) => one.toAddress === address);
    const sent = sumOf(known, (one) => one.fromAddress === address);
    const reference = referenceOf(change);
    const lines = move('usdc', 'outside', `user:${address}`, usdcMicros - received + sent);
    postings.set(reference, { reference, blockNumber, lines });
  }
  await insertChainPostings(
    tx,
    [...postings.values()].map((posting) => ({ name: 'unread', ...posting })),
  );
}
