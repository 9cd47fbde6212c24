import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '../db/client.ts';
import { ledgerEntries } from '../db/schema/ledger.ts';

/**
 * Accounts of the books. `user:` holds what is in the user's smart account or with the receiver,
 * `escrow` what the vault keeps for open orders, `house` what the vault earned or issued,
 * `exchange` the world on the other side of our exchange account, `treasury` that account itself.
 */
export type LedgerAccount = `user:${string}` | 'escrow' | 'house' | 'exchange' | 'treasury';

export type LedgerAsset = 'usdc' | `token:${string}:${OutcomeSide}`;

export type LedgerLine = { account: LedgerAccount; asset: LedgerAsset; amountMicros: bigint };

/** One balanced movement of one order. A leg is posted at most once. */
export type LedgerLeg = {
  leg: 'lock' | 'trade' | 'settle' | 'refund' | 'withdraw';
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
    if (sum !== 0n) throw new RangeError(`ledger leg is not balanced: ${asset} is off by ${sum}`);
  }
  return [...perAccount.values()].filter((line) => line.amountMicros !== 0n);
}

/** Posts a leg; posting it again changes nothing. */
export async function postLeg(
  db: Queryable,
  order: { id: string; accountId: string },
  leg: LedgerLeg,
): Promise<void> {
  const lines = balanced(leg.lines);
  if (lines.length === 0) return;
  await db
    .insert(ledgerEntries)
    .values(
      lines.map((line) => ({
        id: randomUUID(),
        accountId: order.accountId,
        orderId: order.id,
        leg: leg.leg,
        ...line,
        at: sql`now()`,
      })),
    )
    .onConflictDoNothing();
}
