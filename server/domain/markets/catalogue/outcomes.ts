import { eq, or } from 'drizzle-orm';
import type { Hex } from 'viem';
import { type OutcomeSide, tokenIdHex } from '#lib/outcomeToken.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { markets } from '#server/platform/database/schema/markets.ts';

export type MarketOutcome = { ticker: string; side: OutcomeSide };

/** The market and side of an ERC-1155 id; undefined for an unknown market. */
export async function findOutcomeByTokenId(
  deps: { database: Database },
  tokenId: bigint,
): Promise<MarketOutcome | undefined> {
  const id = tokenIdHex(tokenId);
  const [market] = await deps.database.orm
    .select({ ticker: markets.ticker, yesTokenId: markets.yesTokenId })
    .from(markets)
    .where(or(eq(markets.yesTokenId, id), eq(markets.noTokenId, id)))
    .limit(1);
  return market && { ticker: market.ticker, side: market.yesTokenId === id ? 'yes' : 'no' };
}

/** Looks up many ids (0x and 64 hex digits), keyed by id; unknown markets are absent. */
export async function findOutcomesByTokenIds(
  deps: { database: { orm: Queryable } },
  tokenIds: readonly Hex[],
): Promise<Map<string, MarketOutcome>> {
  const ids = [...new Set(tokenIds)];
  if (ids.length === 0) return new Map();
  const rows = await deps.database.orm
    .select({ ticker: markets.ticker, yes: markets.yesTokenId, no: markets.noTokenId })
    .from(markets)
    .where(or(isOneOf(markets.yesTokenId, ids), isOneOf(markets.noTokenId, ids)));
  const outcomes = new Map<string, MarketOutcome>();
  for (const { ticker, yes, no } of rows) {
    outcomes.set(yes, { ticker, side: 'yes' });
    outcomes.set(no, { ticker, side: 'no' });
  }
  return outcomes;
}
