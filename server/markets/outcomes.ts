import { eq, or } from 'drizzle-orm';
import { type OutcomeSide, tokenIdHex } from '#lib/outcomeToken.ts';
import type { Database } from '../db/client.ts';
import { markets } from '../db/schema/markets.ts';

/** The market and side behind an ERC-1155 id; undefined for an id of no market we have met. */
export async function findOutcomeByTokenId(
  deps: { database: Database },
  tokenId: bigint,
): Promise<{ ticker: string; side: OutcomeSide } | undefined> {
  const id = tokenIdHex(tokenId);
  const [market] = await deps.database.orm
    .select({ ticker: markets.ticker, yesTokenId: markets.yesTokenId })
    .from(markets)
    .where(or(eq(markets.yesTokenId, id), eq(markets.noTokenId, id)))
    .limit(1);
  return market && { ticker: market.ticker, side: market.yesTokenId === id ? 'yes' : 'no' };
}
