import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPublicClient, type Hex, http, type Log, numberToHex, pad } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import type { Chain } from './client.ts';
import {
  type ContractNews,
  type ContractReader,
  createContractReader,
  type ReadPosition,
  recentBlocksAfter,
} from './contractReader.ts';

/** A scripted node. Every block has one log, whose `logIndex` is the block's number. */
type ScriptedNode = {
  /** Hashes by block number, from 0. */
  blocks: Hex[];
  /** The newest block for requests of "latest". */
  latest: number;
  respondWithLogs: (from: number, to: number) => unknown[] | Error;
  permissions: unknown[] | Error;
  questions: { method: string; from?: number; to?: number }[];
  /** Runs before each response. */
  beforeResponse: () => void;
};

const VAULT = pad('0xa3', { size: 20 });
const TOKEN = pad('0xa4', { size: 20 });
const SETTLEMENT = pad('0xa5', { size: 20 });

let node: ScriptedNode;
let server: Server;
let chain: Chain;
let clock = 0;

const hashOf = (branch: number, number: number): Hex => pad(numberToHex(branch * 10_000 + number));

function logOf(number: number) {
  return {
    address: VAULT,
    topics: [],
    data: '0x',
    blockNumber: numberToHex(number),
    blockHash: node.blocks[number],
    transactionHash: pad(numberToHex(number)),
    transactionIndex: '0x0',
    logIndex: numberToHex(number),
    removed: false,
  };
}

const logsBetween = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => logOf(from + index));

function handle(method: string, params: unknown[]): unknown {
  node.beforeResponse();
  if (method === 'eth_getBlockByNumber') {
    const number = params[0] === 'latest' ? node.latest : Number(params[0]);
    node.questions.push({ method });
    const hash = number <= node.latest ? node.blocks[number] : undefined;
    return hash ? { number: numberToHex(number), hash, transactions: [], timestamp: '0x1' } : null;
  }
  if (method === 'eth_getBlockReceipts') return new Error('not supported');
  const [filter] = params as [{ fromBlock: Hex; toBlock: Hex; topics: Hex[][] }];
  const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)];
  node.questions.push({ method, from, to });
  // Only permissions are asked for by topic.
  return filter.topics.length > 0 ? node.permissions : node.respondWithLogs(from, to);
}

