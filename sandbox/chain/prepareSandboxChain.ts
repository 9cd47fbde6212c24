import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  parseEther,
  toBytes,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { testGasPriceOracleBytecode } from '#contracts/bytecode/testGasPriceOracle.ts';
import { type DeployInput, deployContracts } from '#contracts/deployment/deploy.ts';
import { GAS_PRICE_ORACLE } from '#server/chain/dataFee.ts';
import { DEMO_WALLETS } from './demoWallets.ts';
import { refuseOtherVersion } from './refuseOtherVersion.ts';

const LOCAL_SALT = keccak256(toBytes('crossbook local chain 1'));

const GAS_MONEY = parseEther('100000');
const TREASURY_USDC_MICROS = 10_000_000n * 1_000_000n;
/** What the vault may draw for sells and settlements beyond its own earnings. */
const FLOAT_USDC_MICROS = 5_000_000n * 1_000_000n;
const HOURLY_CAP_MICROS = 100_000_000n * 1_000_000n;

export type SandboxChainKeys = {
  operators: readonly Hex[];
  attestor: Hex;
  resolver: Hex;
  admin: Hex;
  treasury: Hex;
  faucet: Hex;
  /** Has no role; it gets gas. */
  relayer?: Hex;
};

export type SandboxContracts = {
  usdc: Address;
  outcomeToken: Address;
  swapVault: Address;
  settlement: Address;
  accountFactory: Address;
  passkeyFactory: Address;
};

export type PreparedChain = {
  contracts: SandboxContracts;
  /** The first block for an indexer. */
  blockNumber: bigint;
  demoWallets: typeof DEMO_WALLETS;
};

/**
 * Prepares a local chain for the service: contracts, roles, gas for every key, a faucet with the
 * right to mint, a treasury with a float. Idempotent; on a prepared chain it sends nothing.
 * @throws {StartProblem} when another version, with other contracts, has prepared it
 */
export async function prepareSandboxChain(options: {
  rpcUrl: string;
  keys: SandboxChainKeys;
  /** The service's URL, for the tokens' metadata. */
  tokenUriBase: string;
  settlementDelaySeconds?: number;
  maxBackingAgeSeconds?: number;
}): Promise<PreparedChain> {
  const { rpcUrl, keys } = options;
  const addressOf = (key: Hex) => privateKeyToAccount(key).address;
  const roleKeys = [...keys.operators, keys.attestor, keys.resolver, keys.admin];
  const others = [keys.treasury, keys.faucet, ...(keys.relayer ? [keys.relayer] : [])];
  const funded = [...roleKeys, ...others].map(addressOf);
  await giveGas(rpcUrl, [...funded, ...DEMO_WALLETS.map((wallet) => wallet.address)]);
  await givePredeploy(rpcUrl);
  const input: DeployInput = {
    rpcUrl,
    deployerKey: keys.admin,
    salt: LOCAL_SALT,
    roles: {
      admin: addressOf(keys.admin),
      operators: keys.operators.map(addressOf),
      attestors: [addressOf(keys.attestor)],
      resolvers: [addressOf(keys.resolver)],
      pausers: [addressOf(keys.admin)],
      treasury: addressOf(keys.treasury),
    },
    parameters: {
      mintUsdcMicrosPerHour: HOURLY_CAP_MICROS,
      payoutUsdcMicrosPerHour: HOURLY_CAP_MICROS,
      settlementUsdcMicrosPerHour: HOURLY_CAP_MICROS,
      settlementDelaySeconds: options.settlementDelaySeconds ?? 5,
      maxBackingAgeSeconds: options.maxBackingAgeSeconds ?? 900,
      tokenUriBase: options.tokenUriBase,
    },
  };
  await refuseOtherVersion(input);
  const deployment = await deployContracts(input);
  const { chainId: _chainId, sent: _sent, blockNumber, ...contracts } = deployment;
  await fundTreasury(rpcUrl, keys, contracts);
  return { contracts, blockNumber, demoWallets: DEMO_WALLETS };
}

async function giveGas(rpcUrl: string, addresses: readonly Address[]): Promise<void> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const test = createTestClient({ mode: 'anvil', transport: http(rpcUrl) });
  for (const address of addresses) {
    const balance = await client.getBalance({ address });
    if (balance < GAS_MONEY / 2n) await test.setBalance({ address, value: GAS_MONEY });
  }
}

/** What Base has from its first block on, and a development node has not. */
async function givePredeploy(rpcUrl: string): Promise<void> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  if (await client.getCode({ address: GAS_PRICE_ORACLE })) return;
  const { data: bytecode } = await client.call({ data: testGasPriceOracleBytecode });
  if (!bytecode) throw new Error('the gas price oracle has no code');
  const test = createTestClient({ mode: 'anvil', transport: http(rpcUrl) });
  await test.setCode({ address: GAS_PRICE_ORACLE, bytecode });
}

async function fundTreasury(
  rpcUrl: string,
  keys: SandboxChainKeys,
  contracts: SandboxContracts,
): Promise<void> {
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 });
  const usdc = { address: contracts.usdc, abi: testUsdcAbi } as const;
  const faucet = privateKeyToAccount(keys.faucet);
  const treasury = privateKeyToAccount(keys.treasury);
  const write = async (key: Hex, send: (wallet: ReturnType<typeof walletOf>) => Promise<Hex>) => {
    const hash = await send(walletOf(rpcUrl, key));
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} was reverted`);
  };
  if (!(await client.readContract({ ...usdc, functionName: 'isMinter', args: [faucet.address] }))) {
    await write(keys.admin, (wallet) =>
      wallet.writeContract({
        ...usdc,
        chain: null,
        functionName: 'configureMinter',
        args: [faucet.address, true],
      }),
    );
  }
  const balance = await client.readContract({
    ...usdc,
    functionName: 'balanceOf',
    args: [treasury.address],
  });
  if (balance < TREASURY_USDC_MICROS / 2n) {
    await write(keys.faucet, (wallet) =>
      wallet.writeContract({
        ...usdc,
        chain: null,
        functionName: 'mint',
        args: [treasury.address, TREASURY_USDC_MICROS - balance],
      }),
    );
  }
  const vault = { address: contracts.swapVault, abi: swapVaultAbi } as const;
  if ((await client.readContract({ ...vault, functionName: 'treasury' })) !== treasury.address) {
    await write(keys.treasury, (wallet) =>
      wallet.writeContract({ ...vault, chain: null, functionName: 'acceptTreasury' }),
    );
  }
  const allowance = await client.readContract({
    ...usdc,
    functionName: 'allowance',
    args: [treasury.address, contracts.swapVault],
  });
  if (allowance < FLOAT_USDC_MICROS / 2n) {
    await write(keys.treasury, (wallet) =>
      wallet.writeContract({
        ...usdc,
        chain: null,
        functionName: 'approve',
        args: [contracts.swapVault, FLOAT_USDC_MICROS],
      }),
    );
  }
}

function walletOf(rpcUrl: string, key: Hex) {
  return createWalletClient({ account: privateKeyToAccount(key), transport: http(rpcUrl) });
}
