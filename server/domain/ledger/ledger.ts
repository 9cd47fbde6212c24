import { randomUUID } from 'node:crypto';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { ledgerEntries } from '../../platform/database/schema/ledger.ts';

/**
 * The ledger's accounts. `user:` holds what is in the user's smart account or with the receiver,
 * `escrow` what the vault keeps for open orders, `house` what the vault earned or issued,
 * `collateral` what it has set aside for settled markets, `exchange` the counterparties of our
 * exchange account, `treasury` that account itself, `netted` its pairs whose tokens were merged: the
 * exchange has paid their dollar already, by netting the two sides. `claimable` is what the vault owes to wallets
 * that refused a payment, `outside` the rest of the chain, and `unassigned` what the vault received
 * without a known reason, which an admin must investigate.
 */
export type LedgerAccount =
  | `user:${string}`
  | 'escrow'
  | 'house'
  | 'collateral'
  | 'exchange'
  | 'treasury'
  | 'netted'
  | 'claimable'
  | 'outside'
  | 'unassigned';

/** A token of an unknown market is recorded by its id. */
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
    // By attempt: fills of an order that had ended, the part that was traded back, and what the
    // exchange had paid for before it was recorded.
    | `found-${number}`
    | `unwind-${number}`
    | `paid-${number}`
    // Of an order that fills in parts: by what it had filled, or had delivered, with the part.
    | `trade-${bigint}`
    | `deliver-${bigint}`
    | 'transfer'
    | 'opening'
    | 'unread';
  lines: LedgerLine[];
};

export function tokenAsset(ticker: string, side: OutcomeSide): LedgerAsset {
  return `token:${ticker}:${side}`;
}

/** The two lines that move an asset from one account to another. */
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

/** Sums lines of the same account and asset, drops zeros, and throws for unbalanced lines. */
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

/** The lines posted under each of these ids; ids without lines are absent. */
export async function readPostingLines(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, LedgerLine[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.select().from(ledgerEntries).where(isOneOf(ledgerEntries.orderId, ids));
  const lineOf = ({ account, asset, amountMicros }: (typeof rows)[number]): LedgerLine => {
    return { account: account as LedgerAccount, asset: asset as LedgerAsset, amountMicros };
  };
  const byId = Map.groupBy(rows, (row) => row.orderId);
  return new Map([...byId].map(([id, lines]) => [id, lines.map(lineOf)]));
}

export async function removePostings(db: Queryable, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.delete(ledgerEntries).where(inArray(ledgerEntries.orderId, ids));
}

/** Removes one posting of each of these orders, because its event is no longer on the chain. */
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

/** Inserts a posting. Idempotent. */
export async function insertPosting(
  db: Queryable,
  order: { id: string; accountId: string },
  posting: LedgerPosting,
): Promise<void> {
  const lines = balanced(posting.lines);
  if (lines.length === 0) return;
  const common = { accountId: order.accountId, orderId: order.id, posting: posting.name };
  const rows = lines.map((line) => ({ id: randomUUID(), ...common, ...line, at: sql`now()` }));
  await db.insert(ledgerEntries).values(rows).onConflictDoNothing();
}

/**
 * A statement, for use within a larger one, that posts lines of many orders. Existing lines stay
 * unchanged.
 * @param intents a relation with the columns n, id and account_id
 * @param lines a JSON array of balanced lines, each with an `id`, its `posting` and the `n` of its
 *   order
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
