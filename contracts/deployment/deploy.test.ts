import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, keccak256, pad, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { type DeployInput, dryRunDeployment } from './deploy.ts';
import { developmentAddressesAmong, developmentWallet } from './developmentKeys.ts';

const role = (index: number): Hex => pad(toHex(index), { size: 20 });

const input: DeployInput = {
  rpcUrl: 'https://chain.example',
  deployerKey: generatePrivateKey(),
  salt: keccak256('0x01'),
  usdc: role(1),
  roles: {
    admin: role(2),
    treasury: role(3),
    operators: [role(4)],
    attestors: [role(5)],
    resolvers: [role(6)],
    pausers: [role(7)],
  },
  parameters: {
    mintUsdcMicrosPerHour: 1n,
    payoutUsdcMicrosPerHour: 1n,
    settlementUsdcMicrosPerHour: 1n,
    settlementDelaySeconds: 3_600,
    maxBackingAgeSeconds: 900,
    tokenUriBase: 'https://crossbook.example',
  },
};

test('the well-known wallets are recognised in upper and lower case', () => {
  // The first address of the mnemonic, as every development chain prints it.
  const first: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  expect(developmentWallet(0).address).toBe(first);
  const lower = first.toLowerCase() as Hex;
  expect(developmentAddressesAmong([role(9), lower])).toEqual([lower]);
});

test('a known key deploys nothing off this machine', async () => {
  const deployerKey = developmentWallet(3).privateKey;
  await expect(dryRunDeployment({ ...input, deployerKey })).rejects.toThrow('private keys');
});

test('a known key gets no role off this machine', async () => {
  const roles = { ...input.roles, resolvers: [developmentWallet(1).address] };
  await expect(dryRunDeployment({ ...input, roles })).rejects.toThrow('private keys');
});

test('off this machine, one address with two roles is refused', async () => {
  const roles = { ...input.roles, attestors: input.roles.operators };
  await expect(dryRunDeployment({ ...input, roles })).rejects.toThrow('its own address');
});

test('off this machine, the deployer gets no role but the administrator’s', async () => {
  const deployer = privateKeyToAccount(input.deployerKey).address;
  const roles = { ...input.roles, operators: [deployer] };
  await expect(dryRunDeployment({ ...input, roles })).rejects.toThrow('its own address');
});

test('a local node without development keys counts as the real chain', async () => {
  const node = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result: 'reth/v2.1.0' }));
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  const { port } = node.address() as AddressInfo;
  const rpcUrl = `http://127.0.0.1:${port}`;
  try {
    const known = { ...input, rpcUrl, deployerKey: developmentWallet(3).privateKey };
    await expect(dryRunDeployment(known)).rejects.toThrow('private keys');
    await expect(dryRunDeployment({ ...input, rpcUrl, usdc: undefined })).rejects.toThrow('USDC');
  } finally {
    node.close();
  }
});

test('the test dollar is never deployed off this machine', async () => {
  await expect(dryRunDeployment({ ...input, usdc: undefined })).rejects.toThrow('USDC');
});
