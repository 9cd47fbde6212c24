import {
  type Address,
  erc20Abi,
  formatLog,
  getAbiItem,
  type Hex,
  type Log,
  padHex,
  type RpcLog,
  toEventSelector,
} from 'viem';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { OUTCOME_INDEX, outcomeTokenIdOfKey, tokenIdHex } from '#lib/outcomeToken.ts';
import type { Chain, Contracts } from '#server/chain/client.ts';
import { eventFilter } from '#server/chain/eventFilter.ts';
import {
  type BlockRange,
  groupsPerQuery,
  type LogQuery,
  type LogReader,
  type UnreadBlock,
} from '#server/chain/logReader.ts';
import { positionOf } from '#server/chain/vaultLogs.ts';
import type { usdcTransfers } from '#server/platform/database/schema/transfers.ts';
import {
  readSessionKeyEvents,
  SESSION_KEY_TOPICS,
  type SessionKeyEvent,
} from '../accounts/sessionKeyEvents.ts';
import { readMerges } from '../settlement/settlementLogs.ts';

export type NewUsdcTransfer = typeof usdcTransfers.$inferInsert;

const TRANSFER = toEventSelector(getAbiItem({ abi: erc20Abi, name: 'Transfer' }));
const WITHDRAWN = toEventSelector(getAbiItem({ abi: tradingAccountAbi, name: 'Withdrawn' }));
const ACCOUNT_TOPICS = [WITHDRAWN, ...SESSION_KEY_TOPICS];
const transferEvents = eventFilter(erc20Abi, ['Transfer']);
const withdrawnEvents = eventFilter(tradingAccountAbi, ['Withdrawn']);

/**
 * All transfers of followed accounts' USDC and of outcome tokens in a range of blocks, and what the
 * accounts log themselves.
 */
export type BlockLogs = {
  usdcTransfers: NewUsdcTransfer[];
  /** Their blocks and those of session keys, with timestamps if the node returns them. */
  blocks: Pick<Log, 'blockNumber' | 'blockTimestamp'>[];
  /** Of the vault, the settlement and the outcome token. */
  contractLogs: Log[];
  sessionKeyEvents: SessionKeyEvent[];
  withdrawals: { reference: Hex; account: Address; transactionHash: Hex; blockNumber: bigint }[];
};

/** The same as raw logs of the node. */
export type ReceivedLogs = {
  usdc: RpcLog[];
  contracts: RpcLog[];
  /** Withdrawals and changes of session keys, which the accounts log themselves. */
  accounts: RpcLog[];
};

/**
 * Requests the logs: three requests per 400 accounts, as many for each busy account, and one more.
 */
export async function requestLogs(
  chain: Chain,
  logReader: LogReader,
  accounts: readonly Address[],
  range: BlockRange,
): Promise<{ received: ReceivedLogs; unread: UnreadBlock[] }> {
  const { usdc, swapVault, settlement, outcomeToken } = chain.contracts;
  const followed = followedWith(chain, accounts);
  const busy = followed.filter((one) => logReader.isBusy(one));
  const quiet = followed.filter((one) => !logReader.isBusy(one));
  const groups = [...groupsPerQuery(quiet), ...busy.map((one) => [one])];
  const queries = [
    {
      of: [swapVault, settlement, outcomeToken],
      filterFor: (of: readonly Address[]) => ({ address: [...of] }),
    },
    ...groups.flatMap((of): LogQuery[] => [
      { of, filterFor: (some) => ({ address: usdc, topics: [TRANSFER, topicsOf(some)] }) },
      { of, filterFor: (some) => ({ address: usdc, topics: [TRANSFER, null, topicsOf(some)] }) },
      { of, filterFor: (some) => ({ address: [...some], topics: [ACCOUNT_TOPICS] }) },
    ]),
  ];
  const { logs, unread } = await logReader.ask(queries, range);
  const [contracts = [], ...others] = logs;
  const kind = (place: number) => others.filter((_, index) => index % 3 === place).flat();
  const received = { contracts, usdc: [...kind(0), ...kind(1)], accounts: kind(2) };
  return { received, unread };
}

