import { maxMicros } from '#lib/money.ts';
import { latestTokenTransfer, listTokenTransfers, type Move } from '#server/chain/holdings.ts';
import type { Database } from '#server/platform/database/client.ts';
import { latestUsdcTransfer, listUsdcTransfers } from '../../transfers/usdcTransfers.ts';

/**
 * Blocks that every read includes again: their logs may be incomplete, and a reorganisation changes
 * them.
 */
const LOOKBACK = 30n;
const PAGE = 2_000;

/** The newest transfers by the chain's logs: the addresses that sent or received. */
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
    /** Starts to collect. */
    begin: start.begin,
    /** Stops collecting; the next transfers are those after it begins again. */
    reset: start.reset,
    /** Addresses with new transfers. */
    async next(): Promise<Set<string>> {
      await start.begin();
      const present = await read(newest - LOOKBACK);
      const fresh = present.filter((one) => !seen.has(one.key));
      for (const { blockNumber } of present) newest = maxMicros(newest, blockNumber);
      // Older transfers are not read again.
      seen = new Set(present.map((one) => one.key));
      return new Set(fresh.flatMap((one) => one.addresses));
    },
  };
}

/**
 * Runs `start` once before the first use, and again after a failure or `reset`.
 */
export function lazyInit(start: () => Promise<void>) {
  let begun: Promise<void> | undefined;
  return {
    begin: (): Promise<void> => {
      begun ??= start().catch((error: unknown) => {
        begun = undefined;
        throw error;
      });
      return begun;
    },
    reset: (): void => {
      begun = undefined;
    },
  };
}
