import { setTimeout as delay } from 'node:timers/promises';
import { type Address, createPublicClient, type Hex, http, keccak256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { base } from '#lib/chains.ts';
import { readUntilAnswered } from './careful.ts';

const TIMEOUT_MS = 60_000;
/**
 * Long enough for a block; a transaction not mined by then may wait for one that a fork reverted.
 */
const GAP_MS = 2_000;
/**
 * The transactions of each wallet, by nonce. The wallet tracks them: a lagging node would reuse a
 * nonce, and only the wallet resubmits what a fork reverted.
 */
const sent = new Map<Address, (Hex | undefined)[]>();

/**
 * Sends a transaction as a wallet does: signs once and submits it until it is mined, together with
 * earlier ones that a fork reverted. Returns whether it succeeded.
 */
export async function sendAsUser(
  rpcUrl: string,
  wallet: PrivateKeyAccount,
  call: { to: Address; data: Hex; value?: bigint },
): Promise<boolean> {
  const client = createPublicClient({ chain: base, transport: http(rpcUrl, { retryCount: 0 }) });
  const count = () => client.getTransactionCount({ address: wallet.address });
  const earlier = sent.get(wallet.address) ?? [];
  const nonce = Math.max(await readUntilAnswered(count), earlier.length);
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
  const hand = (serializedTransaction: Hex) =>
    client.sendRawTransaction({ serializedTransaction }).catch(() => undefined);
  const startedMs = Date.now();
  while (Date.now() < startedMs + TIMEOUT_MS) {
    if (Date.now() > startedMs + GAP_MS) {
      for (const missing of earlier.slice(await readUntilAnswered(count))) {
        if (missing) await hand(missing);
      }
    }
    await hand(raw);
    await delay(60);
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined);
    if (!receipt) continue;
    const known = earlier.slice(0, nonce);
    known[nonce] = raw;
    sent.set(wallet.address, known);
    return receipt.status === 'success';
  }
  throw new Error(`the transaction ${hash} was not mined within ${TIMEOUT_MS} ms`);
}
