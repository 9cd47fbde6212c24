import { and, eq, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm';
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
  /** The block of delivery or refund; null while the input is locked. */
  untilBlock: bigint | null;
};

const requested = alias(vaultEvents, 'requested');
const over = alias(vaultEvents, 'over');

/** Every input that orders of an account have locked in the vault, up to the last log read. */
export async function listLockedInputs(db: Queryable, account: string): Promise<PastLockedInput[]> {
  const rows = await readRows(db, account, isNotNull(requested.blockNumber));
  return rows.flatMap(({ fromBlock, untilBlock, ...row }) => {
    const input = inputOf(row);
    return input && fromBlock !== null ? [{ ...input, fromBlock, untilBlock }] : [];
  });
}

/** Orders at these stages have locked their input; receipts arrive before the vault's logs. */
const LOCKED_STAGES = ['place', 'deliver', 'refund'] as const;

/** Inputs of an account's orders that the vault holds now. */
export async function listOpenInputs(db: Queryable, account: string): Promise<LockedInput[]> {
  const isLocked = or(isNotNull(requested.blockNumber), inArray(orders.stage, LOCKED_STAGES));
  const isOpen = and(eq(orders.isComplete, false), isNull(over.blockNumber), isLocked);
  const rows = await readRows(db, account, isOpen);
  return rows.flatMap((row) => inputOf(row) ?? []);
}

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
  const { ticker, side, tradeAction, quoteLimitUsdcMicros, contractMicros } = row;
  const micros = tradeAction === 'buy' ? quoteLimitUsdcMicros : contractMicros;
  if (!ticker || !side || !tradeAction || micros === null) return undefined;
  return { ticker, side, tradeAction, micros };
}
