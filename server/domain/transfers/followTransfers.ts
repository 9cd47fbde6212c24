import { randomUUID } from 'node:crypto';
import { type Address, erc20Abi, type Hex } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { minMicros } from '#lib/money.ts';
import { readKnownBlock, retryIfBehind } from '#server/chain/behind.ts';
import type { Chain } from '#server/chain/client.ts';
import { findAncestor, recentBlocksAfter } from '#server/chain/contractReader.ts';
import {
  advanceCursor,
  type Cursor,
  cursorLease,
  type HeldCursor,
  holdCursor,
  isStillOnChain,
  type LeasedReader,
  positionOf,
  type ReadOutcome,
  readCursor,
} from '#server/chain/cursor.ts';
import { createLogReader, type LogReader, TooManyLogQueries } from '#server/chain/logReader.ts';
import { createRereading, type Rereading } from '#server/chain/rereading.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { listGrantedAccounts } from '../accounts/grants.ts';
import { revertOrders } from '../orders/lifecycle/revertOrders.ts';
import { listRequesters, listTradingAccounts } from '../orders/read/ownEvents.ts';
import { readLogs, requestLogs } from './readBlocks.ts';
import { createRecordedLogs, type RecordedLogs } from './recordedLogs.ts';
import { recordTransferBlocks } from './recordTransfers.ts';
import {
  deleteAfter,
  deleteTransfersAfter,
  listFollowed,
  storeOpenings,
  TRANSFERS_CURSOR,
  withoutFollowed,
} from './store.ts';
import { readChanges, recordUnread } from './unreadBlocks.ts';

export type TransferDeps = { database: Database; chain: Chain; log: Log };

/** Of the reader of the contracts' logs, which this reader never overtakes. */
const CONTRACTS_CURSOR = 'contracts';

/** Blocks per request, within the limits of public nodes; halved when a node refuses. */
const MAX_RANGE = 1_000n;
/** Only accounts seen this recently are checked for being new. */
const RECENT_SECONDS = 3_600;
const RECENT_BLOCKS = 2_000n;
/** Accounts whose balances are read and stored together: orders wait for this after a restore. */
const OPENED_AT_ONCE = 100;

/**
 * Records transfers that no order causes, so that the ledger accounts for every micro-unit. Sends
 * no request while the chain has no new block.
 */
export function createTransferReader(deps: TransferDeps): LeasedReader {
  const token = randomUUID();
  const rereading = createRereading();
  const recorded = createRecordedLogs();
  const logReader = createLogReader(deps.chain, { mostBlocks: MAX_RANGE });
  let knowsAllAccounts = false;
  const read = async (): Promise<ReadOutcome> => {
    const target = await readCursor(deps.database.orm, CONTRACTS_CURSOR);
    if (!target || target.blockHash === '') return 'done';
    const cursor = await holdCursor(deps.database, TRANSFERS_CURSOR, token);
    if (!cursor) return 'elsewhere';
    recorded.resumeAt(cursor.blockHash);
    const isAgain = cursor.rereadFrom !== null || rereading.isDue();
    if (isAgain || cursor.blockHash !== target.blockHash) {
      const reading = { ...deps, rereading, recorded, logReader };
      const outcome = await readShorter(reading, token, cursor, target);
      // Accounts found in removed blocks must be opened again.
      if (outcome === 'rewound') knowsAllAccounts = false;
      // An unread range must not be skipped, not even to open an account.
      if (outcome === 'unreadable') return 'done';
      if (outcome !== 'at_end') return 'more';
    }
    // The reader's current position: nodes keep the state of their newest blocks only.
    const current = cursorAt(cursor, target.blockNumber, target.blockHash as Hex);
    await openAccounts(deps, token, current, { all: !knowsAllAccounts });
    knowsAllAccounts = true;
    return 'done';
  };
  return { read, ...cursorLease(deps.database, TRANSFERS_CURSOR, token) };
}

type ReaderDeps = TransferDeps & {
  rereading: Rereading;
  recorded: RecordedLogs;
  logReader: LogReader;
};

/** Retries when the node's refusal has shortened the range. */
async function readShorter(...reading: Parameters<typeof readFrom>) {
  for (;;) {
    try {
      return await readFrom(...reading);
    } catch (error) {
      if (!(error instanceof TooManyLogQueries)) throw error;
    }
  }
}

