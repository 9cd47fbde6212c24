import {
  type Address,
  BaseError,
  type Hex,
  HttpRequestError,
  numberToHex,
  type RpcLog,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { maxMicros, minMicros } from '#lib/money.ts';
import type { Chain } from './client.ts';

export type BlockRange = { fromBlock: bigint; toBlock: bigint };

type LogFilter = { address: Address | Address[]; topics?: (Hex | Hex[] | null)[] };

/** A question about the logs of some addresses, which can be put for fewer of them as well. */
export type LogQuery = {
  of: readonly Address[];
  filterFor(of: readonly Address[]): LogFilter;
};

/** Whose logs of one block the node told in no way. */
export type UnreadBlock = { address: Address; blockNumber: bigint };

/** The logs by question, and what stays unread: to be made up for, or not to be passed over. */
export type LogResults = { logs: RpcLog[][]; unread: UnreadBlock[] };

export type LogReader = {
  /** How many blocks to ask for at a time, by what the node has taken so far. */
  blocks(): bigint;
  /** Addresses with so many logs that they are asked for by themselves, for a while. */
  isBusy(address: Address): boolean;
  /**
   * Asks for a range, in smaller parts where the node refuses: fewer blocks, then fewer addresses,
   * then all receipts of the one block.
   * @throws {TooManyQuestions} when that takes too long for one reading; `blocks` is less then
   * @throws when the node does not answer
   */
  ask(questions: readonly LogQuery[], range: BlockRange): Promise<LogResults>;
};

/** The range has to be shorter. */
export class TooManyLogQueries extends Error {
  override readonly name = 'TooManyQuestions';
}

/** Refusals that one reading of several blocks works around: its time is the cursor's lease. */
const MOST_REFUSALS = 48;
const BUSY_FOR_MS = 10 * 60_000;
/** It will answer the same question later; asking more of them makes it worse. */
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
      // What one busy address needs is its own affair; the others' range stays.
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

  /** The last way: everything that the block logged. */
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

/** What the parts of one reading have come to so far. */
type Reading = {
  blocks: bigint;
  refusals: number;
  isTooLong: boolean;
  receipts: Map<bigint, Promise<RpcLog[]>>;
  unread: UnreadBlock[];
};

/** The node has understood and will not answer, however often it is asked the same. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const response = error.walk(
    (one) => one instanceof RpcRequestError || one instanceof HttpRequestError,
  );
  if (response instanceof HttpRequestError)
    return response.status === 400 || response.status === 413;
  if (!(response instanceof RpcRequestError)) return false;
  return !ASKED_TOO_OFTEN.test(response.details);
}

/** As the node tells them: viem would decode each, hashing the signature of its event anew. */
async function getLogs(
  chain: Chain,
  { address, topics = [] }: LogFilter,
  { fromBlock, toBlock }: BlockRange,
): Promise<RpcLog[]> {
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
  // Asked for less instead of once more.
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
