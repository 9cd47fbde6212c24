import { randomUUID } from 'node:crypto';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { ledgerEntries } from '../../platform/database/schema/ledger.ts';

/**
 * Accounts of the books. `user:` holds what is in the user's smart account or with the receiver,
 * `escrow` what the vault keeps for open orders, `house` what the vault earned or issued,
 * `collateral` what it has set aside for settled markets, `exchange` the world on the other side of
 * our exchange account, `treasury` that account itself. `claimable` is what the vault owes to those
 * whose wallet refused it, `outside` the rest of the chain, and `unassigned` what came to the vault
 * without a reason: a person must look into that.
 */
export type LedgerAccount =
  | `user:${string}`
  | 'escrow'
  | 'house'
  | 'collateral'
  | 'exchange'
  | 'treasury'
  | 'claimable'
  | 'outside'
  | 'unassigned';

/** A token of no market that is known stands under its id. */
export type LedgerAsset = 'usdc' | `token:${string}:${OutcomeSide}` | `token:0x${string}`;

export type LedgerLine = { account: LedgerAccount; asset: LedgerAsset; amountMicros: bigint };

/** One balanced movement of one order. Recorded at most once. */
export type LedgerPosting = {
  name:
    | 'lock'
    | 'trade'
    | 'deliver'
    | 'refund'
    | 'withdraw'
    | 'redeem'
    | 'collateral'
    | 'exchange_settlement'
    // By attempt: what the exchange filled of an order that had ended, what of it was traded back,
    // and what the exchange had paid for before it was booked.
    | `found-${number}`
    | `unwind-${number}`
    | `paid-${number}`
    | 'transfer'
    | 'opening'
    | 'unread';
  lines: LedgerLine[];
};

export function tokenAsset(ticker: string, side: OutcomeSide): LedgerAsset {
  return `token:${ticker}:${side}`;
}

/** A movement of one asset from one account to another, as its two lines. */
export function move(
  asset: LedgerAsset,
  from: LedgerAccount,
  to: LedgerAccount,
  amountMicros: bigint,
): LedgerLine[] {
  return [
    { account: from, asset, amountMicros: -amountMicros },
    { account: to, asset, amountMicros },
  ];
}

/** Sums lines of the same account and asset, drops what is zero, and refuses what is not balanced. */
export function balanced(lines: LedgerLine[]): LedgerLine[] {
  const perAsset = new Map<LedgerAsset, bigint>();
  const perAccount = new Map<string, LedgerLine>();
  for (const line of lines) {
    perAsset.set(line.asset, (perAsset.get(line.asset) ?? 0n) + line.amountMicros);
    const key = `${line.account}|${line.asset}`;
    const sum = (perAccount.get(key)?.amountMicros ?? 0n) + line.amountMicros;
    perAccount.set(key, { ...line, amountMicros: sum });
  }
  for (const [asset, sum] of perAsset) {
    if (sum !== 0n)
      throw new RangeError(`ledger posting is not balanced: ${asset} is off by ${sum}`);
  }
  return [...perAccount.values()].filter((line) => line.amountMicros !== 0n);
}

/** The lines that stand under each of these ids; ids without any are left out. */
export async function readPostingLines(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, LedgerLine[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.select().from(ledgerEntries).where(isOneOf(ledgerEntries.orderId, ids));
  const linesOf = new Map<string, LedgerLine[]>();
  for (const { orderId, account, asset, amountMicros } of rows) {
    const lines = linesOf.get(orderId) ?? [];
    lines.push({ account: account as LedgerAccount, asset: asset as LedgerAsset, amountMicros });
    linesOf.set(orderId, lines);
  }
  return linesOf;
}

/** Takes postings back that were booked because of blocks which are no longer on the chain. */
export async function removePostings(db: Queryable, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.delete(ledgerEntries).where(inArray(ledgerEntries.orderId, ids));
}

/** Takes one posting of each of these back: what it says has not happened on the chain as it is now. */
export async function removePostingsOf(
  db: Queryable,
  orderIds: readonly string[],
  posting: LedgerPosting['name'],
): Promise<void> {
  if (orderIds.length === 0) return;
  await db
    .delete(ledgerEntries)
    .where(and(isOneOf(ledgerEntries.orderId, orderIds), eq(ledgerEntries.posting, posting)));
}

/** Inserts a posting; inserting it again changes nothing. */
export async function insertPosting(
  db: Queryable,
  order: { id: string; accountId: string },
  posting: LedgerPosting,
): Promise<void> {
  const lines = balanced(posting.lines);
  if (lines.length === 0) return;
  await db
    .insert(ledgerEntries)
    .values(
      lines.map((line) => ({
        id: randomUUID(),
        accountId: order.accountId,
        orderId: order.id,
        posting: posting.name,
        ...line,
        at: sql`now()`,
      })),
    )
    .onConflictDoNothing();
}

/**
 * The statement that posts lines of many intents, for use within a larger one. Lines that stand
 * already change nothing.
 * @param intents a relation with the columns n, id and account_id
 * @param lines a JSON array of balanced lines, each with an `id`, its `posting` and the `n` of its intent
 */
export function linesInsert(intents: SQL, lines: SQL): SQL {
  return sql`insert into ledger_entries
      (id, account_id, order_id, posting, account, asset, amount_micros, at)
    select l.id, i.account_id, i.id, l.posting, l.account, l.asset, l."amountMicros", now()
    from jsonb_to_recordset(${lines}) as l (n int, id uuid, posting text, account text, asset text,
      "amountMicros" bigint)
    join ${intents} i on i.n = l.n
    on conflict do nothing`;
}
