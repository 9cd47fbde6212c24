import { randomBytes } from 'node:crypto';
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import {
  type CreatePriceAlertRequest,
  MOST_PRICE_ALERTS,
  type PriceAlert,
} from '#lib/api/schemas/priceAlert.ts';
import { formatMicros, parseMicros } from '#lib/money.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { priceAlerts } from '#server/platform/database/schema/notifications.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { getMarket } from '../../markets/catalogue/catalogue.ts';

/** An owner's price alerts. Those of others count as missing. */

export type PriceAlertRow = typeof priceAlerts.$inferSelect;

/** Ended alerts are listed for this long. */
export const PRICE_ALERT_DAYS = 30;

/** Those that wait and those that ended lately, newest first. */
export async function listPriceAlerts(
  { database }: { database: Database },
  owner: string,
): Promise<PriceAlert[]> {
  const rows = await database.orm
    .select()
    .from(priceAlerts)
    .where(eq(priceAlerts.ownerAddress, owner))
    .orderBy(desc(priceAlerts.createdAt), desc(priceAlerts.id))
    .limit(4 * MOST_PRICE_ALERTS);
  return rows.map(describePriceAlert);
}

/**
 * Idempotent: an equal alert that waits takes the new end in place of a second one.
 * @throws {ServiceError} market_not_found, market_not_open, deadline_not_allowed, limit_reached
 */
export async function createPriceAlert(
  { database }: { database: Database },
  input: { owner: string; apiKeyId: string; request: CreatePriceAlertRequest },
): Promise<PriceAlert> {
  const { owner, apiKeyId, request } = input;
  const { ticker, side, direction } = request;
  await requireTrading({ database }, ticker);
  const terms = {
    ownerAddress: owner,
    ticker,
    side,
    direction,
    priceMicros: parseMicros(request.price),
    source: request.source ?? (direction === 'above' ? 'bid' : 'ask'),
  };
  const expiresAt = request.expiresAt === undefined ? null : readEnd(request.expiresAt);
  const row = await database.orm.transaction(async (tx) => {
    // Serialised, so that reading, counting and inserting are atomic.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`alerts ${owner}`}, 0))`);
    const [known] = await tx
      .update(priceAlerts)
      .set({ expiresAt })
      .where(
        and(
          isWaiting(),
          eq(priceAlerts.ownerAddress, owner),
          eq(priceAlerts.ticker, ticker),
          eq(priceAlerts.side, side),
          eq(priceAlerts.direction, direction),
          eq(priceAlerts.source, terms.source),
          eq(priceAlerts.priceMicros, terms.priceMicros),
        ),
      )
      .returning();
    if (known) return known;
    await requireRoom(tx, owner);
    const id = `pa_${randomBytes(9).toString('base64url')}`;
    const [stored] = await tx
      .insert(priceAlerts)
      .values({ id, apiKeyId, ...terms, expiresAt })
      .returning();
    return stored;
  });
  if (!row) throw new Error('the price alert was not stored');
  return describePriceAlert(row);
}

/** Neither fired nor ended, by the database's clock. */
export function isWaiting(): SQL | undefined {
  return and(
    isNull(priceAlerts.firedAt),
    isNull(priceAlerts.endedAt),
    sql`(${priceAlerts.expiresAt} is null or ${priceAlerts.expiresAt} > now())`,
  );
}

async function requireTrading(deps: { database: Database }, ticker: string): Promise<void> {
  const { status } = await getMarket(deps, ticker);
  if (status !== 'closed' && status !== 'settled') return;
  throw new ServiceError('market_not_open', 'This market has closed; its price no longer moves.');
}

function readEnd(text: string): Date {
  const at = new Date(text);
  if (at.getTime() > Date.now()) return at;
  throw new ServiceError('deadline_not_allowed', 'expiresAt must be in the future.', {
    errors: [{ pointer: '/expiresAt', detail: 'must be in the future' }],
  });
}

async function requireRoom(tx: Queryable, owner: string): Promise<void> {
  const waiting = await tx.$count(
    priceAlerts,
    and(eq(priceAlerts.ownerAddress, owner), isWaiting()),
  );
  if (waiting < MOST_PRICE_ALERTS) return;
  throw new ServiceError(
    'limit_reached',
    `You can have up to ${MOST_PRICE_ALERTS} price alerts. Delete one first.`,
  );
}

/** @throws {ServiceError} price_alert_not_found */
export async function deletePriceAlert(
  { database }: { database: Database },
  { owner, id }: { owner: string; id: string },
): Promise<void> {
  const deleted = await database.orm
    .delete(priceAlerts)
    .where(and(eq(priceAlerts.id, id), eq(priceAlerts.ownerAddress, owner)))
    .returning({ id: priceAlerts.id });
  if (deleted.length > 0) return;
  throw new ServiceError('price_alert_not_found', 'You have no price alert with this ID.');
}

/** Deletes those that ended or fired long ago. */
export async function deleteOldPriceAlerts({ orm }: Database): Promise<void> {
  await orm.execute(sql`
    delete from ${priceAlerts}
    where coalesce(fired_at, ended_at, expires_at) < now() - ${PRICE_ALERT_DAYS} * interval '1 day'`);
}

/** The published form. */
export function describePriceAlert(row: PriceAlertRow): PriceAlert {
  const hasEnded = row.endedAt !== null || (row.expiresAt !== null && row.expiresAt <= new Date());
  return {
    id: row.id,
    ticker: row.ticker,
    side: row.side,
    price: formatMicros(row.priceMicros),
    direction: row.direction,
    source: row.source,
    status: row.firedAt ? 'triggered' : hasEnded ? 'expired' : 'waiting',
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    triggeredAt: row.firedAt?.toISOString() ?? null,
    triggeredPrice: row.firedPriceMicros === null ? null : formatMicros(row.firedPriceMicros),
  };
}
