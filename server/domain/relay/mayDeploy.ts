import type { Address } from 'viem';
import { readBalances } from '#server/chain/accountReads.ts';
import { type Chain, isDeployed } from '#server/chain/client.ts';
import type { RelayCall } from '#server/chain/operations/relayCall.ts';

/** What must be held before the service deploys anything: whoever deposited it has paid a fee. */
const MIN_HOLDING_MICROS = 1_000_000n;

/**
 * Whether a batch may deploy what it needs: the account, or the wallet of a passkey. Deploying costs
 * the service most, so it wants a deposit first.
 */
export async function mayDeploy(
  chain: Chain,
  { type, owner, account }: Pick<RelayCall, 'type' | 'owner' | 'account'>,
): Promise<boolean> {
  if (type === 'deposit' || type === 'permit') return true;
  if (await isDeployed(chain, type === 'batch' ? account : owner)) return true;
  if (await holdsEnough(chain, account)) return true;
  return type === 'walletBatch' && (await holdsEnough(chain, owner));
}

async function holdsEnough(chain: Chain, holder: Address): Promise<boolean> {
  return (await readBalances(chain, holder)).usdcMicros >= MIN_HOLDING_MICROS;
}
