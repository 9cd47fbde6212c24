import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  parseEventLogs,
  toBytes,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { grantTypedData } from '#server/domain/accounts/signGrant.ts';
import { DEMO_WALLETS } from './demoWallets.ts';
import {
  type PreparedChain,
  prepareSandboxChain,
  type SandboxChainKeys,
} from './prepareSandboxChain.ts';
import { type RunningChain, startChain } from './startChain.ts';

const TICKER = 'KXTEST-26NOV21-A';
const marketKey = keccak256(toBytes(TICKER));
const keys: SandboxChainKeys = {
  operators: [generatePrivateKey()],
  attestor: generatePrivateKey(),
  resolver: generatePrivateKey(),
  admin: generatePrivateKey(),
  treasury: generatePrivateKey(),
  faucet: generatePrivateKey(),
};
const owner = privateKeyToAccount(DEMO_WALLETS[0]?.privateKey ?? '0x');
const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-chain-'));
let port: number;
let chain: RunningChain;
let prepared: PreparedChain;

const start = () => startChain({ dataDir, port, allowOrigin: 'http://localhost:3000' });
const reader = () =>
  createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 20, cacheTime: 0 });
const walletFor = (key: Hex) =>
  createWalletClient({ account: privateKeyToAccount(key), transport: http(chain.rpcUrl) });
const operator = () => walletFor(keys.operators[0] ?? '0x');

async function mined(hash: Hex) {
  const receipt = await reader().waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
  return receipt;
}

beforeAll(async () => {
  port = await anyFreePort();
  chain = await start();
  prepared = await prepareSandboxChain({
    rpcUrl: chain.rpcUrl,
    keys,
    tokenUriBase: 'http://localhost:3000',
  });
});

afterAll(async () => {
  await chain.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function createGrantedAccount(): Promise<Hex> {
  const { accountFactory, swapVault } = prepared.contracts;
  const factory = { address: accountFactory, abi: tradingAccountFactoryAbi } as const;
  const account = await reader().readContract({
    ...factory,
    functionName: 'addressOf',
    args: [owner.address],
  });
  const grant = {
    operator: swapVault,
    validUntil: Math.floor(Date.now() / 1000) + 86_400,
    withdrawAnywhere: true,
    maxPerOrder: 1_000_000_000n,
    maxPerDay: 5_000_000_000n,
    maxWithdrawPerDay: 1_000_000_000n,
    nonce: 0n,
    ...NO_SESSION_KEY,
  };
  const named = { ...grant, validUntil: BigInt(grant.validUntil) };
  const signature = await owner.signTypedData(grantTypedData(8453, account, named));
  await mined(
    await operator().writeContract({
      ...factory,
      chain: null,
      functionName: 'createAndGrant',
      args: [owner.address, grant, signature],
    }),
  );
  return account;
}

test('an order goes from a signed grant to tokens in the account', async () => {
  const { usdc, swapVault, outcomeToken } = prepared.contracts;
  const vault = { address: swapVault, abi: swapVaultAbi, chain: null } as const;
  const account = await createGrantedAccount();
  await mined(
    await walletFor(keys.faucet).writeContract({
      address: usdc,
      abi: testUsdcAbi,
      chain: null,
      functionName: 'mint',
      args: [account, 100_000_000n],
    }),
  );

  const order = {
    account,
    receiver: account,
    marketKey,
    outcome: 0,
    isBuy: true,
    quantity: 10_000_000n,
    quoteLimit: 6_000_000n,
    expiry: BigInt(Math.floor(Date.now() / 1000) + 600),
    clientRef: keccak256('0x01'),
    salt: 1n,
  };
  const unfunded = { ...order, quoteLimit: 900_000_000n, salt: 2n };
  const requested = await mined(
    await operator().writeContract({
      ...vault,
      functionName: 'requestFor',
      args: [
        [unfunded, order],
        ['0x', '0x'],
      ],
    }),
  );
  const events = parseEventLogs({ abi: swapVaultAbi, logs: requested.logs });
  expect(events.map((event) => event.eventName)).toEqual(['OrderRejected', 'OrderRequested']);

  const tokenId = outcomeTokenId(TICKER, 'yes');
  await mined(
    await walletFor(keys.attestor).writeContract({
      ...vault,
      functionName: 'attestBacking',
      args: [[{ tokenId, bought: 10_000_000n, floor: 550_000 }]],
    }),
  );
  await mined(
    await operator().writeContract({
      ...vault,
      functionName: 'fill',
      args: [{ order, filledTotal: 10_000_000n, quoteTotal: 5_500_000n, isLast: true }],
    }),
  );
  expect(
    await reader().readContract({
      address: outcomeToken,
      abi: outcomeTokenAbi,
      functionName: 'balanceOf',
      args: [account, tokenId],
    }),
  ).toBe(10_000_000n);
  expect(
    await reader().readContract({
      address: usdc,
      abi: testUsdcAbi,
      functionName: 'balanceOf',
      args: [account],
    }),
  ).toBe(94_500_000n);
  expect(
    await reader().readContract({
      address: account,
      abi: tradingAccountAbi,
      functionName: 'grantNonce',
    }),
  ).toBe(1n);
});

test('given contracts of another version, leaves the chain unchanged', async () => {
  const node = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) });
  const { swapVault } = prepared.contracts;
  const bytecode = await reader().getCode({ address: swapVault });
  if (!bytecode) throw new Error('there is no vault');
  const before = await reader().getBlockNumber();
  await node.setCode({ address: swapVault, bytecode: '0x' });
  const again = { rpcUrl: chain.rpcUrl, keys, tokenUriBase: 'http://localhost:3000' };
  await expect(prepareSandboxChain(again)).rejects.toThrow('another version');
  await node.setCode({ address: swapVault, bytecode });
  expect(await reader().getBlockNumber()).toBe(before);
});

