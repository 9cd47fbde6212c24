import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Address,
  createPublicClient,
  type Hex,
  type HttpTransportConfig,
  http,
  numberToHex,
  pad,
} from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import type { Chain } from './client.ts';
import { createLogReader, type LogQuery, TooManyLogQueries } from './logReader.ts';

const [QUIET, CALM, BUSY] = ['0xa1', '0xa2', '0xb1'].map((text) =>
  pad(text as Hex, { size: 20 }),
) as [Address, Address, Address];

/**
 * A node whose busy address logs `perBlock` times a block, the others once; `most` in a response.
 */
const node = { perBlock: 1, most: 100, returnsReceipts: true, questions: [] as string[] };

let server: Server;
let chain: Chain;
let clock = 0;

const logsOf = (address: string, block: number) =>
  Array.from({ length: address === BUSY ? node.perBlock : 1 }, (_, index) => ({
    address,
    topics: [],
    data: '0x',
    blockNumber: numberToHex(block),
    transactionHash: pad(numberToHex(block)),
    logIndex: `${address} ${index}`,
  }));

function reply(method: string, params: unknown[]): unknown {
  node.questions.push(method);
  if (method === 'eth_getBlockReceipts') {
    if (!node.returnsReceipts) return undefined;
    const block = Number(params[0]);
    return [QUIET, CALM, BUSY].map((address) => ({ logs: logsOf(address, block) }));
  }
  const [filter] = params as [{ address: string[]; fromBlock: Hex; toBlock: Hex }];
  const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)];
  const blocks = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const logs = blocks.flatMap((block) => filter.address.flatMap((one) => logsOf(one, block)));
  return logs.length > node.most ? undefined : logs;
}

beforeEach(async () => {
  Object.assign(node, { perBlock: 1, most: 100, returnsReceipts: true, questions: [] });
  clock = 0;
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body);
      const result = reply(method, params);
      const error = { code: -32_005, message: 'query returned more results than the limit' };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  connect();
});

function connect(config?: HttpTransportConfig): void {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createPublicClient({ chain: base, transport: http(url, config) });
  chain = { client } as unknown as Chain;
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const questionOf = (...of: Address[]): LogQuery => ({
  of,
  filterFor: (some) => ({ address: [...some] }),
});

const opened = () => createLogReader(chain, { mostBlocks: 64n, now: () => clock });

const expected = (fromBlock: number, toBlock: number, ...of: Address[]) => {
  const blocks = Array.from({ length: toBlock - fromBlock + 1 }, (_, index) => fromBlock + index);
  return blocks.flatMap((block) => of.flatMap((one) => logsOf(one, block)));
};
const sorted = (logs: readonly { blockNumber: unknown; logIndex: unknown }[]) =>
  logs.map((log) => `${String(log.blockNumber)} ${String(log.logIndex)}`).toSorted();

describe('a node that refuses large responses', () => {
  test('gets requests for fewer blocks, and later gradually for more', async () => {
    node.most = 40;
    const questioner = opened();
    const question = questionOf(QUIET, CALM);
    const { logs, unread } = await questioner.ask([question], { fromBlock: 1n, toBlock: 64n });
    expect(sorted(logs.flat())).toEqual(sorted(expected(1, 64, QUIET, CALM)));
    expect(unread).toEqual([]);
    expect(questioner.blocks()).toBe(32n);
    await questioner.ask([question], { fromBlock: 65n, toBlock: 70n });
    expect(questioner.blocks()).toBe(35n);
  });

  test('given responses beyond our client’s limit, gets requests for fewer blocks', async () => {
    connect({ maxResponseBodySize: JSON.stringify(expected(1, 24, QUIET, CALM)).length });
    const questioner = opened();
    const { logs, unread } = await questioner.ask([questionOf(QUIET, CALM)], {
      fromBlock: 1n,
      toBlock: 64n,
    });
    expect(sorted(logs.flat())).toEqual(sorted(expected(1, 64, QUIET, CALM)));
    expect(unread).toEqual([]);
    expect(questioner.blocks()).toBe(32n);
  });

  test('gets requests for fewer addresses of one block, then for all logs of the block', async () => {
    Object.assign(node, { perBlock: 9, most: 5 });
    const questioner = opened();
    const { logs } = await questioner.ask([questionOf(QUIET, BUSY, CALM)], {
      fromBlock: 7n,
      toBlock: 7n,
    });
    expect(sorted(logs.flat())).toEqual(sorted(expected(7, 7, QUIET, BUSY, CALM)));
    expect(questioner.isBusy(BUSY)).toBe(true);
    expect(questioner.isBusy(QUIET)).toBe(false);
    clock += 10 * 60_000;
    expect(questioner.isBusy(BUSY)).toBe(false);
  });

  test('that cannot return a block at all leaves one address unread, which is reported', async () => {
    Object.assign(node, { perBlock: 9, most: 5, returnsReceipts: false });
    const { logs, unread } = await opened().ask([questionOf(QUIET, BUSY, CALM)], {
      fromBlock: 7n,
      toBlock: 8n,
    });
    expect(sorted(logs.flat())).toEqual(sorted(expected(7, 8, QUIET, CALM)));
    expect(unread).toEqual([
      { address: BUSY, blockNumber: 7n },
      { address: BUSY, blockNumber: 8n },
    ]);
  });

  test('gets a limited number of requests per read: the range shrinks until it can be read', async () => {
    Object.assign(node, { perBlock: 9, most: 5 });
    const questioner = opened();
    let readings = 0;
    for (;;) {
      readings += 1;
      const toBlock = questioner.blocks();
      try {
        const { logs } = await questioner.ask([questionOf(QUIET, BUSY)], {
          fromBlock: 1n,
          toBlock,
        });
        expect(sorted(logs.flat())).toEqual(sorted(expected(1, Number(toBlock), QUIET, BUSY)));
        break;
      } catch (error) {
        expect(error).toBeInstanceOf(TooManyLogQueries);
      }
    }
    expect(readings).toBeGreaterThan(1);
    expect(readings).toBeLessThan(8);
  });

  test('one busy address does not shorten the others’ range', async () => {
    Object.assign(node, { perBlock: 4, most: 30 });
    const questioner = opened();
    await questioner.ask([questionOf(QUIET), questionOf(BUSY)], { fromBlock: 1n, toBlock: 16n });
    expect(questioner.blocks()).toBe(64n);
  });
});

test('given a rate limit, the node gets no further requests', async () => {
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    node.questions.push('any');
    request.resume();
    const error = { code: -32_005, message: 'rate limit exceeded' };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
  });
  const range = { fromBlock: 1n, toBlock: 64n };
  await expect(opened().ask([questionOf(QUIET)], range)).rejects.toThrow();
  expect(node.questions).toEqual(['any']);
});
