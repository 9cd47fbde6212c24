import { type Address, formatLog, type Hex, type Log } from 'viem';
import { maxMicros, minMicros } from '#lib/money.ts';
import type { ReadBlock } from '../platform/database/schema/chain.ts';
import type { Chain } from './client.ts';
import { createLogReader, groupsPerQuery, type LogReader, TooManyLogQueries } from './logReader.ts';
import { PERMISSION_EVENTS } from './permissionLogs.ts';
import { createRereading, type Rereading } from './rereading.ts';

/** The reader's position: the last block, and earlier ones, newest first. */
export type ReadPosition = {
  blockNumber: bigint;
  recentBlocks: readonly ReadBlock[];
  /** Read everything after this block again, as if the chain had been reorganised. */
  rereadFrom?: bigint;
};

/** The contracts' new logs, up to a block. */
export type ContractNews = {
  fromBlock: bigint;
  toBlock: bigint;
  toHash: Hex;
  /** Partly read before: a node may have omitted some of them. */
  logs: Log[];
  /** After a reorganisation: delete what was read from later blocks than this. */
  deleteAfter?: bigint;
  /** Whether blocks after `toBlock` are left to read. */
  isMore: boolean;
};

/** Blocks per request, within the limits of public nodes; fewer when a node refuses. */
const MAX_RANGE = 1_000n;
/** How long a node may be behind the last read block before that counts as a reorganisation. */
const BEHIND_TIMEOUT_MS = 4_000;
/** How far back to start if no stored block is on the chain any more. */
const BLIND_REWIND = 64n;
/** All of the newest blocks are stored; older ones at growing intervals. */
const KEEP_ALL_WITHIN = 32n;
const KEEP_SHARE = 8n;

/** Reads the contracts' logs in order. Its memory only saves requests. */
export type ContractReader = {
  /**
   * The newest block, or undefined if it was read before.
   * @param options.isAgain returns it even then
   */
  findNewest(options?: { isAgain: boolean }): Promise<Newest | undefined>;
  /**
   * Returns the logs up to `newest`, or undefined when the node's responses are inconsistent or
   * contain nothing new; calling again later is always safe.
   * @throws when the node does not respond
   */
  read(position: ReadPosition, newest: Newest): Promise<ContractNews | undefined>;
};

export type Newest = { number: bigint; hash: Hex };

type Memory = {
  addresses: Address[];
  listAccounts: () => Promise<readonly Address[]>;
  logReader: LogReader;
  rereading: Rereading;
  seenHash: string;
  behindSince: number | undefined;
};

/**
 * Reads the logs of the contracts that we deployed.
 * @param options.listAccounts smart accounts whose changed permissions are read too
 */
export function createContractReader(
  chain: Chain,
  options: { listAccounts?: () => Promise<readonly Address[]>; now?: () => number } = {},
): ContractReader {
  const { listAccounts = async () => [], now = () => performance.now() } = options;
  const { swapVault, settlement, outcomeToken } = chain.contracts;
  const memory: Memory = {
    addresses: [swapVault, settlement, outcomeToken],
    listAccounts,
    logReader: createLogReader(chain, { mostBlocks: MAX_RANGE, now }),
    rereading: createRereading(now),
    seenHash: '',
    behindSince: undefined,
  };
  return {
    async findNewest({ isAgain } = { isAgain: false }) {
      const latest = await chain.client.getBlock({ blockTag: 'latest' });
      const isNewest = latest.hash === memory.seenHash;
      // Another node of the same address has the last block that was read.
      if (isNewest) memory.behindSince = undefined;
      const isSeen = isNewest && !memory.rereading.isDue();
      return isSeen && !isAgain ? undefined : { number: latest.number, hash: latest.hash };
    },
    async read(position, newest) {
      const head = newest.number - BigInt(chain.confirmations - 1);
      if (head < 0n) return undefined;
      const plan = () => planReading(chain, memory, position, head, now());
      const news = await readPlanned(chain, memory, plan, head);
      if (!news || !(await isContinued(chain, position, news))) return undefined;
      const newAfter = news.deleteAfter ?? position.blockNumber;
      memory.rereading.recordReading({ newAfter, to: news.toBlock });
      if (!news.isMore) {
        memory.seenHash = newest.hash;
        memory.rereading.recordEnd();
      }
      return isNews(position, news) ? news : undefined;
    },
  };
}

function isNews(position: ReadPosition, news: ContractNews): boolean {
  const isFarther = news.toBlock !== position.blockNumber || news.deleteAfter !== undefined;
  return isFarther || news.logs.length > 0;
}

/** The blocks to store after `news`, newest first. */
export function recentBlocksAfter(
  position: ReadPosition,
  news: Pick<ContractNews, 'toBlock' | 'toHash' | 'deleteAfter'>,
): ReadBlock[] {
  const limit = news.deleteAfter ?? news.toBlock;
  const before = position.recentBlocks.filter((block) => {
    const number = BigInt(block.number);
    return number <= limit && number < news.toBlock;
  });
  const newest = { number: news.toBlock.toString(), hash: news.toHash };
  return thinOut(newest, before);
}

/**
 * Keeps blocks at intervals that grow with their age, and the oldest: for a reorganisation of any
 * depth a common block is found, and little is read twice.
 */
function thinOut(newest: ReadBlock, before: readonly ReadBlock[]): ReadBlock[] {
  const kept = [newest];
  let lastSpan = '';
  for (const [index, block] of before.entries()) {
    const number = BigInt(block.number);
    const age = BigInt(newest.number) - number;
    // Spans are powers of two, so that what was kept of a short one is not lost to a longer one.
    const size = powerOfTwoUpTo(age / KEEP_SHARE);
    const span = `${size}:${number / size}`;
    const isOldest = index === before.length - 1;
    if (age > KEEP_ALL_WITHIN && !isOldest && span === lastSpan) continue;
    kept.push(block);
    lastSpan = span;
  }
  return kept;
}

