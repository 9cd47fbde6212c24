import {
  createPublicClient,
  custom,
  type Hex,
  hexToNumber,
  type Log,
  numberToHex,
  pad,
} from 'viem';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import type { Database } from '#server/platform/database/client.ts';
import { findLostTransactions } from '#server/processor/forks/contractLogs.ts';

/** Transactions that a fork removes: blocks 149 to 255 were read, the chain now ends at 216. */

const READ_UP_TO = 255n;
const ANCESTOR = 148n;
const HEAD = 216;
let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  return migrated.close;
});

beforeEach(() => database.pool.query('truncate chain_transactions'));

/** The hash of a block on the branch that was read first, and on the one that replaces it. */
const hashBefore = (block: number) => pad(numberToHex(block));
const hashNow = (block: number) =>
  BigInt(block) <= ANCESTOR ? hashBefore(block) : pad(numberToHex(block + 0x10_000));

const chain = {
  client: createPublicClient({
    transport: custom({
      async request({ method, params }: { method: string; params: [`0x${string}`] }) {
        if (method !== 'eth_getBlockByNumber') return null;
        const block = hexToNumber(params[0]);
        if (block > HEAD) return null;
        const number = numberToHex(block);
        return { number, hash: hashNow(block), transactions: [], timestamp: '0x1' };
      },
    }),
  }),
};

async function confirmIn(block: number, hash = hashBefore(block)): Promise<void> {
  await database.pool.query(
    `insert into chain_transactions
       (id, signer, nonce, raw, hash, mined_hash, state, block_number, block_hash, signed_at)
     values (gen_random_uuid(), '0xsigner', $1, '0x', $2, $2, 'confirmed', $1, $3, now())`,
    [block, `0xhash${block}`, hash],
  );
}

/** @param news the transactions whose logs `mined` lists are in the blocks that are read now */
async function lostAfter({
  mined = [],
  readUpTo = READ_UP_TO,
  ...news
}: {
  deleteAfter?: bigint;
  toBlock: bigint;
  mined?: Hex[];
  readUpTo?: bigint;
}): Promise<string[]> {
  const logs = mined.map((transactionHash) => ({ transactionHash })) as Log[];
  const lost = await findLostTransactions({ database, chain }, readUpTo, { ...news, logs });
  return lost.map(({ hash }) => hash).toSorted();
}

test('given a fork, what was confirmed above the end of the new branch is lost too', async () => {
  for (const block of [140, 200, 248]) await confirmIn(block);
  expect(await lostAfter({ deleteAfter: ANCESTOR, toBlock: BigInt(HEAD) })).toEqual([
    '0xhash200',
    '0xhash248',
  ]);
});

test('given a fork, a transaction of the new branch is not lost', async () => {
  await confirmIn(210, hashNow(210));
  expect(await lostAfter({ deleteAfter: ANCESTOR, toBlock: BigInt(HEAD) })).toEqual([]);
});

test('given a signer ahead of the reader, a transaction that is now in an earlier block is lost', async () => {
  for (const block of [210, 211]) await confirmIn(block);
  const news = { readUpTo: 200n, toBlock: 205n };
  expect(await lostAfter({ ...news, mined: ['0xhash210'] })).toEqual(['0xhash210']);
  expect(await lostAfter(news)).toEqual([]);
});