async function readFrom(
  deps: ReaderDeps,
  token: string,
  cursor: HeldCursor,
  target: Cursor,
): Promise<'at_end' | 'more' | 'rewound' | 'unreadable'> {
  const { rereadFrom } = cursor;
  if (rereadFrom !== null && rereadFrom < cursor.blockNumber) {
    await rewind(deps, token, cursor, { to: rereadFrom, remove: deleteTransfersAfter });
    return 'rewound';
  }
  const position = positionOf(cursor);
  const ancestor = await findAncestor(deps.chain, position, target.blockNumber);
  if (ancestor === undefined) return 'unreadable';
  if (ancestor < cursor.blockNumber) {
    await rewind(deps, token, cursor, { to: ancestor, remove: deleteAfter });
    return 'rewound';
  }
  const blocks = deps.logReader.blocks();
  const fromBlock = deps.rereading.firstBlock(cursor.blockNumber, blocks / 2n);
  const toBlock = minMicros(target.blockNumber, fromBlock + blocks - 1n);
  const followedSince = await listFollowed(deps.database.orm);
  const followed = [...followedSince.keys()] as Address[];
  // The block first: after a fork in between, it is the old branch's, and the next read finds that.
  const end = await readKnownBlock(deps.chain.client, toBlock);
  const [{ received, unread }, treasury] = await Promise.all([
    requestLogs(deps.chain, deps.logReader, followed, { fromBlock, toBlock }),
    readTreasury(deps.chain),
  ]);
  // A fork since the search for it would leave what was stored from the old branch.
  if (!(await isStillOnChain(deps.chain, cursor))) return 'unreadable';
  const logs = readLogs(deps.chain, followed, deps.recorded.unknown(received));
  const changes = await readChanges(deps, unread, followedSince);
  await deps.database.orm.transaction(async (tx) => {
    await advanceCursor(tx, TRANSFERS_CURSOR, token, cursorAt(cursor, toBlock, end.hash));
    await recordTransferBlocks(deps, tx, logs, { treasury, followedSince });
    await recordUnread(tx, { fromBlock, toBlock }, changes);
  });
  deps.recorded.note(received, end.hash);
  deps.rereading.recordReading({ newAfter: cursor.blockNumber, to: toBlock });
  if (toBlock < target.blockNumber) return 'more';
  deps.rereading.recordEnd();
  return 'at_end';
}

/**
 * Accounts with a grant or an order are followed from the reader's current block: earlier movements
 * are part of their opening balance.
 */
async function openAccounts(
  deps: TransferDeps,
  token: string,
  cursor: HeldCursor,
  which: { all: boolean },
): Promise<void> {
  const db = deps.database.orm;
  const accounts = new Set([
    ...(await listTradingAccounts(db, { openOnly: !which.all })),
    ...(await listRequesters(db, cursor.blockNumber - RECENT_BLOCKS)),
    ...(await listGrantedAccounts(db, which.all ? {} : { withinSeconds: RECENT_SECONDS })),
  ]);
  const fresh = await withoutFollowed(db, [...accounts]);
  for (let start = 0; start < fresh.length; start += OPENED_AT_ONCE) {
    const some = fresh.slice(start, start + OPENED_AT_ONCE);
    const openings = await Promise.all(
      some.map((account) => readOpening(deps.chain, account, cursor.blockNumber)),
    );
    if (!(await isStillOnChain(deps.chain, cursor))) return;
    await db.transaction(async (tx) => {
      await advanceCursor(tx, TRANSFERS_CURSOR, token, cursor);
      await storeOpenings(tx, cursor.blockNumber, openings);
    });
  }
}

async function readOpening(chain: Chain, account: Address, blockNumber: bigint) {
  const usdcMicros = await retryIfBehind(() =>
    chain.client.readContract({
      address: chain.contracts.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
      blockNumber,
    }),
  );
  return { account, usdcMicros };
}

async function readTreasury(chain: Chain): Promise<Address> {
  return await chain.client.readContract({
    address: chain.contracts.swapVault,
    abi: swapVaultAbi,
    functionName: 'treasury',
  });
}

/** Removes the postings of blocks after `to`, which are then read again. */
async function rewind(
  deps: TransferDeps,
  token: string,
  cursor: HeldCursor,
  { to, remove }: { to: bigint; remove: typeof deleteAfter },
): Promise<void> {
  const { hash } = await readKnownBlock(deps.chain.client, to);
  const message = 'the chain was reorganised; recording transfers again';
  deps.log.warn({ from: cursor.blockNumber, to }, message);
  await deps.database.orm.transaction(async (tx) => {
    await advanceCursor(tx, TRANSFERS_CURSOR, token, cursorAt(cursor, to, hash));
    const orderIds = await remove(tx, to);
    await revertOrders(tx, { ids: orderIds, chainOrderIds: [], redeemers: [] });
  });
}

/** Moves the cursor to a block and keeps the earlier blocks that are still on the chain. */
function cursorAt(cursor: HeldCursor, toBlock: bigint, toHash: Hex): HeldCursor {
  const deleteAfter = toBlock < cursor.blockNumber ? { deleteAfter: toBlock } : {};
  const recentBlocks = recentBlocksAfter(positionOf(cursor), { toBlock, toHash, ...deleteAfter });
  const position = { blockNumber: toBlock, blockHash: toHash, recentBlocks };
  return { ...position, rereadFrom: null, isRereading: false };
}
