import {
  concatHex,
  encodeDeployData,
  getContract,
  getContractAddress,
  type Hex,
  type PublicClient,
} from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { passkeyWalletFactoryBytecode } from '#contracts/bytecode/passkeyWalletFactory.ts';
import { swapVaultBytecode } from '#contracts/bytecode/swapVault.ts';
import { testUsdcBytecode } from '#contracts/bytecode/testUsdc.ts';
import { tradingAccountFactoryBytecode } from '#contracts/bytecode/tradingAccountFactory.ts';
import { encodeCall } from '#contracts/encodeCall.ts';
import { vaultCreations } from '#lib/vaultCreations.ts';
import { roleId } from './vaultCalls.ts';

/** Arachnid's CREATE2 deployer, at this address on Base and on every development chain. */
export const CREATE2_DEPLOYER: Hex = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** The holders of the vault's roles. */
export type DeploymentRoles = {
  admin: Hex;
  operators: readonly Hex[];
  attestors: readonly Hex[];
  resolvers: readonly Hex[];
  pausers: readonly Hex[];
  /** Receives the vault's earnings and pays shortfalls by allowance. */
  treasury: Hex;
};

/** Parameters that the administrator can change later. */
export type VaultParameters = {
  /** USDC that buyers may pay for mints per hour. */
  mintUsdcMicrosPerHour: bigint;
  /** USDC that sells may be paid per hour. */
  payoutUsdcMicrosPerHour: bigint;
  /** USDC that settlements may set aside per hour. */
  settlementUsdcMicrosPerHour: bigint;
  settlementDelaySeconds: number;
  maxBackingAgeSeconds: number;
  /** Metadata lives at `{tokenUriBase}/v1/tokens/{id}`. */
  tokenUriBase: string;
};

export type DeploymentAddresses = {
  usdc: Hex;
  outcomeToken: Hex;
  swapVault: Hex;
  settlement: Hex;
  accountFactory: Hex;
  passkeyFactory: Hex;
};

/** `creates` is the address of the contract that the step deploys. */
export type DeploymentStep = { label: string; to: Hex; data: Hex; creates?: Hex };

export type DeploymentPlan = {
  addresses: DeploymentAddresses;
  /** Steps still to send, in order; empty when the chain matches the configuration. */
  steps: DeploymentStep[];
};

export type PlanInput = {
  deployer: Hex;
  salt: Hex;
  /** An existing USDC; without it a test dollar is deployed. */
  usdc?: Hex | undefined;
  roles: DeploymentRoles;
  parameters: VaultParameters;
};

/** Compares the chain with the configuration. Reads only. */
export async function planDeployment(
  client: PublicClient,
  input: PlanInput,
): Promise<DeploymentPlan> {
  const steps: DeploymentStep[] = [];
  const create = async (label: string, initCode: Hex): Promise<Hex> => {
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: CREATE2_DEPLOYER,
      salt: input.salt,
      bytecode: initCode,
    });
    if (!(await hasCode(client, address))) {
      steps.push({
        label: `deploy ${label} at ${address}`,
        to: CREATE2_DEPLOYER,
        data: concatHex([input.salt, initCode]),
        creates: address,
      });
    }
    return address;
  };
  const usdc =
    input.usdc ??
    (await create(
      'TestUsdc',
      encodeDeployData({ abi: testUsdcAbi, bytecode: testUsdcBytecode, args: [input.deployer] }),
    ));
  const swapVault = await create(
    'SwapVault',
    encodeDeployData({
      abi: swapVaultAbi,
      bytecode: swapVaultBytecode,
      args: [usdc, input.deployer],
    }),
  );
  const accountFactory = await create(
    'TradingAccountFactory',
    encodeDeployData({
      abi: tradingAccountFactoryAbi,
      bytecode: tradingAccountFactoryBytecode,
      args: [swapVault],
    }),
  );
  const passkeyFactory = await create('PasskeyWalletFactory', passkeyWalletFactoryBytecode);
  steps.push(...(await configurationSteps(client, swapVault, input)));
  return {
    addresses: { usdc, swapVault, ...vaultCreations(swapVault), accountFactory, passkeyFactory },
    steps,
  };
}