function powerOfTwoUpTo(limit: bigint): bigint {
  return limit < 2n ? 1n : 1n << BigInt(limit.toString(2).length - 1);
}

type Plan = { from: bigint; to: bigint; deleteAfter?: bigint };

async function planReading(
  chain: Chain,
  memory: Memory,
  position: ReadPosition,
  head: bigint,
  at: number,
): Promise<Plan | undefined> {
  const ancestor = await findAncestor(chain, position, head);
  if (ancestor === undefined) return undefined;
  const { rereadFrom } = position;
  if (rereadFrom !== undefined && rereadFrom < head) {
    const deleteAfter = minMicros(rereadFrom, ancestor);
    const to = minMicros(head, deleteAfter + memory.logReader.blocks());
    return { from: deleteAfter + 1n, to, deleteAfter };
  }
  const lastKnown = newestUpTo(position, head);
  const isAtLastKnown = lastKnown === undefined || ancestor === BigInt(lastKnown.number);
  if (head < position.blockNumber && isAtLastKnown) {
    // The node may be behind, or the chain may have lost its last blocks; the time decides.
    memory.behindSince ??= at;
    if (at - memory.behindSince < BEHIND_TIMEOUT_MS) return undefined;
    memory.behindSince = undefined;
    return { from: ancestor + 1n, to: head, deleteAfter: ancestor };
  }
  memory.behindSince = undefined;
  if (ancestor < position.blockNumber) {
    const to = minMicros(head, ancestor + memory.logReader.blocks());
    return { from: ancestor + 1n, to, deleteAfter: ancestor };
  }
  const blocks = memory.logReader.blocks();
  const from = memory.rereading.firstBlock(position.blockNumber, blocks / 2n);
  return { from, to: minMicros(head, from + blocks - 1n) };
}

/**
 * The newest stored block that is still on the chain, among those the node can know; otherwise a
 * block well before them. Undefined when the node lacks a block that it should have.
 */
export async function findAncestor(
  chain: Chain,
  position: ReadPosition,
  head: bigint,
): Promise<bigint | undefined> {
  const known = position.recentBlocks.filter((block) => BigInt(block.number) <= head);
  for (const block of known) {
    const hash = await hashAt(chain, BigInt(block.number));
    if (hash === undefined) return undefined;
    if (hash === block.hash) return BigInt(block.number);
  }
  const oldest = position.recentBlocks.at(-1);
  if (oldest === undefined) return position.blockNumber;
  // A local chain can be replaced altogether; a public one never reorganises so far.
  return chain.sandbox ? 0n : maxMicros(0n, minMicros(BigInt(oldest.number), head) - BLIND_REWIND);
}

function newestUpTo({ recentBlocks }: ReadPosition, limit: bigint): ReadBlock | undefined {
  return recentBlocks.find((known) => BigInt(known.number) <= limit);
}

/**
 * Whether the branch that was read contains the newest stored block that is kept. After a fork since
 * the plan it does not, and a next read that starts from the new branch would never delete what was
 * stored from the old one.
 */
async function isContinued(
  chain: Chain,
  position: ReadPosition,
  { deleteAfter }: ContractNews,
): Promise<boolean> {
  const kept = newestUpTo(position, deleteAfter ?? position.blockNumber);
  return kept === undefined || (await hashAt(chain, BigInt(kept.number))) === kept.hash;
}

/** Plans a shorter range when the node has refused the present one. */
async function readPlanned(
  chain: Chain,
  memory: Memory,
  makePlan: () => Promise<Plan | undefined>,
  head: bigint,
): Promise<ContractNews | undefined> {
  for (;;) {
    const plan = await makePlan();
    try {
      return plan && (await readRange(chain, memory, plan, head));
    } catch (error) {
      if (!(error instanceof TooManyLogQueries)) throw error;
    }
  }
}

async function readRange(
  chain: Chain,
  memory: Memory,
  plan: Plan,
  head: bigint,
): Promise<ContractNews | undefined> {
  const { from, to, ...rest } = plan;
  // The hash first: after a fork in between, it is the old branch's, and the next read finds that.
  const toHash = await hashAt(chain, to);
  if (toHash === undefined) return undefined;
  const logs = await getLogs(memory, from, to);
  // Another node has responded, which is on another branch.
  if (logs.some((log) => log.blockNumber === to && log.blockHash !== toHash)) return undefined;
  return { fromBlock: from, toBlock: to, toHash, logs, isMore: to < head, ...rest };
}

async function getLogs(memory: Memory, fromBlock: bigint, toBlock: bigint): Promise<Log[]> {
  const contracts = {
    of: memory.addresses,
    filterFor: (of: readonly Address[]) => ({ address: [...of] }),
  };
  const permissions = groupsPerQuery(await memory.listAccounts()).map((of) => ({
    of,
    filterFor: (some: readonly Address[]) => ({ address: [...some], topics: [PERMISSION_EVENTS] }),
  }));
  const range = { fromBlock, toBlock };
  const { logs, unread } = await memory.logReader.ask([contracts, ...permissions], range);
  // No log of the contracts may be skipped.
  const missing = unread.find(({ address }) => memory.addresses.includes(address));
  if (missing) throw new Error(`the node returned no logs of block ${missing.blockNumber}`);
  return logs.flat().map((log) => formatLog(log));
}

async function hashAt(chain: Chain, blockNumber: bigint): Promise<Hex | undefined> {
  const block = await chain.client.request({
    method: 'eth_getBlockByNumber',
    params: [`0x${blockNumber.toString(16)}`, false],
  });
  return block?.hash ?? undefined;
}
