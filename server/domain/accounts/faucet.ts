import { sql } from 'drizzle-orm';
import { type Address, createWalletClient, type Hex, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { base } from '#lib/chains.ts';
import type { Chain } from '../../chain/client.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { ServiceError } from '../../platform/errors.ts';
import { resolveAccount, storeAccount } from './accounts.ts';
import { requireNotServiceAddress } from './serviceAddresses.ts';

export const FAUCET_USDC_MICROS = 10_000_000_000n;
export const FAUCET_NATIVE_WEI = parseEther('1');

/** An arbitrary constant of ours: the lock that faucets of several processes queue for. */
const FAUCET_LOCK_KEY = 7_203_115;
const RECEIPT_TIMEOUT_MS = 15_000;

export type FaucetDeps = { database: Database; chain: Chain; config: Config };

export type FaucetGift = { account: Address; transactionHash: Hex };

/** Queues gifts within this process, so that at most one of them holds a connection. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Test USDC for the smart account of an owner, and gas for the owner. One transaction is in flight
 * at a time across all processes, because they share the faucet's nonce.
 *
 * @throws {ServiceError} `address_not_allowed`, `chain_unavailable`
 */
export function giveTestFunds(deps: FaucetDeps, ownerAddress: string): Promise<FaucetGift> {
  const gift = queue.then(() => giveLocked(deps, ownerAddress));
  queue = gift.catch(() => undefined);
  return gift;
}

async function giveLocked(deps: FaucetDeps, ownerAddress: string): Promise<FaucetGift> {
  await requireNotServiceAddress(deps, { '/address': ownerAddress });
  const identity = await resolveAccount(deps, ownerAddress);
  await storeAccount(deps, identity);
  const { owner, account } = identity;
  return deps.database.orm.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${FAUCET_LOCK_KEY})`);
    try {
      return { account, transactionHash: await send(deps, owner, account) };
    } catch (cause) {
      throw new ServiceError(
        'chain_unavailable',
        'The test funds could not be sent. Try again in a moment.',
        { cause, retryAfterSeconds: 2 },
      );
    }
  });
}

async function send(deps: FaucetDeps, owner: Address, account: Address): Promise<Hex> {
  const { faucetKey, rpcUrl } = deps.config.chain;
  if (!faucetKey) throw new Error('FAUCET_PRIVATE_KEY is not set');
  const wallet = createWalletClient({
    account: privateKeyToAccount(faucetKey),
    chain: { ...base, id: deps.chain.id },
    transport: http(rpcUrl),
  });
  await confirmed(
    deps.chain,
    await wallet.sendTransaction({ to: owner, value: FAUCET_NATIVE_WEI }),
  );
  const mint = await wallet.writeContract({
    address: deps.chain.contracts.usdc,
    abi: testUsdcAbi,
    functionName: 'mint',
    args: [account, FAUCET_USDC_MICROS],
  });
  await confirmed(deps.chain, mint);
  return mint;
}

async function confirmed(chain: Chain, hash: Hex): Promise<void> {
  const receipt = await chain.client.waitForTransactionReceipt({
    hash,
    timeout: RECEIPT_TIMEOUT_MS,
    pollingInterval: 100,
  });
  if (receipt.status !== 'success') throw new Error(`transaction ${hash} was reverted`);
}