async function configurationSteps(
  client: PublicClient,
  vault: Hex,
  { roles, parameters, deployer }: PlanInput,
): Promise<DeploymentStep[]> {
  const deployed = await hasCode(client, vault);
  const steps: DeploymentStep[] = [];
  const send = (label: string, data: Hex) => steps.push({ label, to: vault, data });
  const current = deployed ? await readParameters(client, vault) : undefined;

  const isTreasury = current?.treasury.toLowerCase() === roles.treasury.toLowerCase();
  const caps = [
    parameters.mintUsdcMicrosPerHour,
    parameters.payoutUsdcMicrosPerHour,
    parameters.settlementUsdcMicrosPerHour,
  ] as const;
  const now = [current?.mintPerHour, current?.payoutPerHour, current?.settlementPerHour];
  if (caps.some((cap, index) => cap !== now[index])) {
    send(`set the hourly caps to ${caps.join(', ')}`, encodeCall(swapVaultAbi, 'setBuckets', caps));
  }
  const { settlementDelaySeconds: delay, maxBackingAgeSeconds: age } = parameters;
  if (current?.settlementDelay !== BigInt(delay) || current.maxBackingAge !== BigInt(age)) {
    send(
      `set delays to ${delay} s and ${age} s`,
      encodeCall(swapVaultAbi, 'setTimings', [delay, age]),
    );
  }
  const base = parameters.tokenUriBase.replace(/\/$/, '');
  if (current?.uri !== `${base}/v1/tokens/{id}`) {
    steps.push({
      label: `set the metadata base to ${base}`,
      to: vaultCreations(vault).outcomeToken,
      data: encodeCall(outcomeTokenAbi, 'setUriBase', [base]),
    });
  }
  for (const [name, role, holders] of roleHolders(roles)) {
    if (name === 'TREASURY' && isTreasury) continue; // It accepted the invitation.
    for (const holder of holders) {
      if (deployed && (await hasRole(client, vault, role, holder))) continue;
      send(`grant ${name} to ${holder}`, encodeCall(swapVaultAbi, 'grantRole', [role, holder]));
    }
  }
  const isDeployerAdmin = deployer.toLowerCase() === roles.admin.toLowerCase();
  const holdsAdmin = !deployed || (await hasRole(client, vault, ADMIN_ROLE, deployer));
  if (!isDeployerAdmin && holdsAdmin) {
    send(
      'give up the deployer’s ADMIN',
      encodeCall(swapVaultAbi, 'renounceRole', [ADMIN_ROLE, deployer]),
    );
  }
  return steps;
}

const ADMIN_ROLE = roleId('ADMIN');

/** The treasury is only invited: it pays once it has called `acceptTreasury`. */
function roleHolders(roles: DeploymentRoles): [string, Hex, readonly Hex[]][] {
  return [
    ['OPERATOR', roleId('OPERATOR'), roles.operators],
    ['ATTESTOR', roleId('ATTESTOR'), roles.attestors],
    ['RESOLVER', roleId('RESOLVER'), roles.resolvers],
    ['PAUSER', roleId('PAUSER'), roles.pausers],
    ['TREASURY', roleId('TREASURY'), [roles.treasury]],
    ['ADMIN', ADMIN_ROLE, [roles.admin]],
  ];
}

async function readParameters(client: PublicClient, vault: Hex) {
  const { read } = getContract({ address: vault, abi: swapVaultAbi, client });
  const token = getContract({
    address: vaultCreations(vault).outcomeToken,
    abi: outcomeTokenAbi,
    client,
  });
  const [treasury, parameters, uri] = await Promise.all([
    read.treasury(),
    read.parameters(),
    token.read.uri([0n]),
  ]);
  return { treasury, ...parameters, uri };
}

export async function hasRole(
  client: PublicClient,
  vault: Hex,
  role: Hex,
  holder: Hex,
): Promise<boolean> {
  return await getContract({ address: vault, abi: swapVaultAbi, client }).read.hasRole([
    role,
    holder,
  ]);
}

export async function hasCode(client: PublicClient, address: Hex): Promise<boolean> {
  const code = await client.getCode({ address });
  return code !== undefined && code !== '0x';
}
