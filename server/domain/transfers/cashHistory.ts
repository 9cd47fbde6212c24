import { and, eq, gt, ne, or } from 'drizzle-orm';
import type { Address } from 'viem';
import { findBlockTimes, timeNoLater } from '#server/chain/blockTimes.ts';
import { readCursor } from '#server/chain/cursor.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { usdcAccounts, usdcTransfers } from '#server/platform/database/schema/transfers.ts';
import { TRANSFERS_CURSOR } from './store.ts';

/** The USDC of an account since the ledger follows it. */
type CashHistory = {
  since: Date;
  openingMicros: bigint;
  /** The last block included; other readers may be ahead. */
  throughBlock: bigint;
  /** Negative for an outflow; the time is null until that of the block or a later one is read. */
  changes: { at: Date | null; micros: bigint }[];
};

/** Undefined for an account that the ledger does not follow. */
export async function readCashHistory(
  db: Queryable,
  account: Address,
): Promise<CashHistory | undefined> {
  // Read first: transfers posted meanwhile may then be included, but none is missing.
  const cursor = await readCursor(db, TRANSFERS_CURSOR);
  const [opened] = await db.select().from(usdcAccounts).where(eq(usdcAccounts.address, account));
  if (!opened) return undefined;
  const transfers = await db
    .select()
    .from(usdcTransfers)
    .where(
      and(
        or(eq(usdcTransfers.fromAddress, account), eq(usdcTransfers.toAddress, account)),
        ne(usdcTransfers.fromAddress, usdcTransfers.toAddress),
        gt(usdcTransfers.blockNumber, opened.openedAtBlock),
      ),
    );
  const times = await findBlockTimes(db, [
    opened.openedAtBlock,
    ...transfers.map((one) => one.blockNumber),
  ]);
  const timeOf = timeNoLater(times);
  return {
    since: times.get(opened.openedAtBlock) ?? opened.createdAt,
    openingMicros: opened.openingUsdcMicros,
    throughBlock: cursor?.blockNumber ?? opened.openedAtBlock,
    changes: transfers.map(({ blockNumber, toAddress, usdcMicros }) => ({
      at: timeOf(blockNumber),
      micros: toAddress === account ? usdcMicros : -usdcMicros,
    })),
  };
}
