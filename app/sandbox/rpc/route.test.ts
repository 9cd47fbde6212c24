import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { POST } from './route.ts';

const chain = vi.hoisted(() => ({ sandbox: true, rpcUrl: 'http://127.0.0.1:1/' }));
vi.mock('#server/runtime.ts', () => ({ getRuntime: async () => ({ config: { chain } }) }));

const passed: string[] = [];

beforeEach(() => {
  chain.sandbox = true;
  passed.length = 0;
  vi.stubGlobal('fetch', async (_url: string, options: { body: string }) => {
    passed.push(options.body);
    return new Response('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
  });
});
afterEach(() => void vi.unstubAllGlobals());

const post = (body: string) =>
  POST(new Request('http://localhost/sandbox/rpc', { method: 'POST', body }));
const call = (method: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}`;

describe('the sandbox chain for demo wallets', () => {
  test('is not there off the sandbox', async () => {
    chain.sandbox = false;
    expect((await post(call('eth_chainId'))).status).toBe(404);
    expect(passed).toEqual([]);
  });

  test('passes on what wallets ask', async () => {
    expect(await (await post(call('eth_chainId'))).json()).toMatchObject({ result: '0x1' });
    expect(passed).toEqual([call('eth_chainId')]);
  });

  test.each([
    'anvil_setBalance',
    'hardhat_impersonateAccount',
    'evm_mine',
    'debug_traceCall',
    'eth_sendTransaction',
    'eth_sendUnsignedTransaction',
    'eth_sign',
    'eth_accounts',
    '__proto__',
  ])('refuses %s, also among others', async (method) => {
    for (const body of [call(method), `[${call('eth_chainId')},${call(method)}]`]) {
      expect(await (await post(body)).json()).toMatchObject({ error: { code: -32601 } });
    }
    expect(passed).toEqual([]);
  });

  test('judges what is passed on, not what was sent', async () => {
    await post(`{"id":1,"method":"anvil_setBalance","method":"eth_chainId"}`);
    expect(passed).toEqual(['{"id":1,"method":"eth_chainId"}']);
  });

  test('refuses what is no call, and what is too large', async () => {
    for (const body of ['null', '1', '"eth_chainId"', '[null]', '{', '{"method":{}}']) {
      expect(await (await post(body)).json()).toHaveProperty('error');
    }
    expect((await post(`"${'x'.repeat(600_000)}"`)).status).toBe(413);
    expect(passed).toEqual([]);
  });
});
