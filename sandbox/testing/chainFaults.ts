import {
  type Address,
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  parseAbiItem,
  toBytes,
  walletActions,
} from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { base } from '#lib/chains.ts';
import { MICROS } from '#lib/money.ts';
import type { ChainFaultKind } from '#sandbox/chain/chainFaults.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import type { VaultOrder } from '#server/chain/vaultOrder.ts';

type Sandbox = Pick<SandboxDescription, 'rpcUrl' | 'contracts'>;

/** The code of a contract that rejects every call. */
export const REVERTS_ALWAYS: Hex = '0x60006000fd';

const MOST_PER_HOUR = 100_000_000n * MICROS;
const SEND_GAS = 300_000n;

/** Ways to make the sandbox's chain, or the node in front of it, misbehave. */
export type ChainFaultControl = {
  /** Arms this fault for the next `times` occasions; see sandbox/chain/chainFaults.ts. */
  arm(kind: ChainFaultKind, times?: number): Promise<void>;
  /**
   * The node reports to be `blocks` behind, on every request or on every `every`th, as behind a
   * load balancer. 0 ends it.
   */
  lag(blocks: number, every?: number): Promise<void>;
  latency(milliseconds: number): Promise<void>;
  /** The node rejects requests whose results have more logs than this. */
  limitLogs(mostLogs: number): Promise<void>;
  /** Disarms everything, ends lag, latency and limits, resumes mining. */
  clear(): Promise<void>;
  /** Transactions are accepted and wait; `releaseMining` mines one block of all of them. */
  holdMining(): Promise<void>;
  releaseMining(): Promise<void>;
  /** Mines blocks, empty or with pending transactions. */
  mine(blocks?: number): Promise<void>;
  /**
   * Replaces the last blocks: their transactions move to later blocks, those of the senders in
   * `drop` vanish until they are sent again.
   */
  reorganise(
    depth: number,
    options?: { drop?: readonly Address[] },
  ): Promise<{ moved: number; dropped: number }>;
  /** From the next block on; it falls by an eighth with each block. */
  setBaseFee(wei: bigint): Promise<void>;
  /** While paused, requests and fills revert as a whole; refunds and withdrawals do not. */
  setVaultPaused(paused: boolean): Promise<void>;
  /** Caps, per hour and in USDC, what buyers pay for mints and what sellers are paid. */
  setHourlyCaps(caps: { mint: bigint; payout: bigint }): Promise<void>;
  /** What the vault may draw from the treasury, which receives its past earnings first. */
  setTreasuryAllowance(usdcMicros: bigint): Promise<void>;
  /** As an operator that gives up an order. */
  refundEarly(order: VaultOrder): Promise<void>;
  /** Sends a call to the vault as the first holder of a role. */
  callVaultAs(role: string, data: Hex): Promise<void>;
  /** Adds or removes an account's gas money. */
  setGasMoney(address: Address, wei: bigint): Promise<void>;
  /** The issuer of USDC blocks an address, or ends that. */
  setUsdcBlocked(address: Address, isBlocked: boolean): Promise<void>;
  /** Replaces the code at an address; `0x` is a wallet again. */
  setCode(address: Address, bytecode: Hex): Promise<void>;
  /** The accounts that may operate the vault. */
  listAdmins(): Promise<Address[]>;
};

const ROLE_GRANTED = parseAbiItem(
  'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
);

