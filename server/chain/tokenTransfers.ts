import { asc, desc, gt } from 'drizzle-orm';
import type { Queryable } from '../platform/database/client.ts';
import { tokenTransfers } from '../platform/database/schema/chain.ts';

/** That something passed between addresses, whatever and however much. */
export type Move = { key: string; blockNumber: bigint; addresses: string[] };

/** The newest block with a transfer of outcome tokens; 0 before the first. */
export async function latestTokenTransfer(db: Queryable): Promise<bigint> {
  const [row] = await db
    .select({ blockNumber: tokenTransfers.blockNumber })
    .from(tokenTransfers)
    .orderBy(desc(tokenTransfers.blockNumber))
    .limit(1);
  return row?.blockNumber ?? 0n;
}

/** Transfers of outcome tokens after a block, oldest first. */
export async function listTokenTransfers(
  db: Queryable,
  after: bigint,
  limit: number,
): Promise<Move[]> {
  const rows = await db
    .select()
    .from(tokenTransfers)
    .where(gt(tokenTransfers.blockNumber, after))
    .orderBy(asc(tokenTransfers.blockNumber))
    .limit(limit);
  return rows.map((row) => ({
    key: `${row.transactionHash} ${row.logIndex} ${row.batchIndex}`,
    blockNumber: row.blockNumber,
    addresses: [row.fromAddress, row.toAddress],
  }));
}
