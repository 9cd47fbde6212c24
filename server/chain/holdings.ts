import { inArray } from 'drizzle-orm';
import type { Address } from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import type { Queryable } from '../db/client.ts';
import { tokenTransfers } from '../db/schema/chain.ts';
import type { Chain } from './client.ts';

export type Holding = { holder: Address; tokenId: bigint; contractMicros: bigint };

/** Tokens per call: keeps a balance query well below any node's limits. */
const BATCH = 200;

/** Outcome tokens that ever came to any of these holders, as the chain's logs tell. */
async function listReceivedTokens(
  db: Queryable,
  holders: readonly Address[],
): Promise<{ holder: Address; tokenId: bigint }[]> {
  const rows = await db
    .selectDistinct({ holder: tokenTransfers.toAddress, tokenId: tokenTransfers.tokenId })
    .from(tokenTransfers)
    .where(inArray(tokenTransfers.toAddress, [...holders]));
  return rows.map((row) => ({ holder: row.holder as Address, tokenId: BigInt(row.tokenId) }));
}

/** What these holders hold now: the logs say which tokens to ask for, the chain how much. */
export async function readHoldings(
  deps: { db: Queryable; chain: Chain },
  holders: readonly Address[],
): Promise<Holding[]> {
  const candidates = await listReceivedTokens(deps.db, holders);
  const holdings: Holding[] = [];
  for (let start = 0; start < candidates.length; start += BATCH) {
    const batch = candidates.slice(start, start + BATCH);
    const balances = await deps.chain.client.readContract({
      address: deps.chain.contracts.outcomeToken,
      abi: outcomeTokenAbi,
      functionName: 'balanceOfBatch',
      args: [batch.map((one) => one.holder), batch.map((one) => one.tokenId)],
    });
    for (const [index, candidate] of batch.entries()) {
      const contractMicros = balances[index] ?? 0n;
      if (contractMicros > 0n) holdings.push({ ...candidate, contractMicros });
    }
  }
  return holdings;
}
