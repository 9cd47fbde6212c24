import { setTimeout as delay } from 'node:timers/promises';
import { type Address, createPublicClient, type Hex, http, keccak256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { base } from '#lib/chains.ts';
import { readUntilAnswered } from './careful.ts';

const PATIENCE_MS = 60_000;
/** What a wallet knows of itself: a node that is behind would have it use a nonce again. */
const nextNonces = new Map<Address, number>();

/**
 * Sends a transaction as a wallet does: signed once, handed to the node until it is mined. Answers
 * whether it succeeded.
 */
export async function sendAsUser(
  rpcUrl: string,
  wallet: PrivateKeyAccount,
  call: { to: Address; data: Hex; value?: bigint },
): Promise<boolean> {
  const client = createPublicClient({ chain: base, transport: http(rpcUrl, { retryCount: 0 }) });
  const counted = await readUntilAnswered(() =>
    client.getTransactionCount({ address: wallet.address }),
  );
  const nonce = Math.max(counted, nextNonces.get(wallet.address) ?? 0);
  const raw = await wallet.signTransaction({
    type: 'eip1559',
    chainId: base.id,
    nonce,
    ...call,
    gas: 1_500_000n,
    maxFeePerGas: 300_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
  const hash = keccak256(raw);
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    await client.sendRawTransaction({ serializedTransaction: raw }).catch(() => undefined);
    await delay(60);
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined);
    if (!receipt) continue;
    nextNonces.set(wallet.address, nonce + 1);
    return receipt.status === 'success';
  }
  throw new Error(`the transaction ${hash} was not mined within ${PATIENCE_MS} ms`);
}