test('given a prepared chain, preparing sends nothing', async () => {
  const before = await reader().getBlockNumber();
  const again = await prepareSandboxChain({
    rpcUrl: chain.rpcUrl,
    keys,
    tokenUriBase: 'http://localhost:3000',
  });
  expect(again).toEqual(prepared);
  expect(await reader().getBlockNumber()).toBe(before);
});

test('given a kill, restarts with its logs', async () => {
  const test = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) });
  await test.setBalance({ address: zeroAddress, value: 77n });
  await test.mine({ blocks: 1 });
  const height = await reader().getBlockNumber();
  await stateWritten();
  process.kill(chain.pid, 'SIGKILL');
  expect(await chain.exited).toBe('SIGKILL');
  chain = await start();
  expect(await reader().getBlockNumber()).toBe(height);
  expect(await reader().getBalance({ address: zeroAddress })).toBe(77n);
  const logs = await reader().getLogs({
    address: prepared.contracts.swapVault,
    fromBlock: prepared.blockNumber,
  });
  expect(parseEventLogs({ abi: swapVaultAbi, logs, eventName: 'OrderFilled' })).toHaveLength(1);
});

test('given a dead starter, the next start takes the chain over', async () => {
  const orphan = chain;
  chain = await start();
  expect(await orphan.exited).toBeTypeOf('string');
  expect(chain.pid).not.toBe(orphan.pid);
});

test('given a taken port, names it with the cure', async () => {
  const other = mkdtempSync(join(tmpdir(), 'crossbook-chain-'));
  const second = startChain({ dataDir: other, port, allowOrigin: 'http://localhost:3000' });
  await expect(second).rejects.toMatchObject({
    message: expect.stringContaining(String(port)),
    cure: expect.stringContaining('CHAIN_RPC_URL'),
  });
  rmSync(other, { recursive: true, force: true });
});

test('given pages of another origin, denies them reading', async () => {
  const ask = (origin: string) =>
    fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    });
  const foreign = await ask('http://evil.example');
  expect(foreign.headers.get('access-control-allow-origin')).not.toBe('http://evil.example');
  expect(foreign.headers.get('access-control-allow-origin')).not.toBe('*');
});

/**
 * The state is written every second: waits for a copy that started after this call. A kill may
 * truncate the file itself.
 */
async function stateWritten(): Promise<void> {
  const writtenAt = await laterThan('state.json', Date.now() + 50);
  await laterThan('state.json.copy', writtenAt);
}

async function laterThan(name: string, afterMs: number): Promise<number> {
  const changedAt = await pollUntil(() => {
    const file = statSync(join(dataDir, name), { throwIfNoEntry: false });
    return file && file.mtimeMs > afterMs ? file.mtimeMs : undefined;
  });
  if (changedAt === undefined) throw new Error(`${name} was not written`);
  return changedAt;
}
