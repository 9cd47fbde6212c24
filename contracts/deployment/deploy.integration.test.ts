import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  getAddress,
  getContract,
  type Hex,
  http,
  keccak256,
  pad,
  toHex,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { type RunningChain, startChain } from '#sandbox/chain/startChain.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { type DeployInput, deployContracts, dryRunDeployment } from './deploy.ts';
import { planDeployment } from './plan.ts';

const role = (index: number): Hex => pad(toHex(index), { size: 20 });
const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-deployment-'));
const deployerKey = generatePrivateKey();
let chain: RunningChain;
let input: DeployInput;

const client = () => createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 });

beforeAll(async () => {
  chain = await startChain({
    dataDir,
    port: await anyFreePort(),
    allowOrigin: 'http://localhost:3000',
  });
  const deployer = privateKeyToAccount(deployerKey).address;
  await createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) }).setBalance({
    address: deployer,
    value: 10n ** 20n,
  });
  input = {
    rpcUrl: chain.rpcUrl,
    deployerKey,
    salt: keccak256('0x01'),
    roles: {
      admin: role(0x11),
      treasury: role(0x12),
      operators: [role(0x13), role(0x14)],
      attestors: [role(0x15)],
      resolvers: [role(0x16)],
      pausers: [role(0x17)],
    },
    parameters: {
      mintUsdcMicrosPerHour: 7n,
      payoutUsdcMicrosPerHour: 8n,
      settlementUsdcMicrosPerHour: 9n,
      settlementDelaySeconds: 3_600,
      maxBackingAgeSeconds: 900,
      tokenUriBase: 'https://crossbook.example/',
    },
  };
});

afterAll(async () => {
  await chain.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('given a dry run, sends nothing; the run sends its plan; the next run finds nothing to do', async () => {
  const plan = await dryRunDeployment(input);
  expect(await client().getCode({ address: plan.addresses.swapVault })).toBeUndefined();
  const first = await deployContracts(input);
  expect(first.sent).toEqual(plan.steps.map((step) => step.label));
  expect(first).toMatchObject(plan.addresses);
  const { read } = getContract({ address: first.swapVault, abi: swapVaultAbi, client: client() });
  expect(await read.outcomeToken()).toBe(first.outcomeToken);
  expect(await read.settlement()).toBe(first.settlement);
  const second = await deployContracts(input);
  expect(second).toEqual({ ...first, sent: [] });
});

test('the treasury is invited, and pays once it has accepted', async () => {
  const { swapVault } = (await dryRunDeployment(input)).addresses;
  const vault = { address: swapVault, abi: swapVaultAbi } as const;
  const { treasury } = input.roles;
  const read = () => client().readContract({ ...vault, functionName: 'treasury' });
  expect(await read()).toBe(zeroAddress);
  const node = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) });
  await node.impersonateAccount({ address: treasury });
  await node.setBalance({ address: treasury, value: 10n ** 18n });
  const wallet = createWalletClient({ account: treasury, transport: http(chain.rpcUrl) });
  const hash = await wallet.writeContract({
    ...vault,
    chain: null,
    functionName: 'acceptTreasury',
  });
  await client().waitForTransactionReceipt({ hash });
  expect(await read()).toBe(getAddress(treasury));
  expect((await deployContracts(input)).sent).toEqual([]);
});

test('every role has its holder, and the deployer has none', async () => {
  const { swapVault } = (await dryRunDeployment(input)).addresses;
  const has = (power: Hex, holder: Hex) =>
    client().readContract({
      address: swapVault,
      abi: swapVaultAbi,
      functionName: 'hasRole',
      args: [power, holder],
    });
  const ADMIN: Hex = pad('0x0', { size: 32 });
  const powers: [string, readonly Hex[]][] = [
    ['OPERATOR', input.roles.operators],
    ['ATTESTOR', input.roles.attestors],
    ['RESOLVER', input.roles.resolvers],
    ['PAUSER', input.roles.pausers],
  ];
  for (const [name, holders] of powers) {
    for (const holder of holders) expect(await has(keccak256(toHex(name)), holder)).toBe(true);
    expect(await has(keccak256(toHex(name)), input.roles.admin)).toBe(false);
  }
  expect(await has(ADMIN, input.roles.admin)).toBe(true);
  expect(await has(ADMIN, privateKeyToAccount(deployerKey).address)).toBe(false);
});

test.each(['attestors', 'resolvers'] as const)(
  'given an address with one role of the service, rejects a second one: %s',
  async (second) => {
    const [operator = role(0)] = input.roles.operators;
    const shared = { ...input.roles, [second]: [...input.roles[second], operator] };
    await expect(deployContracts({ ...input, roles: shared })).rejects.toThrow('its own address');
    const moved = { ...shared, operators: [role(0x77)] };
    await expect(deployContracts({ ...input, roles: moved })).rejects.toThrow(
      'is OPERATOR already',
    );
  },
);

test('after the handover, names a difference and leaves it to the administrator', async () => {
  const parameters = { ...input.parameters, mintUsdcMicrosPerHour: 9n };
  await expect(deployContracts({ ...input, parameters })).rejects.toThrow('hourly caps to 9, 8, 9');
});

test('on another chain, the same configuration has other addresses', async () => {
  const deployer = privateKeyToAccount(deployerKey).address;
  const here = await dryRunDeployment(input);
  const there = await planDeployment(client(), { ...input, deployer });
  expect(there.addresses.swapVault).not.toBe(here.addresses.swapVault);
  expect(there.addresses.accountFactory).not.toBe(here.addresses.accountFactory);
});

test('given a token that is not USDC, rejects it', async () => {
  await expect(dryRunDeployment({ ...input, usdc: role(0x99) })).rejects.toThrow('six decimals');
});
