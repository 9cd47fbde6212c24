import {
  concatHex,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  type PublicClient,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { isLoopback } from '#lib/loopback.ts';
import { developmentAddressesAmong } from './developmentKeys.ts';
import {
  CREATE2_DEPLOYER,
  type DeploymentAddresses,
  type DeploymentPlan,
  hasCode,
  hasRole,
  type PlanInput,
  planDeployment,
} from './plan.ts';
import { roleId } from './vaultCalls.ts';
import { GRANTED } from './vaultState.ts';

export type DeployInput = Omit<PlanInput, 'deployer'> & {
  rpcUrl: string;
  deployerKey: Hex;
  /** The result of an earlier run; without it, the logs of a deployed vault are searched. */
  recorded?: { swapVault: Hex; blockNumber: bigint } | undefined;
};

export type Deployment = DeploymentAddresses & {
  chainId: number;
  /** The block in which the vault was deployed: it has no older logs. */
  blockNumber: bigint;
  /** Labels of the sent transactions; empty when nothing was missing. */
  sent: string[];
};

/** The deployment cannot continue; the message names the reason and the cure. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
}

/**
 * Deploys what is missing and sets roles and parameters as configured. Safe to repeat:
 * addresses depend only on salt, deployer, USDC and the code.
 * @throws {DeploymentError} for well-known keys off this machine, a chain without the CREATE2
 *   deployer, a step that failed, or one that only the present administrator could send
 */
export async function deployContracts(input: DeployInput): Promise<Deployment> {
  const { client, plan, deployer } = await prepareDeployment(input);
  const chainId = await client.getChainId();
  await refuseForeignSteps(client, plan, deployer);
  const wallet = createWalletClient({
    account: privateKeyToAccount(input.deployerKey),
    transport: http(input.rpcUrl),
  });
  let vaultBlock: bigint | undefined;
  for (const step of plan.steps) {
    const hash = await wallet.sendTransaction({ chain: null, to: step.to, data: step.data });
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') {
      throw new DeploymentError(`"${step.label}" was reverted (transaction ${hash})`);
    }
    if (step.creates === plan.addresses.swapVault) vaultBlock = receipt.blockNumber;
  }
  return {
    ...plan.addresses,
    chainId,
    blockNumber: vaultBlock ?? (await deploymentBlock(client, plan.addresses.swapVault, input)),
    sent: plan.steps.map((step) => step.label),
  };
}

/**
 * Returns what `deployContracts` would send, without sending it.
 * @throws {DeploymentError} as deployContracts does before its first step
 */
export async function dryRunDeployment(input: DeployInput): Promise<DeploymentPlan> {
  const { client, plan, deployer } = await prepareDeployment(input);
  await refuseForeignSteps(client, plan, deployer);
  return plan;
}

async function prepareDeployment(input: DeployInput) {
  const deployer = privateKeyToAccount(input.deployerKey).address;
  const { operators, attestors, resolvers } = input.roles;
  refuseShared([...operators, ...attestors, ...resolvers]);
  const isHere = isLoopback(input.rpcUrl);
  if (!isHere) refuseUnsafe(input, deployer);
  const client = createPublicClient({
    transport: http(input.rpcUrl),
    pollingInterval: isHere ? 50 : 2_000,
  });
  // A node of the real chain may run on this machine too, or be reached through a tunnel.
  const isLocal = isHere && (await isDevelopmentNode(client));
  if (!isLocal) refuseUnsafe(input, deployer);
  if (!(await hasCode(client, CREATE2_DEPLOYER))) {
    throw new DeploymentError(`The chain has no CREATE2 deployer at ${CREATE2_DEPLOYER}.`);
  }
  if (input.usdc) await refuseForeignDollar(client, input.usdc);
  const salt = isLocal ? localSalt(input.salt) : input.salt;
  const plan = await planDeployment(client, { ...input, salt, deployer });
  await refuseSecondRoles(client, plan.addresses.swapVault, input.roles);
  return { client, plan, deployer };
}

