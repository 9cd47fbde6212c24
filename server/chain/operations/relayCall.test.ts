import {
  createPublicClient,
  custom,
  type Hex,
  MethodNotFoundRpcError,
  numberToHex,
  type PublicClient,
  type RpcRequestError,
} from 'viem';
import { describe, expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import type { Chain } from '../client.ts';
import { encodeRelay, isRelayOver, type RelayCall, simulateRelay } from './relayCall.ts';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const contracts = {
  usdc: address('1'),
  outcomeToken: address('2'),
  swapVault: address('3'),
  settlement: address('4'),
  accountFactory: address('5'),
};
const DEADLINE = 2_000_000_000;
const batch: RelayCall = {
  type: 'batch',
  owner: address('7'),
  account: address('6'),
  signature: '0x01',
  digest: `0x${'ab'.repeat(32)}`,
  message: { calls: [], gas: '1000000', nonce: '4', deadline: String(DEADLINE) },
};

/** A node that knows these methods only; a function that throws is its error. */
function nodeWith(methods: Record<string, (params: unknown) => unknown>): Chain {
  const client = createPublicClient({
    chain: base,
    transport: custom(
      {
        async request({ method, params }: { method: string; params: unknown }) {
          const respond = methods[method];
          if (!respond) throw new MethodNotFoundRpcError(new Error('unknown'), { method });
          return await respond(params);
        },
      },
      { retryCount: 0 },
    ),
  });
  return {
    id: base.id,
    client: client as PublicClient,
    contracts,
    confirmations: 1,
    sandbox: false,
    explorerUrl: '',
  };
}

const reverted = (): never => {
  const error: Pick<RpcRequestError, 'code' | 'message'> = {
    code: 3,
    message: 'execution reverted',
  };
  throw Object.assign(new Error(error.message), error);
};
const block = (timestamp: number) => ({
  number: '0x1',
  timestamp: numberToHex(timestamp),
  transactions: [],
});
const nonce = (value: number) => numberToHex(value, { size: 32 });

describe('the simulation of a message', () => {
  test('given a node without eth_simulateV1, counts with the whole gas limit', async () => {
    const chain = nodeWith({ eth_call: () => '0x' });
    const { gas } = encodeRelay(contracts, batch);
    expect(await simulateRelay(chain, batch)).toEqual({ gasUsed: gas });
  });

  test.each([
    ['expired', { now: DEADLINE + 1, next: 4 }],
    ['already_used', { now: DEADLINE, next: 5 }],
    ['refused', { now: DEADLINE, next: 4 }],
  ] as const)('given such a node and a revert, says %s', async (failure, { now, next }) => {
    let calls = 0;
    const chain = nodeWith({
      // The message itself first, then the account's nonce.
      eth_call: () => {
        calls += 1;
        return calls === 1 ? reverted() : nonce(next);
      },
      eth_getBlockByNumber: () => block(now),
      eth_getCode: () => '0x01',
    });
    expect(await simulateRelay(chain, batch)).toEqual({
      failure,
      errorName: 'execution_reverted',
    });
  });

  test('given a node that does not respond, fails instead of refusing', async () => {
    const chain = nodeWith({
      eth_simulateV1: () => {
        throw new Error('connection reset');
      },
    });
    await expect(simulateRelay(chain, batch)).rejects.toThrow('connection reset');
  });
});

test('a message is over a minute after its last second, whatever a clock is late', () => {
  expect(isRelayOver(batch, (DEADLINE + 60) * 1_000)).toBe(false);
  expect(isRelayOver(batch, (DEADLINE + 61) * 1_000)).toBe(true);
});
