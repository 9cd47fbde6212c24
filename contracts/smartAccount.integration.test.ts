import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  concatHex,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  pad,
  parseEther,
  serializeErc6492Signature,
  toHex,
  zeroAddress,
} from 'viem';
import {
  entryPoint08Abi,
  entryPoint08Address,
  getUserOperationHash,
} from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { signTypedData } from 'viem/experimental/erc7739';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { prepareSandboxChain } from '#sandbox/chain/prepareSandboxChain.ts';
import { type RunningChain, startChain } from '#sandbox/chain/startChain.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { CREATE2_DEPLOYER } from './deployment/plan.ts';

/** With this salt the published artefact lands on the address that every chain knows. */
const ENTRY_POINT_SALT = '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9';
const BATCH_MODE = `0x01${'00'.repeat(31)}` as const;

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-accounts-'));
const deployerKey = generatePrivateKey();
let chain: RunningChain;
let factory: Hex;

const reader = () =>
  createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 20, cacheTime: 0 });
const wallet = (key: Hex) =>
  createWalletClient({ account: privateKeyToAccount(key), transport: http(chain.rpcUrl) });

async function send(to: Hex, data: Hex) {
  const hash = await wallet(deployerKey).sendTransaction({ chain: null, to, data });
  const receipt = await reader().waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
}

const addressOf = (owner: Hex) =>
  reader().readContract({
    address: factory,
    abi: tradingAccountFactoryAbi,
    functionName: 'addressOf',
    args: [owner],
  });

const createAccountData = (owner: Hex) =>
  encodeFunctionData({
    abi: tradingAccountFactoryAbi,
    functionName: 'createAccount',
    args: [owner],
  });

const fund = (address: Hex) =>
  createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) }).setBalance({
    address,
    value: parseEther('10'),
  });

beforeAll(async () => {
  const port = await anyFreePort();
  chain = await startChain({ dataDir, port, allowOrigin: 'http://localhost:3000' });
  const prepared = await prepareSandboxChain({
    rpcUrl: chain.rpcUrl,
    keys: {
      operators: [generatePrivateKey()],
      attestor: generatePrivateKey(),
      resolver: generatePrivateKey(),
      admin: generatePrivateKey(),
      treasury: generatePrivateKey(),
      faucet: generatePrivateKey(),
    },
    tokenUriBase: 'http://localhost:3000',
  });
  factory = prepared.contracts.accountFactory;
  await fund(privateKeyToAccount(deployerKey).address);
  const artefact: { bytecode: Hex } = JSON.parse(
    readFileSync(
      createRequire(import.meta.url).resolve(
        '@account-abstraction/contracts/artifacts/EntryPoint.json',
      ),
      'utf8',
    ),
  );
  await send(CREATE2_DEPLOYER, concatHex([ENTRY_POINT_SALT, artefact.bytecode]));
}, 60_000);

afterAll(async () => {
  await chain.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function userOperation(ownerKey: Hex, signerKey: Hex) {
  const owner = privateKeyToAccount(ownerKey).address;
  const sender = await addressOf(owner);
  const calls = encodeAbiParameters(
    [
      {
        type: 'tuple[]',
        components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
      },
    ],
    [[[owner, 1n, '0x']]],
  );
  const unsigned = {
    sender,
    nonce: 0n,
    factory,
    factoryData: createAccountData(owner),
    callData: encodeFunctionData({
      abi: tradingAccountAbi,
      functionName: 'execute',
      args: [BATCH_MODE, calls],
    }),
    callGasLimit: 200_000n,
    verificationGasLimit: 500_000n,
    preVerificationGas: 60_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    signature: '0x' as Hex,
  };
  const hash = getUserOperationHash({
    chainId: 8453,
    entryPointAddress: entryPoint08Address,
    entryPointVersion: '0.8',
    userOperation: unsigned,
  });
  const signature = await privateKeyToAccount(signerKey).sign({ hash });
  const pair = (high: bigint, low: bigint) =>
    concatHex([pad(toHex(high), { size: 16 }), pad(toHex(low), { size: 16 })]);
  return {
    sender,
    nonce: unsigned.nonce,
    initCode: concatHex([factory, unsigned.factoryData]),
    callData: unsigned.callData,
    accountGasLimits: pair(unsigned.verificationGasLimit, unsigned.callGasLimit),
    preVerificationGas: unsigned.preVerificationGas,
    gasFees: pair(unsigned.maxPriorityFeePerGas, unsigned.maxFeePerGas),
    paymasterAndData: '0x' as Hex,
    signature,
  };
}

const handle = (operation: Awaited<ReturnType<typeof userOperation>>) =>
  encodeFunctionData({
    abi: entryPoint08Abi,
    functionName: 'handleOps',
    args: [[operation], privateKeyToAccount(deployerKey).address],
  });

test('EntryPoint 0.8 deploys an account and executes its owner’s batch', async () => {
  const ownerKey = generatePrivateKey();
  const owner = privateKeyToAccount(ownerKey).address;
  const account = await addressOf(owner);
  await fund(account);
  await send(entryPoint08Address, handle(await userOperation(ownerKey, ownerKey)));
  expect(await reader().getCode({ address: account })).toBeDefined();
  expect(await reader().getBalance({ address: owner })).toBe(1n);
});

test('EntryPoint 0.8 refuses an operation with another wallet’s signature', async () => {
  const ownerKey = generatePrivateKey();
  const account = await addressOf(privateKeyToAccount(ownerKey).address);
  await fund(account);
  const forged = await userOperation(ownerKey, generatePrivateKey());
  await expect(
    reader().call({
      account: privateKeyToAccount(deployerKey).address,
      to: entryPoint08Address,
      data: handle(forged),
    }),
  ).rejects.toThrow();
});

const typedData = {
  domain: { name: 'Some application', version: '1', chainId: 8453, verifyingContract: zeroAddress },
  types: { Login: [{ name: 'statement', type: 'string' }] },
  primaryType: 'Login',
  message: { statement: 'It is me.' },
} as const;

async function nestedSignature(signerKey: Hex, account: Hex): Promise<Hex> {
  return signTypedData(wallet(signerKey), {
    ...typedData,
    verifierDomain: {
      name: 'Crossbook Account',
      version: '1',
      chainId: 8453,
      verifyingContract: account,
      salt: pad('0x'),
    },
    account: privateKeyToAccount(signerKey),
  });
}

test('typed data is verified before the account exists, and after', async () => {
  const ownerKey = generatePrivateKey();
  const owner = privateKeyToAccount(ownerKey).address;
  const account = await addressOf(owner);
  const nested = await nestedSignature(ownerKey, account);
  const wrapped = serializeErc6492Signature({
    address: factory,
    data: createAccountData(owner),
    signature: nested,
  });
  const verify = (signature: Hex) =>
    reader().verifyTypedData({ address: account, ...typedData, signature });
  expect(await verify(wrapped)).toBe(true);
  const foreign = serializeErc6492Signature({
    address: factory,
    data: createAccountData(owner),
    signature: await nestedSignature(generatePrivateKey(), account),
  });
  expect(await verify(foreign)).toBe(false);

  await send(factory, createAccountData(owner));
  expect(await verify(nested)).toBe(true);
  expect(await verify(await nestedSignature(generatePrivateKey(), account))).toBe(false);
});