beforeEach(async () => {
  clock = 0;
  node = {
    blocks: Array.from({ length: 101 }, (_, number) => hashOf(1, number)),
    latest: 100,
    respondWithLogs: logsBetween,
    permissions: [],
    questions: [],
    beforeResponse: () => undefined,
  };
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body);
      const result = handle(method, params);
      const reply =
        result instanceof Error
          ? { error: { code: -32_005, message: result.message } }
          : { result };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  chain = {
    id: base.id,
    client: createPublicClient({ chain: base, transport: http(url, { retryCount: 0 }) }),
    contracts: {
      usdc: TOKEN,
      outcomeToken: TOKEN,
      swapVault: VAULT,
      settlement: SETTLEMENT,
      accountFactory: TOKEN,
    },
    confirmations: 1,
    sandbox: true,
    explorerUrl: '',
  } as Chain;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The logs a watcher would have stored: log numbers by block hash. */
type Watcher = {
  position: ReadPosition;
  stored: Map<number, string>;
  step: () => Promise<ContractNews | undefined>;
};

function watcher(
  reader: ContractReader = createContractReader(chain, { now: () => clock }),
): Watcher {
  const watching: Watcher = {
    position: { blockNumber: 0n, recentBlocks: [] },
    stored: new Map(),
    async step() {
      const isAgain = watching.position.rereadFrom !== undefined;
      const newest = await reader.findNewest({ isAgain });
      const news = newest && (await reader.read(watching.position, newest));
      if (!news) return undefined;
      store(watching.stored, news.deleteAfter, news.logs);
      watching.position = {
        blockNumber: news.toBlock,
        recentBlocks: recentBlocksAfter(watching.position, news),
      };
      return news;
    },
  };
  return watching;
}

function store(stored: Map<number, string>, deleteAfter: bigint | undefined, logs: Log[]): void {
  for (const number of stored.keys()) {
    if (deleteAfter !== undefined && BigInt(number) > deleteAfter) stored.delete(number);
  }
  for (const { logIndex, blockHash } of logs) {
    // As in the database, where a log that is known changes nothing.
    if (!stored.has(logIndex ?? -1)) stored.set(logIndex ?? -1, blockHash ?? '');
  }
}

/** Every block's log on the node's current branch. */
function everything(): Map<number, string> {
  const numbers = Array.from({ length: node.latest }, (_, index) => index + 1);
  return new Map(numbers.map((number) => [number, node.blocks[number] ?? '']));
}

function mine(blocks: number, branch = 1): void {
  for (let n = 0; n < blocks; n += 1) node.blocks.push(hashOf(branch, node.blocks.length));
  node.latest = node.blocks.length - 1;
}

const sorted = (map: Map<number, string>) => [...map.entries()].toSorted(([a], [b]) => a - b);

function expectAllRead(watching: Watcher): void {
  expect(sorted(watching.stored)).toEqual(sorted(everything()));
  expect(watching.position.blockNumber).toBe(BigInt(node.latest));
}

describe('a read', () => {
  test('reads everything once, then requests only the newest block', async () => {
    const watching = watcher();
    expect(await watching.step()).toMatchObject({ toBlock: 100n, isMore: false });
    expectAllRead(watching);
    node.questions = [];
    expect(await watching.step()).toBeUndefined();
    expect(node.questions).toEqual([{ method: 'eth_getBlockByNumber' }]);
  });

  test('reads a long range in parts, and in smaller ones when a node refuses', async () => {
    mine(2_400);
    node.respondWithLogs = (from, to) =>
      to - from >= 300
        ? new Error('query returned more than 10000 results')
        : logsBetween(from, to);
    const watching = watcher();
    for (let n = 0; n < 200 && watching.position.blockNumber < 2_500n; n += 1)
      await watching.step();
    expectAllRead(watching);
  });

  test('stays behind the newest block by the given confirmations', async () => {
    chain.confirmations = 5;
    const watching = watcher();
    expect(await watching.step()).toMatchObject({ toBlock: 96n });
    expect(Math.max(...watching.stored.keys())).toBe(96);
  });

  test('waits while the chain is shorter than the confirmations', async () => {
    chain.confirmations = 5;
    node.latest = 2;
    expect(await watcher().step()).toBeUndefined();
  });
});

describe('changed permissions', () => {
  const ACCOUNT = pad('0xac', { size: 20 });
  const reader = () =>
    createContractReader(chain, { listAccounts: async () => [ACCOUNT], now: () => clock });

  test('of accounts that have orders waiting are read with the contracts’ logs', async () => {
    node.permissions = [{ ...logOf(100), address: ACCOUNT, logIndex: '0x3e8' }];
    const watching = watcher(reader());
    await watching.step();
    expect(watching.stored.get(1_000)).toBe(hashOf(1, 100));
    watching.stored.delete(1_000);
    expectAllRead(watching);
  });

  test('that a node never returns do not hold the contracts’ logs back', async () => {
    node.permissions = new Error('query returned more than 10000 results');
    const watching = watcher(reader());
    for (let n = 0; n < 200 && watching.position.blockNumber < 100n; n += 1) {
      await watching.step().catch(() => undefined);
    }
    expectAllRead(watching);
  });
});

describe('gaps in the responses', () => {
  test.each([
    ['no logs at all', () => []],
    [
      'every second log',
      (from: number, to: number) => logsBetween(from, to).filter((_, index) => index % 2 === 0),
    ],
    ['logs of a node that is behind', (from: number, to: number) => logsBetween(from, to - 3)],
  ])('are filled by the next reading: %s', async (_what, gapped) => {
    const watching = watcher();
    await watching.step();
    mine(4);
    node.respondWithLogs = gapped;
    await watching.step();
    node.respondWithLogs = logsBetween;
    mine(1);
    await watching.step();
    expectAllRead(watching);
  });

  test('are filled for any number of new blocks', async () => {
    const watching = watcher();
    await watching.step();
    mine(300);
    node.respondWithLogs = (from, to) =>
      logsBetween(from, to).filter((_, index) => index % 2 === 0);
    await watching.step();
    mine(1);
    await watching.step();
    node.respondWithLogs = logsBetween;
    clock += 2_000;
    mine(1);
    await watching.step();
    expectAllRead(watching);
  });

  test('are filled without a new block', async () => {
    const watching = watcher();
    await watching.step();
    mine(2);
    node.respondWithLogs = () => [];
    await watching.step();
    node.respondWithLogs = logsBetween;
    expect(await watching.step()).toBeUndefined();
    clock += 2_000;
    await watching.step();
    expectAllRead(watching);
    clock += 60_000;
    node.questions = [];
    expect(await watching.step()).toBeUndefined();
    expect(node.questions).toEqual([{ method: 'eth_getBlockByNumber' }]);
  });

  test('left by a former reader are filled by the next one', async () => {
    const former = watcher();
    node.respondWithLogs = (from, to) => logsBetween(from, to - 40);
    await former.step();
    node.respondWithLogs = logsBetween;
    const watching = { ...watcher() };
    Object.assign(watching.position, former.position);
    await watching.step();
    expect([...watching.stored.keys()]).toContain(61);
  });

  test('do not move the cursor when they are errors', async () => {
    const watching = watcher();
    await watching.step();
    mine(3);
    node.respondWithLogs = () => new Error('internal error');
    await expect(watching.step()).rejects.toThrow();
    expect(watching.position.blockNumber).toBe(100n);
    node.respondWithLogs = logsBetween;
    // The refusals have shortened the range.
    while (watching.position.blockNumber < BigInt(node.latest)) await watching.step();
    expectAllRead(watching);
  });
});

describe('a node that is behind', () => {
  test('delays the read, and nothing is deleted', async () => {
    const watching = watcher();
    await watching.step();
    node.latest = 97;
    expect(await watching.step()).toBeUndefined();
    clock += 1_000;
    expect(await watching.step()).toBeUndefined();
    node.latest = 100;
    mine(1);
    expect((await watching.step())?.deleteAfter).toBeUndefined();
    expectAllRead(watching);
  });

  test('beside one that is not, is no reorganisation of a chain without new blocks', async () => {
    const watching = watcher();
    await watching.step();
    for (let round = 0; round < 20; round += 1) {
      node.latest = round % 2 === 0 ? 97 : 100;
      expect((await watching.step())?.deleteAfter).toBeUndefined();
      clock += 500;
    }
    expectAllRead(watching);
  });

  test('for a long time means that the chain lost its last blocks', async () => {
    const watching = watcher();
    await watching.step();
    mine(2);
    await watching.step();
    node.blocks.length = 101;
    node.latest = 100;
    expect(await watching.step()).toBeUndefined();
    clock += 5_000;
    expect(await watching.step()).toMatchObject({ deleteAfter: 100n, toBlock: 100n });
    expectAllRead(watching);
  });
});

describe('a fork', () => {
  test('is followed from the last common block', async () => {
    const watching = watcher();
    for (let n = 0; n < 3; n += 1) {
      await watching.step();
      mine(2);
    }
    await watching.step();
    node.blocks.length = 103;
    mine(9, 2);
    expect(await watching.step()).toMatchObject({ deleteAfter: 102n, fromBlock: 103n });
    expectAllRead(watching);
  });

  test('to a branch of the same length is noticed', async () => {
    const watching = watcher();
    await watching.step();
    mine(3);
    await watching.step();
    node.blocks.length = 101;
    mine(3, 2);
    expect(await watching.step()).toMatchObject({ deleteAfter: 100n });
    expectAllRead(watching);
  });

  test('to a shorter branch is noticed', async () => {
    const watching = watcher();
    await watching.step();
    mine(1);
    await watching.step();
    mine(6);
    await watching.step();
    node.blocks.length = 101;
    mine(3, 2);
    clock += 5_000;
    await watching.step();
    expectAllRead(watching);
  });

  test('from before every stored block is read again from well before it', async () => {
    const watching = watcher();
    await watching.step();
    node.blocks = node.blocks.map((_, number) => hashOf(number > 60 ? 2 : 1, number));
    chain.sandbox = false;
    expect(await watching.step()).toMatchObject({ deleteAfter: 36n });
    expectAllRead(watching);
  });

  test('of a restarted local chain is read from its beginning', async () => {
    const watching = watcher();
    await watching.step();
    node.blocks = node.blocks.map((_, number) => hashOf(number > 20 ? 2 : 1, number));
    expect(await watching.step()).toMatchObject({ deleteAfter: 0n });
    expectAllRead(watching);
  });

  test('far back is followed from a common block, with few stored blocks', async () => {
    const watching = watcher();
    while (node.latest < 2_000) {
      mine(20);
      await watching.step();
    }
    expect(watching.position.recentBlocks.length).toBeLessThan(64);
    node.blocks = node.blocks.map((_, number) => hashOf(number > 900 ? 2 : 1, number));
    const news = await watching.step();
    expect(news?.deleteAfter).toBeGreaterThan(600n);
    expect(news?.deleteAfter).toBeLessThanOrEqual(900n);
    while (await watching.step()) expect(watching.position.blockNumber).toBeGreaterThan(900n);
    expectAllRead(watching);
  });

  test('between two requests is not stored', async () => {
    const watching = watcher();
    await watching.step();
    mine(2);
    node.respondWithLogs = (from, to) =>
      logsBetween(from, to).map((log) =>
        Number(log.blockNumber) === to ? { ...log, blockHash: hashOf(3, to) } : log,
      );
    expect(await watching.step()).toBeUndefined();
    node.respondWithLogs = logsBetween;
    await watching.step();
    expectAllRead(watching);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'before response %i of a read leaves no log of the old branch',
    async (response) => {
      const watching = watcher();
      await watching.step();
      mine(3);
      await watching.step();
      mine(4);
      await expectAllReadAfterFork(watching, response, { from: 102, blocks: 9 });
    },
  );

  test.each([1, 2, 3, 4, 5, 6, 7])(
    'before response %i of a requested re-read leaves no log of the old branch',
    async (response) => {
      const watching = watcher();
      await watching.step();
      mine(3);
      await watching.step();
      watching.position = { ...watching.position, rereadFrom: 102n };
      await expectAllReadAfterFork(watching, response, { from: 90, blocks: 19 });
    },
  );

  async function expectAllReadAfterFork(
    watching: Watcher,
    response: number,
    fork: { from: number; blocks: number },
  ): Promise<void> {
    let left = response;
    node.beforeResponse = () => {
      left -= 1;
      if (left !== 0) return;
      node.blocks.length = fork.from;
      mine(fork.blocks, 2);
    };
    for (let n = 0; n < 6; n += 1) await watching.step();
    expect(left).toBeLessThanOrEqual(0);
    expectAllRead(watching);
  }
});
