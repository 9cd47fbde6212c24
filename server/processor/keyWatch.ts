import type { Address } from 'viem';
import { raiseAlert } from '#server/alerts/alerts.ts';
import type { Chain } from '#server/chain/client.ts';
import { nextStoredNonce } from '#server/chain/operations/store.ts';
import type { Database } from '#server/db/client.ts';
import type { Log } from '#server/log.ts';
import { pause } from './pause.ts';

type Deps = { database: Database; chain: Chain; log: Log };

const LOOK_MS = 5_000;

/**
 * Watches for transactions that our keys have sent and we have not: bytes are stored before they
 * leave, so a nonce beyond what is stored was used by somebody else who has the key. What the chain
 * knew when the watch began counts as ours; a restored database is noticed elsewhere.
 */
export async function watchKeys(
  deps: Deps,
  keys: () => readonly Address[],
  signal: AbortSignal,
): Promise<void> {
  const known = new Map<Address, bigint>();
  while (!signal.aborted) {
    try {
      for (const key of keys()) await lookAt(deps, key, known);
    } catch (error) {
      deps.log.warn({ err: error }, 'the use of our keys cannot be seen');
    }
    await pause(LOOK_MS, signal);
  }
}

async function lookAt(deps: Deps, key: Address, known: Map<Address, bigint>): Promise<void> {
  // The chain first: what is sent between the two questions is stored by then.
  const onChain = BigInt(await deps.chain.client.getTransactionCount({ address: key }));
  const stored = await nextStoredNonce(deps.database.orm, key);
  const before = known.get(key);
  known.set(key, onChain);
  if (before === undefined || onChain <= stored || onChain <= before) return;
  const internalDetail = `nonce ${onChain - 1n} is used, and we have signed up to ${stored - 1n}`;
  await raiseAlert(deps, { kind: 'key_used_elsewhere', subject: key, internalDetail });
}
