import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { zeroAddress } from 'viem';
import { tokenIdHex } from '#lib/outcomeToken.ts';
import { type Operation, SENT_OR_MINED } from '#server/chain/operations/latest.ts';
import type { OperationKind } from '#server/chain/operations/store.ts';
import { batched } from '#server/platform/database/batched.ts';
import { type Database, type Queryable, withConnection } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import {
  chainOperations,
  chainTransactions,
  tokenTransfers,
  vaultEvents,
} from '#server/platform/database/schema/chain.ts';
import { exchangeAttempts } from '#server/platform/database/schema/orders.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { isAnyAlertOpen } from '../../admin/alerts.ts';
import { findLatestRestore } from '../../admin/restores.ts';
import type { OrderRow } from './orderRow.ts';

export type VaultEvent = typeof vaultEvents.$inferSelect;
export type ExchangeAttempt = typeof exchangeAttempts.$inferSelect;

/** Attempts of the order itself, without those that unwind it. */
const FOR_OWNER = eq(exchangeAttempts.purpose, 'order');

/** What is stored about an order beyond its row; each part as of its own moment during the read. */
export type OrderContext = {
  events: Partial<Record<VaultEvent['kind'], VaultEvent>>;
  /** The parts that the vault has delivered, oldest first. */
  parts: readonly VaultEvent[];
  /** The latest attempt of each kind of chain operation. */
  operations: Partial<Record<OperationKind, Operation>>;
  attempt: ExchangeAttempt | undefined;
  /** Whether the order may have progressed further than the restored database records. */
  mayPredateRestore: boolean;
  /** When the database was last restored to an earlier moment. */
  restoredAt: Date | undefined;
  /** Whether the exchange has refused to trade for our account and has not traded since. */
  isAccountBlocked: boolean;
};

const contextsOf = memoizeByObject((database: Database) =>
  batched<OrderRow, OrderContext>((orders) => readContexts(database, orders), { underWay: 1 }),
);

/** Reads the context of an order; concurrent reads share a round trip. */
export async function readContext(database: Database, order: OrderRow): Promise<OrderContext> {
  const context = await contextsOf(database)(order);
  if (!context) throw new Error(`no context was read of order ${order.id}`);
  return context;
}

async function readContexts(
  database: Database,
  orders: readonly OrderRow[],
): Promise<Map<OrderRow, OrderContext>> {
  const ids = orders.map((order) => order.id);
  const chainOrderIds = orders.flatMap((order) => order.chainOrderId ?? []);
  const [events, operations, attempts, restoredAt, isAccountBlocked] = await withConnection(
    database,
    (db) =>
      Promise.all([
        // Read first: operations must not be older than the vault's logs.
        db.select().from(vaultEvents).where(isOneOf(vaultEvents.chainOrderId, chainOrderIds)),
        listLatestOperations(db, ids),
        db
          .selectDistinctOn([exchangeAttempts.orderId])
          .from(exchangeAttempts)
          .where(and(isOneOf(exchangeAttempts.orderId, ids), FOR_OWNER))
          .orderBy(asc(exchangeAttempts.orderId), desc(exchangeAttempts.attempt)),
        findLatestRestore(db),
        isAnyAlertOpen({ database: { orm: db } }, ['exchange_account', 'exchange_unfunded']),
      ]),
  );
  return new Map(
    orders.map((order) => {
      const ofOrder = events.filter((one) => one.chainOrderId === order.chainOrderId);
      const context: OrderContext = {
        events: byKind(ofOrder),
        parts: partsOf(ofOrder),
        operations: byKind(operations.filter((one) => one.orderId === order.id)),
        attempt: attempts.find((attempt) => attempt.orderId === order.id),
        mayPredateRestore: restoredAt !== undefined && restoredAt > order.createdAt,
        restoredAt,
        isAccountBlocked,
      };
      return [order, context];
    }),
  );
}

function partsOf(events: readonly VaultEvent[]): VaultEvent[] {
  return events
    .filter(({ kind }) => kind === 'partially_filled')
    .sort((a, b) => Number((a.filledTotalMicros ?? 0n) - (b.filledTotalMicros ?? 0n)));
}

