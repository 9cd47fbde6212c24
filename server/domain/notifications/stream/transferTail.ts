import { maxMicros } from '#lib/money.ts';
import { latestTokenTransfer, listTokenTransfers, type Move } from '#server/chain/holdings.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { latestUsdcTransfer, listUsdcTransfers } from '../../transfers/usdcTransfers.ts';

/**
 * Blocks that every read includes again: their logs may be incomplete, and a reorganisation changes
 * them.
 */
const LOOKBACK = 30n;
const PAGE = 2_000;

/** Where transfers are read from. */
export type TransferSource = {
  /** The newest block with a transfer; 0 before the first. */
  latest: () => Promise<bigint>;
  /** Those after a block. */
  listAfter: (block: bigint) => Promise<Move[]>;
};

/** Transfers of outcome tokens and of USDC as the database has them. */
export function storedTransfers(db: Queryable): TransferSource {
  return {
    latest: async () => maxMicros(await latestTokenTransfer(db), await latestUsdcTransfer(db)),
    listAfter: async (block) => {
      const [tokens, usdc] = await Promise.all([
        listTokenTransfers(db, block, PAGE),
        listUsdcTransfers(db, block, PAGE),
      ]);
      return [...tokens, ...usdc];
    },
  };
}

/** The newest transfers by the chain's logs: the addresses that sent or received. */
export function createTransferTail(source: TransferSource) {
  let newest = 0n;
  let seen = new Set<string>();

  async function findEnd(): Promise<void> {
    newest = await source.latest();
    seen = new Set((await source.listAfter(newest - LOOKBACK)).map((one) => one.key));
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
      const present = await source.listAfter(newest - LOOKBACK);
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
