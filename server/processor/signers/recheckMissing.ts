import { and, eq, gte, lt } from 'drizzle-orm';
import type { Address } from 'viem';
import type { ChainTransaction } from '#server/chain/operations/store.ts';
import { chainTransactions } from '#server/platform/database/schema/chain.ts';
import { findGone, forgetTransactions } from '../forks/contractLogs.ts';
import { revertStates } from '../forks/revertStates.ts';
import { wakeOrders } from '../runner/wakeOrders.ts';
import type { SignerDeps } from './signerDeps.ts';

/**
 * A transaction waits for ever when one before it is missing: a fork took it after it was confirmed,
 * and at the moment the chain was asked about it, it was still or already there. Such ones are taken
 * up again; one that turns out to be mined is only looked at once more.
 * @returns whether any was missing
 */
export async function recheckMissing(
  { database, chain, log }: Pick<SignerDeps, 'database' | 'chain' | 'log'>,
  { signer, nonce }: Pick<ChainTransaction, 'signer' | 'nonce'>,
): Promise<boolean> {
  const next = BigInt(await chain.client.getTransactionCount({ address: signer as Address }));
  if (next >= nonce) return false;
  const before = await database.orm
    .select()
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.signer, signer),
        eq(chainTransactions.state, 'confirmed'),
        gte(chainTransactions.nonce, next),
        lt(chainTransactions.nonce, nonce),
      ),
    );
  const missing = await findGone(chain, before);
  if (missing.length === 0) return false;
  await database.orm.transaction(async (tx) => {
    const { orderIds } = await revertStates(tx, await forgetTransactions(tx, missing));
    await wakeOrders(tx, orderIds);
  });
  log.warn({ signer, hashes: missing.map(({ hash }) => hash) }, 'the chain has forgotten these');
  return true;
}
