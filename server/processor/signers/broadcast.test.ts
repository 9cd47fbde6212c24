import { createPublicClient, custom, http } from 'viem';
import { expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import type { Chain } from '#server/chain/client.ts';
import { broadcast } from './sendTransaction.ts';

function nodeThat(responses: () => unknown): Chain {
  const client = createPublicClient({
    chain: base,
    transport: custom({ request: async () => responses() }, { retryCount: 0 }),
  });
  return { client } as unknown as Chain;
}

function refusing(message: string): Chain {
  return nodeThat(() => {
    throw Object.assign(new Error(message), { code: -32_003, message });
  });
}

test.each([
  ['already known', 'taken'],
  ['transaction already imported', 'taken'],
  ['Insufficient funds for gas * price + value', 'unfunded'],
  ['insufficient funds for gas * price + value: have 0 want 1', 'unfunded'],
  ['nonce too low', 'nonce_used'],
  ['nonce too low: next nonce 7, tx nonce 6', 'nonce_used'],
  ['replacement transaction underpriced', 'underpriced'],
  ['transaction underpriced', 'underpriced'],
  ['max fee per gas less than block base fee', 'underpriced'],
  ['max fee per gas less than block base fee: address 0x00, maxFeePerGas: 1', 'underpriced'],
  ['txpool is full', 'refused'],
  ['internal error', 'refused'],
])('a node that says "%s": %s', async (message, response) => {
  expect((await broadcast(refusing(message), '0x02')).response).toBe(response);
});

test('given a node that accepts, and one that does not respond, returns the matching result', async () => {
  expect(
    (
      await broadcast(
        nodeThat(() => '0xaa'),
        '0x02',
      )
    ).response,
  ).toBe('taken');
  // A closed port.
  const transport = http('http://127.0.0.1:1', { retryCount: 0 });
  const deaf = { client: createPublicClient({ chain: base, transport }) } as unknown as Chain;
  expect((await broadcast(deaf, '0x02')).response).toBe('no_response');
});
