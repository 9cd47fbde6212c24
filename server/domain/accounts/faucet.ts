import { sql } from 'drizzle-orm';
import { type Address, createWalletClient, type Hex, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { base } from '#lib/chains.ts';
import type { Chain } from '../../chain/client.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { isQueryOutage } from '../../platform/database/outage.ts';
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
 * Test USDC for the smart account of an owner, and gas for the owner. All processes send one after
 * another, because they share the faucet's nonce.
 *
 * @throws {ServiceError} `address_not_allowed`, `chain_unavailable`
 */
export function giveTestFunds(deps: FaucetDeps, ownerAddress: string): Promise<FaucetGift> {
  const gift = queue.then(() => give(deps, ownerAddress));
  queue = gift.catch(() => undefined);
  return gift;
}

async function give(deps: FaucetDeps, ownerAddress: string): Promise<FaucetGift> {
  await requireNotServiceAddress(deps, { '/address': ownerAddress });
  const identity = await resolveAccount(deps, ownerAddress);
  await storeAccount(deps, identity);
  try {
    const sent = await sendLocked(deps, identity);
    // After the transaction: PostgreSQL ends the connection of one that waits for blocks.
    await confirmed(deps.chain, sent.native);
    await confirmed(deps.chain, sent.usdc);
    return { account: identity.account, transactionHash: sent.usdc };
  } catch (cause) {
    if (isQueryOutage(cause)) throw cause;
    throw new ServiceError(
      'chain_unavailable',
      'The test funds could not be sent. Try again in a moment.',
      { cause, retryAfterSeconds: 2 },
    );
  }
}

/** Sends both amounts with consecutive nonces. */
async function sendLocked(
  deps: FaucetDeps,
  { owner, account }: { owner: Address; account: Address },
): Promise<{ native: Hex; usdc: Hex }> {
  const { faucetKey, rpcUrl } = deps.config.chain;
  if (!faucetKey) throw new Error('FAUCET_PRIVATE_KEY is not set');
  const wallet = createWalletClient({
    account: privateKeyToAccount(faucetKey),
    chain: { ...base, id: deps.chain.id },
    transport: http(rpcUrl),
  });
  return deps.database.orm.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${FAUCET_LOCK_KEY})`);
    const native = await wallet.sendTransaction({ to: owner, value: FAUCET_NATIVE_WEI });
    const usdc = await wallet.writeContract({
      address: deps.chain.contracts.usdc,
      abi: testUsdcAbi,
      functionName: 'mint',
      args: [account, FAUCET_USDC_MICROS],
    });
    return { native, usdc };
  });
}

async function confirmed(chain: Chain, hash: Hex): Promise<void> {
  const receipt = await chain.client.waitForTransactionReceipt({
    hash,
    timeout: RECEIPT_TIMEOUT_MS,
    pollingInterval: 100,
  });
  if (receipt.status !== 'success') throw new Error(`transaction ${hash} was reverted`);
}
