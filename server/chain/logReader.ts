import {
  type Address,
  BaseError,
  type Hex,
  HttpRequestError,
  numberToHex,
  ResponseBodyTooLargeError,
  type RpcLog,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { maxMicros, minMicros } from '#lib/money.ts';
import type { Chain } from './client.ts';

export type BlockRange = { fromBlock: bigint; toBlock: bigint };

type LogFilter = { address: Address | Address[]; topics?: (Hex | Hex[] | null)[] };

/** A request for the logs of some addresses, which can be split by address. */
export type LogQuery = {
  of: readonly Address[];
  filterFor(of: readonly Address[]): LogFilter;
};

/** An address whose logs of one block the node cannot return. */
export type UnreadBlock = { address: Address; blockNumber: bigint };

/** The logs by request, and the unread rest, which must be compensated and not skipped. */
export type LogResults = { logs: RpcLog[][]; unread: UnreadBlock[] };

/** Accounts per request: common nodes accept lists of this length. */
const ACCOUNTS_PER_QUERY = 400;

export function groupsPerQuery(accounts: readonly Address[]): Address[][] {
  const groups: Address[][] = [];
  for (let start = 0; start < accounts.length; start += ACCOUNTS_PER_QUERY) {
    groups.push(accounts.slice(start, start + ACCOUNTS_PER_QUERY));
  }
  return groups;
}

export type LogReader = {
  /** The number of blocks to request at a time, by the node's past responses. */
  blocks(): bigint;
  /** Addresses with so many logs that they are requested separately for a while. */
  isBusy(address: Address): boolean;
  /**
   * Requests a range, in smaller parts if the node refuses: fewer blocks, then fewer addresses,
   * then all receipts of one block.
   * @throws {TooManyLogQueries} when that takes too long for one read; `blocks` is smaller then
   * @throws when the node does not respond
   */
  ask(questions: readonly LogQuery[], range: BlockRange): Promise<LogResults>;
};

/** The range has to be shorter. */
export class TooManyLogQueries extends Error {
  override readonly name = 'TooManyQuestions';
}

/** Refusals that one read of several blocks works around: its time is the cursor's lease. */
const MOST_REFUSALS = 48;
const BUSY_FOR_MS = 10 * 60_000;
/** Temporary: the node responds to the same request later, and more requests prolong it. */
const ASKED_TOO_OFTEN = /rate.?limit|too many requests|throttl|per second|capacity/i;

export function createLogReader(
  chain: Chain,
  options: { mostBlocks: bigint; now?: () => number },
): LogReader {
  const { mostBlocks, now = () => performance.now() } = options;
  const busyUntil = new Map<Address, number>();
  let blocks = mostBlocks;

  async function ask(reading: Reading, question: LogQuery, range: BlockRange): Promise<RpcLog[]> {
    try {
      return await getLogs(chain, question.filterFor(question.of), range);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // A single busy address does not shorten the others' range.
      if (question.of.length > 1) reading.isTooLong = true;
      return await requestLess(reading, question, range);
    }
  }

  async function requestLess(
    reading: Reading,
    question: LogQuery,
    { fromBlock, toBlock }: BlockRange,
  ): Promise<RpcLog[]> {
    reading.refusals += 1;
    if (reading.refusals > MOST_REFUSALS && reading.blocks > 1n) throw new TooManyLogQueries();
    if (fromBlock < toBlock) {
      const middle = (fromBlock + toBlock) / 2n;
      const first = await ask(reading, question, { fromBlock, toBlock: middle });
      return first.concat(await ask(reading, question, { fromBlock: middle + 1n, toBlock }));
    }
    const { of } = question;
    if (of.length > 1) {
      const half = Math.ceil(of.length / 2);
      const range = { fromBlock, toBlock };
      const first = await ask(reading, { ...question, of: of.slice(0, half) }, range);
      return first.concat(await ask(reading, { ...question, of: of.slice(half) }, range));
    }
    for (const address of of) busyUntil.set(address, now() + BUSY_FOR_MS);
    return await readReceipts(reading, question, fromBlock);
  }

  /** The last resort: every log of the block. */
  async function readReceipts(
    reading: Reading,
    question: LogQuery,
    blockNumber: bigint,
  ): Promise<RpcLog[]> {
    const logs = reading.receipts.get(blockNumber) ?? getLogsOfReceipts(chain, blockNumber);
    reading.receipts.set(blockNumber, logs);
    try {
      const filter = question.filterFor(question.of);
      return (await logs).filter((log) => fits(log, filter));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      for (const address of question.of) reading.unread.push({ address, blockNumber });
      return [];
    }
  }

  return {
    blocks: () => blocks,
    isBusy: (address) => (busyUntil.get(address) ?? 0) > now(),
    async ask(questions, range) {
      const length = range.toBlock - range.fromBlock + 1n;
      if (length < 1n) return { logs: questions.map(() => []), unread: [] };
      const reading: Reading = {
        blocks: length,
        refusals: 0,
        isTooLong: false,
        receipts: new Map(),
        unread: [],
      };
      try {
        const logs = await Promise.all(questions.map((one) => ask(reading, one, range)));
        return { logs, unread: reading.unread };
      } catch (error) {
        reading.isTooLong ||= error instanceof TooManyLogQueries || error instanceof TimeoutError;
        throw error;
      } finally {
        blocks = reading.isTooLong
          ? maxMicros(1n, minMicros(blocks, length) / 2n)
          : minMicros(mostBlocks, blocks + blocks / 16n + 1n);
      }
    },
  };
}

/** The progress of one read. */
type Reading = {
  blocks: bigint;
  refusals: number;
  isTooLong: boolean;
  receipts: Map<bigint, Promise<RpcLog[]>>;
  unread: UnreadBlock[];
};

/** Whether the request asks for too much, however often it is repeated. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  // Our client stops reading after 10 MiB.
  if (error instanceof ResponseBodyTooLargeError) return true;
  const response = error.walk(
    (one) => one instanceof RpcRequestError || one instanceof HttpRequestError,
  );
  if (response instanceof HttpRequestError)
    return response.status === 400 || response.status === 413;
  if (!(response instanceof RpcRequestError)) return false;
  return !ASKED_TOO_OFTEN.test(response.details);
}

/** Raw logs: viem would decode each and hash its event's signature again. */
async function getLogs(
  chain: Chain,
  { address, topics = [] }: LogFilter,
  { fromBlock, toBlock }: BlockRange,
): Promise<RpcLog[]> {
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
  // Retried with a smaller range instead of unchanged.
  return await chain.client.request(
    { method: 'eth_getLogs', params: [{ address, topics, ...range }] },
    { retryCount: 0 },
  );
}

async function getLogsOfReceipts(chain: Chain, blockNumber: bigint): Promise<RpcLog[]> {
  const receipts = await chain.client.request<{
    Parameters: [Hex];
    ReturnType: readonly { logs: RpcLog[] }[] | null;
  }>({ method: 'eth_getBlockReceipts', params: [numberToHex(blockNumber)] }, { retryCount: 0 });
  if (!receipts) throw new Error(`the node does not have block ${blockNumber}`);
  return receipts.flatMap(({ logs }) => logs);
}

function fits(log: RpcLog, { address, topics = [] }: LogFilter): boolean {
  const wanted = [address].flat().map((one) => one.toLowerCase());
  return (
    wanted.includes(log.address.toLowerCase()) &&
    topics.every(
      (topic, place) => topic === null || [topic].flat().includes(log.topics[place] ?? '0x'),
    )
  );
}
