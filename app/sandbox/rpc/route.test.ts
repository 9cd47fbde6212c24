import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { POST } from './route.ts';

const chain = vi.hoisted(() => ({ sandbox: true, rpcUrl: 'http://127.0.0.1:1/' }));
const site = vi.hoisted(() => ({ publicBaseUrl: 'https://crossbook.test', port: 3000 }));
vi.mock('#server/api/webRuntime.ts', () => ({
  getRuntime: async () => ({ config: { chain, ...site } }),
}));

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

const post = (body: string, headers: Record<string, string> = {}) =>
  POST(new Request('http://localhost/sandbox/rpc', { method: 'POST', body, headers }));
const call = (method: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}`;

describe('the sandbox chain for demo wallets', () => {
  test('outside the sandbox the endpoint does not exist', async () => {
    chain.sandbox = false;
    expect((await post(call('eth_chainId'))).status).toBe(404);
    expect(passed).toEqual([]);
  });

  test('allowed wallet calls are forwarded', async () => {
    expect(await (await post(call('eth_chainId'))).json()).toMatchObject({ result: '0x1' });
    expect(passed).toEqual([call('eth_chainId')]);
  });

  test('a batch of calls is forwarded as one', async () => {
    const batch = `[${call('eth_chainId')},${call('eth_sendRawTransaction')}]`;
    await post(batch);
    expect(passed).toEqual([batch]);
    const tooMany = `[${Array<string>(101).fill(call('eth_chainId')).join(',')}]`;
    for (const body of [tooMany, '[]']) {
      expect(await (await post(body)).json()).toMatchObject({ error: { code: -32600 } });
    }
    expect(passed).toHaveLength(1);
  });

  test.each([
    'https://crossbook.test',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
    'moz-extension://3c0c7a3e-0f4b-4a6e-8f0a-2d3f0a1b2c3d',
  ])('answers %s', async (origin) => {
    expect((await post(call('eth_chainId'), { origin })).status).toBe(200);
  });

  test.each([
    'https://evil.example',
    'http://crossbook.test',
    'https://crossbook.test.evil.example',
    'http://localhost:3001',
    'null',
    '',
  ])('403: for pages of %j', async (origin) => {
    expect((await post(call('eth_chainId'), { origin })).status).toBe(403);
    expect(passed).toEqual([]);
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
    'eth_signTypedData_v4',
    'eth_getLogs',
    'eth_newFilter',
    'eth_subscribe',
    'web3_sha3',
    'net_listening',
    'ETH_chainId',
    '__proto__',
  ])('rejects %s, also within a batch', async (method) => {
    for (const body of [call(method), `[${call('eth_chainId')},${call(method)}]`]) {
      expect(await (await post(body)).json()).toMatchObject({ error: { code: -32601 } });
    }
    expect(passed).toEqual([]);
  });

  test('checks the forwarded call, not the sent text', async () => {
    await post(`{"id":1,"method":"anvil_setBalance","method":"eth_chainId"}`);
    expect(passed).toEqual(['{"id":1,"method":"eth_chainId"}']);
  });

  test('rejects invalid and oversized calls', async () => {
    for (const body of ['null', '1', '"eth_chainId"', '[null]', '{', '{"method":{}}']) {
      expect(await (await post(body)).json()).toHaveProperty('error');
    }
    expect((await post(`"${'x'.repeat(600_000)}"`)).status).toBe(413);
    expect(passed).toEqual([]);
  });
});