const topicsOf = (addresses: readonly Address[]): Hex[] =>
  addresses.map((address) => padHex(address.toLowerCase() as Hex));

function followedWith(chain: Chain, accounts: readonly Address[]): Address[] {
  return [chain.contracts.swapVault, chain.contracts.settlement, ...accounts];
}

export function readLogs(
  chain: Chain,
  accounts: readonly Address[],
  received: ReceivedLogs,
): BlockLogs {
  const formatted = (logs: RpcLog[]) => withoutDuplicates(logs.map((log) => formatLog(log)));
  const usdc = formatted(received.usdc);
  const ofAccounts = formatted(received.accounts);
  const followed = followedWith(chain, accounts);
  return {
    blocks: [...usdc, ...ofAccounts].map(({ blockNumber, blockTimestamp }) => ({
      blockNumber,
      blockTimestamp,
    })),
    usdcTransfers: transferEvents.read(chain.contracts.usdc, usdc).map(({ args, ...log }) => ({
      ...positionOf(log),
      fromAddress: args.from,
      toAddress: args.to,
      usdcMicros: args.value,
    })),
    contractLogs: formatted(received.contracts),
    sessionKeyEvents: readSessionKeyEvents(accounts, ofAccounts),
    withdrawals: withdrawnEvents.read(followed, ofAccounts).map(({ args, ...log }) => ({
      reference: args.ref,
      account: log.address,
      transactionHash: log.transactionHash,
      blockNumber: log.blockNumber,
    })),
  };
}

/** Removes duplicate logs, including those under the block that a fork replaced. */
export function withoutDuplicates<Item extends Pick<Log, 'transactionHash' | 'logIndex'>>(
  logs: readonly Item[],
): Item[] {
  return [...new Map(logs.map((log) => [`${log.transactionHash}|${log.logIndex}`, log])).values()];
}

/** The contracts' logs about money outside the postings of orders, by transaction. */
export type LoggedEntry = { transactionHash: Hex } & (
  | { kind: 'redeemed'; usdcMicros: bigint }
  | { kind: 'merged'; tokenIds: Hex[]; contractMicros: bigint; byTreasury: boolean }
  | { kind: 'credited' | 'claimed'; tokenId: string | undefined; amountMicros: bigint }
);

const CREDITS = ['Credited', 'TokensCredited', 'Claimed', 'TokensClaimed'] as const;

const creditEvents = eventFilter(swapVaultAbi, CREDITS);
const redeemedEvents = eventFilter(settlementAbi, ['Redeemed']);

export function readContractEntries(
  { swapVault, settlement }: Pick<Contracts, 'swapVault' | 'settlement'>,
  logs: Log[],
): LoggedEntry[] {
  const redeemed = redeemedEvents.read(settlement, logs).flatMap((log): LoggedEntry[] => {
    if (log.transactionHash === null) return [];
    const { transactionHash, args } = log;
    return [{ transactionHash, kind: 'redeemed', usdcMicros: args.payout }];
  });
  const merged = readMerges(settlement, logs).map((one): LoggedEntry => {
    const { transactionHash, marketKey, contractMicros, byTreasury } = one;
    const tokenIds = Object.values(OUTCOME_INDEX).map((outcome) =>
      tokenIdHex(outcomeTokenIdOfKey(marketKey as Hex, outcome)),
    );
    const hash = transactionHash as Hex;
    return { transactionHash: hash, kind: 'merged', tokenIds, contractMicros, byTreasury };
  });
  // The settlement declares its credits as the vault does.
  const credits = creditEvents.read([swapVault, settlement], logs).flatMap((log): LoggedEntry[] => {
    if (log.transactionHash === null) return [];
    const { transactionHash } = log;
    const isCredit = log.eventName === 'Credited' || log.eventName === 'TokensCredited';
    const kind = isCredit ? 'credited' : 'claimed';
    const tokenId = 'tokenId' in log.args ? tokenIdHex(log.args.tokenId) : undefined;
    return [{ transactionHash, kind, amountMicros: log.args.amount, tokenId }];
  });
  return [...redeemed, ...merged, ...credits];
}
