import { maxMicros } from '#lib/money.ts';
import {
  latestTokenTransfer,
  listTokenTransfers,
  type Move,
} from '#server/chain/tokenTransfers.ts';
import type { Database } from '#server/platform/database/client.ts';
import { latestUsdcTransfer, listUsdcTransfers } from '../../transfers/usdcTransfers.ts';
import { lazyInit } from './lazyInit.ts';

/**
 * Blocks that are looked at again each time: they are read with gaps, and anew after the chain went
 * back.
 */
const LOOKBACK = 30n;
const PAGE = 2_000;

/** The end of what the chain's logs tell: which addresses something came to or left. */
export function createTransferTail(deps: { database: Database }) {
  const db = deps.database.orm;
  let newest = 0n;
  let seen = new Set<string>();

  async function read(after: bigint): Promise<Move[]> {
    const [tokens, usdc] = await Promise.all([
      listTokenTransfers(db, after, PAGE),
      listUsdcTransfers(db, after, PAGE),
    ]);
    return [...tokens, ...usdc];
  }

  async function findEnd(): Promise<void> {
    newest = maxMicros(await latestTokenTransfer(db), await latestUsdcTransfer(db));
    seen = new Set((await read(newest - LOOKBACK)).map((one) => one.key));
  }

  const start = lazyInit(findEnd);

  return {
    /** From here on nothing is missed. */
    begin: start.begin,
    /** Forgets the past: the next movements are those from when it begins again. */
    reset: start.reset,
    /** Addresses with movements that were not told before. */
    async next(): Promise<Set<string>> {
      await start.begin();
      const present = await read(newest - LOOKBACK);
      const fresh = present.filter((one) => !seen.has(one.key));
      for (const { blockNumber } of present) newest = maxMicros(newest, blockNumber);
      // What is out of sight is not read again, so it need not be remembered.
      seen = new Set(present.map((one) => one.key));
      return new Set(fresh.flatMap((one) => one.addresses));
    },
  };
}
