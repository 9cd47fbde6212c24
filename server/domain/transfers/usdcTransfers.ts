import { asc, desc, gt } from 'drizzle-orm';
import type { Move } from '#server/chain/holdings.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { usdcTransfers } from '#server/platform/database/schema/transfers.ts';

/** The newest block with a followed transfer of USDC; 0 before the first. */
export async function latestUsdcTransfer(db: Queryable): Promise<bigint> {
  const [row] = await db
    .select({ blockNumber: usdcTransfers.blockNumber })
    .from(usdcTransfers)
    .orderBy(desc(usdcTransfers.blockNumber))
    .limit(1);
  return row?.blockNumber ?? 0n;
}

/** Transfers of USDC from or to followed accounts after a block, oldest first. */
export async function listUsdcTransfers(
  db: Queryable,
  after: bigint,
  limit: number,
): Promise<Move[]> {
  const rows = await db
    .select()
    .from(usdcTransfers)
    .where(gt(usdcTransfers.blockNumber, after))
    .orderBy(asc(usdcTransfers.blockNumber))
    .limit(limit);
  return rows.map((row) => ({
    key: `${row.transactionHash} ${row.logIndex}`,
    blockNumber: row.blockNumber,
    addresses: [row.fromAddress, row.toAddress],
  }));
}