function refuseShared(holders: readonly Hex[]): void {
  if (new Set(holders.map((holder) => holder.toLowerCase())).size !== holders.length) {
    throw new DeploymentError(
      'Every role needs its own address, so that a stolen key has one power only.',
    );
  }
}

/** Refuses a key that already has another of the service's roles at the vault. */
async function refuseSecondRoles(
  client: PublicClient,
  vault: Hex,
  { operators, attestors, resolvers }: DeployInput['roles'],
): Promise<void> {
  if (!(await hasCode(client, vault))) return;
  const holders = { OPERATOR: operators, ATTESTOR: attestors, RESOLVER: resolvers } as const;
  const names = ['OPERATOR', 'ATTESTOR', 'RESOLVER'] as const;
  for (const name of names) {
    for (const holder of names.flatMap((other) => (other === name ? [] : holders[other]))) {
      if (!(await hasRole(client, vault, roleId(name), holder))) continue;
      throw new DeploymentError(
        `${holder} is ${name} already; revoke that before it gets another role of the service.`,
      );
    }
  }
}

/**
 * Local chains have Base's id. Another salt gives their contracts other addresses, so that
 * signatures for them are worthless on Base.
 */
function localSalt(salt: Hex): Hex {
  return keccak256(concatHex([salt, toHex('on this machine')]));
}

async function isDevelopmentNode(client: PublicClient): Promise<boolean> {
  const version: string = await client.request({ method: 'web3_clientVersion' });
  return /^(anvil|hardhat)/i.test(version);
}

async function refuseForeignDollar(client: PublicClient, usdc: Hex): Promise<void> {
  const decimals = await client
    .readContract({ address: usdc, abi: erc20Abi, functionName: 'decimals' })
    .catch(() => undefined);
  if (decimals !== 6) {
    throw new DeploymentError(
      `There is no token with six decimals at ${usdc}: is it the USDC of this chain?`,
    );
  }
}

/** Refuses what is convenient on a local chain and dangerous on any other. */
function refuseUnsafe({ roles, usdc }: DeployInput, deployer: Hex): void {
  const holders = [
    roles.admin,
    roles.treasury,
    ...roles.operators,
    ...roles.attestors,
    ...roles.resolvers,
    ...roles.pausers,
  ];
  const known = developmentAddressesAmong([deployer, ...holders]);
  if (known.length > 0) {
    throw new DeploymentError(
      `The private keys of ${known.join(', ')} are public: use them only for a chain on this machine.`,
    );
  }
  // Only the administrator may also deploy: the deployer is the first administrator.
  const isDeployerAdmin = deployer.toLowerCase() === roles.admin.toLowerCase();
  const powers = isDeployerAdmin ? holders : [deployer, ...holders];
  refuseShared(powers);
  if (usdc === undefined) {
    throw new DeploymentError('Off this machine, the address of an existing USDC is required.');
  }
}

/** After the handover the deployer can no longer configure, so this fails before the first step. */
async function refuseForeignSteps(client: PublicClient, plan: DeploymentPlan, deployer: Hex) {
  for (const step of plan.steps) {
    if (step.to === CREATE2_DEPLOYER) continue;
    // The deployer will be the administrator of a vault that is not deployed yet.
    if (!(await hasCode(client, step.to))) return;
    try {
      await client.call({ account: deployer, to: step.to, data: step.data });
    } catch {
      const pending = plan.steps.map((pendingStep) => `  - ${pendingStep.label}`).join('\n');
      throw new DeploymentError(
        `The vault at ${step.to} differs from the configuration, and only its administrator can change that:\n${pending}`,
      );
    }
  }
}

/** The block of the first grant of a role, which the constructor makes. */
async function deploymentBlock(
  client: PublicClient,
  vault: Hex,
  { recorded }: DeployInput,
): Promise<bigint> {
  if (recorded?.swapVault === vault) return recorded.blockNumber;
  const logs = await client.getLogs({ address: vault, event: GRANTED, fromBlock: 0n });
  const first = logs[0]?.blockNumber;
  if (first === undefined || first === null) {
    throw new DeploymentError(`The chain shows no grant of a role at the vault ${vault}.`);
  }
  return first;
}