function byKind<Item extends { kind: string }>(items: readonly Item[]): Record<string, Item> {
  return Object.fromEntries(items.map((item) => [item.kind, item]));
}

async function listLatestOperations(db: Queryable, ids: readonly string[]): Promise<Operation[]> {
  const rows = await db
    .selectDistinctOn([chainOperations.orderId, chainOperations.kind], {
      operation: chainOperations,
      hash: SENT_OR_MINED,
    })
    .from(chainOperations)
    .leftJoin(chainTransactions, eq(chainTransactions.id, chainOperations.transactionId))
    .where(isOneOf(chainOperations.orderId, ids))
    .orderBy(
      asc(chainOperations.orderId),
      asc(chainOperations.kind),
      desc(chainOperations.attempt),
    );
  return rows.map(({ operation, hash }) => ({ ...operation, transactionHash: hash }));
}

export async function findVaultEvent(
  db: Queryable,
  chainOrderId: string,
  kind: VaultEvent['kind'],
): Promise<VaultEvent | undefined> {
  const [event] = await db
    .select()
    .from(vaultEvents)
    .where(and(eq(vaultEvents.chainOrderId, chainOrderId), eq(vaultEvents.kind, kind)))
    .limit(1);
  return event;
}

type Delivery = { filled: VaultEvent; tokenId: bigint };

const deliveriesOf = memoizeByObject((database: Database) =>
  batched<Delivery, string>((deliveries) => findDeliveries(database, deliveries)),
);

/**
 * Finds the recipient of a filled purchase's tokens. The vault mints right before it logs the fill,
 * so within a batch the mint is the last one before it. Undefined until the transfer has been read.
 */
export async function findDelivery(
  database: Database,
  filled: VaultEvent,
  tokenId: bigint,
): Promise<string | undefined> {
  return await deliveriesOf(database)({ filled, tokenId });
}

async function findDeliveries(
  { orm }: Database,
  deliveries: readonly Delivery[],
): Promise<Map<Delivery, string>> {
  const hashes = new Set(deliveries.map(({ filled }) => filled.transactionHash));
  const minted = await orm
    .select()
    .from(tokenTransfers)
    .where(
      and(
        isOneOf(tokenTransfers.transactionHash, [...hashes]),
        eq(tokenTransfers.fromAddress, zeroAddress),
      ),
    )
    .orderBy(desc(tokenTransfers.logIndex));
  return new Map(
    deliveries.flatMap((delivery) => {
      const { filled, tokenId } = delivery;
      const last = minted.find(
        (one) =>
          one.transactionHash === filled.transactionHash &&
          one.tokenId === tokenIdHex(tokenId) &&
          one.logIndex < filled.logIndex,
      );
      return last ? [[delivery, last.toAddress] as const] : [];
    }),
  );
}

const grantsUnderWayOf = memoizeByObject(({ orm }: Database) =>
  batched<string, true>(async (accountIds) => {
    const rows = await orm
      .select({ accountId: chainOperations.accountId })
      .from(chainOperations)
      .where(
        and(
          isOneOf(chainOperations.accountId, accountIds),
          sql`${chainOperations.kind} = 'grant' and ${chainOperations.state} in ('ready', 'sent')`,
        ),
      );
    return new Map(rows.map((row) => [row.accountId, true]));
  }),
);

/** Whether any order has a grant of this account in flight. */
export async function isGrantUnderWay(database: Database, accountId: string): Promise<boolean> {
  return (await grantsUnderWayOf(database)(accountId)) ?? false;
}

export async function findLatestAttempt(
  db: Queryable,
  orderId: string,
): Promise<ExchangeAttempt | undefined> {
  const [attempt] = await db
    .select()
    .from(exchangeAttempts)
    .where(and(eq(exchangeAttempts.orderId, orderId), FOR_OWNER))
    .orderBy(desc(exchangeAttempts.attempt))
    .limit(1);
  return attempt;
}
