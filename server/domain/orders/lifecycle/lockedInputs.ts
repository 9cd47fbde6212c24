import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { vaultEvents } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

/** USDC of a purchase or contracts of a sale that the vault holds or held. */
type LockedInput = {
  ticker: string;
  side: OutcomeSide;
  tradeAction: 'buy' | 'sell';
  /** USDC micros of a purchase, contract micros of a sale. */
  micros: bigint;
};

export type AwaitedInput = LockedInput & { isRedemption: boolean };

export type PastLockedInput = LockedInput & {
  fromBlock: bigint;
  /** The block of the delivery or refund that ended it; null while the input is locked. */
  untilBlock: bigint | null;
};

const requested = alias(vaultEvents, 'requested');
const over = alias(vaultEvents, 'over');

/**
 * Every input that orders of an account have locked in the vault, up to the last log read: one for
 * each span of blocks in which a partly delivered order locked the same amount.
 */
export async function listLockedInputs(db: Queryable, account: string): Promise<PastLockedInput[]> {
  const rows = await readRows(db, account, isNotNull(requested.blockNumber));
  return rows.flatMap(({ fromBlock, untilBlock, parts, ...row }) => {
    const input = inputOf({ ...row, parts: [] });
    return input && fromBlock !== null ? spansOf(input, { fromBlock, untilBlock, parts }) : [];
  });
}

function spansOf(
  input: LockedInput,
  { fromBlock, untilBlock, parts }: { fromBlock: bigint; untilBlock: bigint | null; parts: Part[] },
): PastLockedInput[] {
  const starts = [{ block: fromBlock, micros: input.micros }];
  for (const part of parts) {
    const used = usedBy(input.tradeAction, part);
    starts.push({ block: BigInt(part.block), micros: input.micros - used });
  }
  return starts.map(({ block, micros }, at) => {
    return { ...input, micros, fromBlock: block, untilBlock: starts[at + 1]?.block ?? untilBlock };
  });
}

/** Orders at these stages have locked their input; receipts arrive before the vault's logs. */
const LOCKED_STAGES = ['trigger', 'place', 'rest', 'deliver', 'refund'] as const;

/** Inputs of an account's orders that the vault holds now. */
export async function listOpenInputs(db: Queryable, account: string): Promise<LockedInput[]> {
  const isLocked = or(isNotNull(requested.blockNumber), inArray(orders.stage, LOCKED_STAGES));
  const isOpen = and(eq(orders.isComplete, false), isNull(over.blockNumber), isLocked);
  const rows = await readRows(db, account, isOpen);
  return rows.flatMap((row) => inputOf(row) ?? []);
}

/** The totals after a delivery in part, as text. */
type Part = { block: string; filled: string; quote: string };

/** Oldest first. */
const PARTS = sql<Part[]>`(
  select coalesce(json_agg(json_build_object('block', p.block_number::text,
    'filled', p.filled_total_micros::text, 'quote', p.quote_total_micros::text)
    order by p.filled_total_micros), '[]'::json)
  from vault_events p
  where p.chain_order_id = "orders"."chain_order_id" and p.kind = 'partially_filled')`;

/**
 * Inputs that an account's accepted orders will take from it and have not taken yet: of orders that
 * the service requests, since a wallet may never send its own, and of redemptions.
 */
export async function listAwaitedInputs(db: Queryable, account: string): Promise<AwaitedInput[]> {
  const isAwaited = and(
    eq(orders.isComplete, false),
    inArray(orders.stage, ['request', 'redeem']),
    eq(orders.kind, 'api'),
    isNull(orders.cancelRequestedAt),
    isNull(requested.blockNumber),
  );
  const rows = await readRows(db, account, isAwaited);
  return rows.flatMap((row) => {
    const input = inputOf(row);
    return input ? { ...input, isRedemption: row.isRedemption } : [];
  });
}

async function readRows(db: Queryable, account: string, which: SQL | undefined) {
  return await db
    .select({
      ticker: orders.ticker,
      side: orders.side,
      tradeAction: orders.tradeAction,
      quoteLimitUsdcMicros: orders.quoteLimitUsdcMicros,
      isRedemption: orders.isRedemption,
      contractMicros: orders.contractMicros,
      fromBlock: requested.blockNumber,
      untilBlock: over.blockNumber,
      parts: PARTS,
    })
    .from(orders)
    .leftJoin(
      requested,
      and(eq(requested.chainOrderId, orders.chainOrderId), eq(requested.kind, 'requested')),
    )
    .leftJoin(
      over,
      and(eq(over.chainOrderId, orders.chainOrderId), inArray(over.kind, ['filled', 'refunded'])),
    )
    .where(and(eq(orders.accountId, account), which));
}

type Row = Omit<Awaited<ReturnType<typeof readRows>>[number], 'fromBlock' | 'untilBlock'>;

function inputOf(row: Row): LockedInput | undefined {
  const { ticker, side, tradeAction, quoteLimitUsdcMicros, contractMicros, parts } = row;
  const whole = tradeAction === 'buy' ? quoteLimitUsdcMicros : contractMicros;
  if (!ticker || !side || !tradeAction || whole === null) return undefined;
  const last = parts.at(-1);
  return { ticker, side, tradeAction, micros: whole - (last ? usedBy(tradeAction, last) : 0n) };
}

function usedBy(tradeAction: 'buy' | 'sell', { filled, quote }: Part): bigint {
  return BigInt(tradeAction === 'buy' ? quote : filled);
}
