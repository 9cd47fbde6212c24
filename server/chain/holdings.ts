import { and, asc, desc, eq, gt, inArray, ne, notInArray, or, sql } from 'drizzle-orm';
import { type Address, zeroAddress } from 'viem';
import { tokenIdHex } from '#lib/outcomeToken.ts';
import type { Queryable } from '../platform/database/client.ts';
import { isOneOf } from '../platform/database/isOneOf.ts';
import { blockTimes, tokenTransfers } from '../platform/database/schema/chain.ts';
import { timeNoLater } from './blockTimes.ts';
import { type Chain, outcomeTokenOf } from './client.ts';

export type Holding = { holder: Address; tokenId: bigint; contractMicros: bigint };

/** Tokens per call: keeps a balance query well below any node's limits. */
const BATCH = 200;

/** Outcome tokens that any of these holders ever received, by the chain's logs. */
async function listReceivedTokens(
  db: Queryable,
  holders: readonly Address[],
): Promise<{ holder: Address; tokenId: bigint }[]> {
  const rows = await db
    .selectDistinct({ holder: tokenTransfers.toAddress, tokenId: tokenTransfers.tokenId })
    .from(tokenTransfers)
    .where(isOneOf(tokenTransfers.toAddress, holders));
  return rows.map((row) => ({ holder: row.holder as Address, tokenId: BigInt(row.tokenId) }));
}

/** The current balances of these holders: the logs determine the tokens, the chain the amounts. */
export async function readHoldings(
  deps: { db: Queryable; chain: Chain },
  holders: readonly Address[],
): Promise<Holding[]> {
  const candidates = await listReceivedTokens(deps.db, holders);
  const batches: Promise<Holding[]>[] = [];
  for (let start = 0; start < candidates.length; start += BATCH) {
    batches.push(readBalances(deps.chain, candidates.slice(start, start + BATCH)));
  }
  return (await Promise.all(batches)).flat();
}

async function readBalances(
  chain: Chain,
  candidates: readonly { holder: Address; tokenId: bigint }[],
): Promise<Holding[]> {
  const balances = await outcomeTokenOf(chain).read.balanceOfBatch([
    candidates.map((one) => one.holder),
    candidates.map((one) => one.tokenId),
  ]);
  return candidates.flatMap((candidate, index) => {
    const contractMicros = balances[index] ?? 0n;
    return contractMicros > 0n ? [{ ...candidate, contractMicros }] : [];
  });
}

/** The holders of a token and their balances, by the chain's logs. */
export async function listHoldersOf(
  db: Queryable,
  tokenId: bigint,
): Promise<{ holder: Address; contractMicros: bigint }[]> {
  const id = tokenIdHex(tokenId);
  const response = await db.execute<{ holder: Address; amount: string }>(sql`
    select holder, sum(amount)::text as amount from (
      select to_address as holder, contract_micros as amount
        from token_transfers where token_id = ${id}
      union all
      select from_address, -contract_micros from token_transfers where token_id = ${id}
    ) as flows
    group by holder having sum(amount) > 0`);
  return response.rows.map((row) => ({ holder: row.holder, contractMicros: BigInt(row.amount) }));
}

/** What a transfer did to a holder; negative where tokens left. */
export type TokenMovement = {
  holder: Address;
  tokenId: string;
  contractMicros: bigint;
  /** Null for the moment between the log and the time of its block. */
  at: Date | null;
};

/** Every balance change of these holders, unordered. */
export async function listTokenMovements(
  db: Queryable,
  holders: readonly Address[],
): Promise<TokenMovement[]> {
  const rows = await db
    .select({
      tokenId: tokenTransfers.tokenId,
      from: tokenTransfers.fromAddress,
      to: tokenTransfers.toAddress,
      contractMicros: tokenTransfers.contractMicros,
      blockNumber: tokenTransfers.blockNumber,
      at: blockTimes.at,
    })
    .from(tokenTransfers)
    .leftJoin(blockTimes, eq(blockTimes.blockNumber, tokenTransfers.blockNumber))
    .where(
      or(
        inArray(tokenTransfers.toAddress, [...holders]),
        inArray(tokenTransfers.fromAddress, [...holders]),
      ),
    );
  const timeOf = timeNoLater(
    new Map(rows.flatMap(({ blockNumber, at }) => (at ? [[blockNumber, at] as const] : []))),
  );
  return holders.flatMap((holder) =>
    rows.flatMap(({ from, to, tokenId, contractMicros, blockNumber }) => {
      if (from === to || (from !== holder && to !== holder)) return [];
      const signed = to === holder ? contractMicros : -contractMicros;
      return [{ holder, tokenId, contractMicros: signed, at: timeOf(blockNumber) }];
    }),
  );
}

export type PlainTransfer = {
  holder: Address;
  tokenId: string;
  direction: 'in' | 'out';
  contractMicros: bigint;
  blockNumber: bigint;
  logIndex: number;
};

/** Outcome tokens that these holders exchanged with any address but the vault. */
export async function listPlainTransfers(
  deps: { db: Queryable; chain: Chain },
  holders: readonly Address[],
): Promise<PlainTransfer[]> {
  const ours = [deps.chain.contracts.swapVault, zeroAddress];
  const rows = await deps.db
    .select()
    .from(tokenTransfers)
    .where(
      and(
        or(
          isOneOf(tokenTransfers.toAddress, holders),
          isOneOf(tokenTransfers.fromAddress, holders),
        ),
        notInArray(tokenTransfers.fromAddress, ours),
        notInArray(tokenTransfers.toAddress, ours),
        ne(tokenTransfers.fromAddress, tokenTransfers.toAddress),
      ),
    );
  const asked = new Set(holders);
  return rows.flatMap(({ fromAddress, toAddress, tokenId, contractMicros, ...row }) => {
    const { blockNumber, logIndex } = row;
    const ends = [
      { holder: toAddress as Address, direction: 'in' },
      { holder: fromAddress as Address, direction: 'out' },
    ] as const;
    return ends
      .filter(({ holder }) => asked.has(holder))
      .map((end) => ({ ...end, tokenId, contractMicros, blockNumber, logIndex }));
  });
}

/** A transfer of any kind and amount. */
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
