import { createPublicClient, custom } from 'viem';
import { expect, test } from 'vitest';
import { checkRealNode } from './client.ts';

/** A node with these responses; it refuses all other methods. */
function node(responses: { eth_chainId?: string; web3_clientVersion?: string }) {
  const request = async ({ method }: { method: string }) => {
    const response = (responses as Record<string, string | undefined>)[method];
    if (response === undefined)
      throw Object.assign(new Error('method not found'), { code: -32_601 });
    return response;
  };
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
}

const REAL = { eth_chainId: '0x2105', web3_clientVersion: 'reth/v1.9.0-abcdef/x86_64' };

test.each([
  ['a node of the chain', REAL],
  ['a node that hides its version', { eth_chainId: '0x2105' }],
  ['a node that does not respond', {}],
])('%s is accepted', async (_what, responses) => {
  await expect(checkRealNode(node(responses), 8453)).resolves.toBeUndefined();
});

test.each([
  ['of another chain', { ...REAL, eth_chainId: '0x14a34' }, /on chain 84532, but CHAIN_ID is 8453/],
  ['for development', { ...REAL, web3_clientVersion: 'anvil/v1.7.1' }, /development node \(anvil/],
])('a node %s is refused', async (_what, responses, why) => {
  const refused = expect(checkRealNode(node(responses), 8453)).rejects;
  await refused.toMatchObject({
    name: 'StartError',
    exitCode: 78,
    message: expect.stringMatching(why),
  });
});
