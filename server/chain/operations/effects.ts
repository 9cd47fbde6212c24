import type { Address, Hex } from 'viem';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { accountOf, type Chain, isDeployed, vaultOf } from '../client.ts';

/** `statusOf` of an order in the vault. */
const ORDER_STATUS = { none: 0, open: 1, filled: 2, refunded: 3, neverOpens: 4 } as const;

/** How far back the transaction of an effect is searched. */
const SEARCH_BLOCKS = 5_000n;

/** Whether the vault has requested, filled or refunded this order, regardless of the sender. */
export async function isOrderDone(
  chain: Chain,
  chainOrderId: Hex,
  what: 'request' | 'refund',
): Promise<boolean> {
  const status = await vaultOf(chain).read.statusOf([chainOrderId]);
  if (what === 'request') {
    return status !== ORDER_STATUS.none && status !== ORDER_STATUS.neverOpens;
  }
  return status === ORDER_STATUS.refunded;
}

/**
 * Whether the vault has booked a fill: the one that ended the order, or a part up to its total.
 */
export async function isFillDone(
  chain: Chain,
  chainOrderId: Hex,
  part: { filledTotalMicros: bigint; isLast: boolean } | undefined,
): Promise<boolean> {
  const [status, , filled] = await vaultOf(chain).read.progressOf([chainOrderId]);
  if (part === undefined || part.isLast) return status === ORDER_STATUS.filled;
  return filled >= part.filledTotalMicros;
}

/** Whether the vault takes no orders and no deliveries now. */
export async function isVaultPaused(chain: Chain): Promise<boolean> {
  return await vaultOf(chain).read.paused();
}

/** Whether an account has paid this reference; an undeployed one has not. */
export async function isWithdrawn(chain: Chain, account: Address, ref: Hex): Promise<boolean> {
  if (!(await isDeployed(chain, account))) return false;
  return await accountOf(chain, account).read.refUsed([ref]);
}

/** The transaction of that payment; undefined if it is older than the searched blocks. */
export async function findWithdrawal(
  chain: Chain,
  account: Address,
  ref: Hex,
): Promise<Hex | undefined> {
  const logs = await chain.client.getContractEvents({
    address: account,
    abi: tradingAccountAbi,
    eventName: 'Withdrawn',
    args: { ref },
    fromBlock: await searchedFrom(chain),
  });
  return logs[0]?.transactionHash ?? undefined;
}

/** The first block of a search for a recent effect. */
export async function searchedFrom(chain: Chain): Promise<bigint> {
  const head = await chain.client.getBlockNumber({ cacheTime: 0 });
  return head > SEARCH_BLOCKS ? head - SEARCH_BLOCKS : 0n;
}