export function controlChainFaults(sandbox: Sandbox): ChainFaultControl {
  const post = async (name: string, fields: object = {}): Promise<unknown> => {
    const response = await fetch(`${sandbox.rpcUrl}/_control/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    if (!response.ok) throw new Error(`chain control ${name}: ${await response.text()}`);
    return await response.json();
  };
  return {
    arm: async (kind, times = 1) => void (await post('faults', { arm: [{ kind, times }] })),
    lag: async (blocks, every = 1) =>
      void (await post('faults', { lagBlocks: blocks, lagEvery: every })),
    latency: async (milliseconds) => void (await post('faults', { latencyMs: milliseconds })),
    limitLogs: async (mostLogs) => void (await post('faults', { mostLogs })),
    async clear() {
      await post('faults', { clear: true });
      await post('mining', { held: false });
    },
    holdMining: async () => void (await post('mining', { held: true })),
    releaseMining: async () => void (await post('mining', { held: false })),
    mine: async (blocks = 1) => void (await post('mine', { blocks })),
    reorganise: async (depth, options = {}) =>
      (await post('reorganise', { depth, ...options })) as { moved: number; dropped: number },
    setBaseFee: async (wei) => void (await post('base_fee', { wei: wei.toString() })),
    setVaultPaused: (paused) => setVaultPaused(sandbox, paused),
    setHourlyCaps: (caps) => setHourlyCaps(sandbox, caps),
    setTreasuryAllowance: (usdcMicros) => setTreasuryAllowance(sandbox, usdcMicros),
    refundEarly: (order) => refundEarly(sandbox, order),
    callVaultAs: (role, data) => callVaultAs(sandbox, role, data),
    setGasMoney: async (address, value) => await testClient(sandbox).setBalance({ address, value }),
    setUsdcBlocked: (address, isBlocked) => setUsdcBlocked(sandbox, address, isBlocked),
    setCode: async (address, bytecode) => await testClient(sandbox).setCode({ address, bytecode }),
    listAdmins: () => listHolders(sandbox, 'OPERATOR'),
  };
}

function testClient(sandbox: Sandbox) {
  return createTestClient({
    mode: 'anvil',
    chain: base,
    transport: http(sandbox.rpcUrl),
  }).extend(walletActions);
}

async function listHolders(sandbox: Sandbox, role: string): Promise<Address[]> {
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const logs = await client.getLogs({
    address: sandbox.contracts.swapVault,
    event: ROLE_GRANTED,
    args: { role: role === 'ADMIN' ? `0x${'00'.repeat(32)}` : keccak256(toBytes(role)) },
    fromBlock: 0n,
  });
  return logs.flatMap((log) => log.args.account ?? []);
}

async function setVaultPaused(sandbox: Sandbox, paused: boolean): Promise<void> {
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const vault = { address: sandbox.contracts.swapVault, abi: swapVaultAbi } as const;
  if ((await client.readContract({ ...vault, functionName: 'paused' })) === paused) return;
  const functionName = paused ? 'pause' : 'unpause';
  const data = encodeFunctionData({ abi: swapVaultAbi, functionName });
  await callVaultAs(sandbox, paused ? 'PAUSER' : 'ADMIN', data);
}

async function callVaultAs(sandbox: Sandbox, role: string, data: Hex): Promise<void> {
  const [sender] = await listHolders(sandbox, role);
  if (!sender) throw new Error(`this vault has no ${role}`);
  await sendAs(sandbox, sender, sandbox.contracts.swapVault, data);
}

/** The cap of settlements does not interfere. */
async function setHourlyCaps(
  sandbox: Sandbox,
  { mint, payout }: { mint: bigint; payout: bigint },
): Promise<void> {
  const args = [mint * MICROS, payout * MICROS, MOST_PER_HOUR] as const;
  const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'setBuckets', args });
  await callVaultAs(sandbox, 'ADMIN', data);
}

async function setTreasuryAllowance(sandbox: Sandbox, usdcMicros: bigint): Promise<void> {
  const { usdc, swapVault } = sandbox.contracts;
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const vault = { address: swapVault, abi: swapVaultAbi } as const;
  const [treasury, accrued] = await Promise.all([
    client.readContract({ ...vault, functionName: 'treasury' }),
    client.readContract({ ...vault, functionName: 'accrued' }),
  ]);
  const sweep = encodeFunctionData({ ...vault, functionName: 'sweep', args: [accrued] });
  await sendAs(sandbox, treasury, swapVault, sweep);
  const args = [swapVault, usdcMicros] as const;
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  await sendAs(sandbox, treasury, usdc, approve);
}

async function setUsdcBlocked(
  sandbox: Sandbox,
  account: Address,
  isBlocked: boolean,
): Promise<void> {
  const { usdc } = sandbox.contracts;
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const issuer = await client.readContract({
    address: usdc,
    abi: testUsdcAbi,
    functionName: 'owner',
  });
  const functionName = isBlocked ? 'blacklist' : 'unBlacklist';
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName, args: [account] });
  await sendAs(sandbox, issuer, usdc, data);
}

async function refundEarly(sandbox: Sandbox, order: VaultOrder): Promise<void> {
  const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'refund', args: [order] });
  await callVaultAs(sandbox, 'OPERATOR', data);
}

/** The local chain allows impersonating any account. */
async function sendAs(sandbox: Sandbox, sender: Address, to: Address, data: Hex): Promise<void> {
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const test = testClient(sandbox);
  await test.impersonateAccount({ address: sender });
  try {
    // An estimate may be too low when it is mined: other calls change the same state.
    const hash: Hex = await test.sendTransaction({ account: sender, to, data, gas: SEND_GAS });
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    if (receipt.status !== 'success') throw new Error('the transaction was reverted');
  } finally {
    await test.stopImpersonatingAccount({ address: sender });
  }
}
