import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { BlockNotFoundError, createPublicClient, http, pad } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readKnownBlock, retryIfBehind } from './behind.ts';

const BLOCK = { number: '0x7', hash: pad('0x7'), transactions: [], timestamp: '0x1' };
const ADDRESS = pad('0xa', { size: 20 });

/** What a node responds, one after the other; the last is repeated. */
let responses: object[] = [];
let requests = 0;
const server = createServer((request, response) => {
  void json(request).then((call) => {
    const reply = responses[Math.min(requests, responses.length - 1)];
    requests += 1;
    response.end(JSON.stringify({ jsonrpc: '2.0', id: (call as { id: number }).id, ...reply }));
  });
});

function client() {
  const { port } = server.address() as AddressInfo;
  return createPublicClient({ transport: http(`http://127.0.0.1:${port}`) });
}

beforeEach(async () => {
  requests = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

test('given a node that gets the block a moment later, the block is returned', async () => {
  responses = [{ result: null }, { result: null }, { result: BLOCK }];
  expect((await readKnownBlock(client(), 7n)).hash).toBe(BLOCK.hash);
});

test.each([
  ['Geth', { code: -32_000, message: 'header not found' }],
  ['Reth', { code: -32_001, message: 'block not found: 0x7' }],
])(
  'given a node that lacks the state’s block, as %s says it, the state is read',
  async (_name, error) => {
    responses = [{ error }, { result: '0x5' }];
    const read = () => client().getBalance({ address: ADDRESS, blockNumber: 7n });
    expect(await retryIfBehind(read)).toBe(5n);
  },
);

test('given a block that is not on the chain, the read fails', async () => {
  responses = [{ result: null }];
  await expect(readKnownBlock(client(), 7n)).rejects.toThrow(BlockNotFoundError);
  expect(requests).toBe(6);
});

test('given another failure, the read is not repeated', async () => {
  responses = [{ error: { code: 3, message: 'execution reverted' } }];
  const read = () => client().getBalance({ address: ADDRESS, blockNumber: 7n });
  await expect(retryIfBehind(read)).rejects.toThrow('execution reverted');
  expect(requests).toBe(1);
});
