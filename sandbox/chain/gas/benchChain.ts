import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  parseEther,
  publicActions,
  toBytes,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { prepareSandboxChain } from '../prepareSandboxChain.ts';

const BENCH_GAS = 15_000_000n;

const marketOf = (ticker: string) => ({ ticker, key: keccak256(toBytes(ticker)) });
export const MARKET = marketOf('KXGAS-26DEC31-T1');
/** Stays open when the other one is settled. */
export const OPEN_MARKET = marketOf('KXGAS-26DEC31-T2');

export type BenchChain = Awaited<ReturnType<typeof openBenchChain>>;

/** A prepared chain and its roles; what sends a transaction returns the gas in its receipt. */
export async function openBenchChain(rpcUrl: string) {
  const operatorKey = generatePrivateKey();
  const keys = {
    operators: [operatorKey],
    attestor: generatePrivateKey(),
    resolver: generatePrivateKey(),
    admin: generatePrivateKey(),
    treasury: generatePrivateKey(),
    faucet: generatePrivateKey(),
  };
  const tokenUriBase = 'http://localhost:3000';
  const { contracts } = await prepareSandboxChain({ rpcUrl, keys, tokenUriBase });
  const operator = privateKeyToAccount(operatorKey);
  const attestor = privateKeyToAccount(keys.attestor);
  const faucet = privateKeyToAccount(keys.faucet);
  const send = (from: PrivateKeyAccount, to: Hex, data: Hex) =>
    sendAndMeasure(rpcUrl, from, to, data);
  return {
    contracts,
    operator,
    attestor,
    resolver: privateKeyToAccount(keys.resolver),
    treasury: privateKeyToAccount(keys.treasury),
    client: clientOf(rpcUrl),
    test: createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions),
    send,
    mint: (to: Hex) => {
      const args = [to, 1_000_000_000n] as const;
      const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args });
      return send(faucet, contracts.usdc, data);
    },
    attest: (...tokens: Parameters<typeof outcomeTokenId>[]) => {
      const terms = { bought: 1_000_000_000n, floor: 250_000 };
      const args = [
        tokens.map((token) => ({ tokenId: outcomeTokenId(...token), ...terms })),
      ] as const;
      const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'attestBacking', args });
      return send(attestor, contracts.swapVault, data);
    },
  };
}

/** Between two funded addresses, as a measure of USDC itself. */
export async function transferUsdc({ contracts, operator, test, send, mint }: BenchChain) {
  const holder = privateKeyToAccount(generatePrivateKey());
  await test.setBalance({ address: holder.address, value: parseEther('1') });
  await mint(holder.address);
  await mint(operator.address);
  const args = [operator.address, 1_000_000n] as const;
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args });
  return await send(holder, contracts.usdc, data);
}

const clientOf = (rpcUrl: string) =>
  createPublicClient({ transport: http(rpcUrl), pollingInterval: 10, cacheTime: 0 });

async function sendAndMeasure(
  rpcUrl: string,
  from: PrivateKeyAccount,
  to: Hex,
  data: Hex,
): Promise<number> {
  const wallet = createWalletClient({ account: from, transport: http(rpcUrl) });
  // An estimate may be of the second before, in which an attestation costs less.
  const hash = await wallet.sendTransaction({ chain: null, to, data, gas: BENCH_GAS });
  const client = clientOf(rpcUrl);
  // viem looks for a receipt once per block, and no other block follows here.
  const receipt = await pollUntil(
    () => client.getTransactionReceipt({ hash }).catch(() => undefined),
    { timeoutMs: 30_000, everyMs: 5 },
  );
  if (receipt?.status !== 'success') throw new Error(`transaction ${hash} was reverted`);
  return Number(receipt.gasUsed);
}
