import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { priceAlerts } from '#server/platform/database/schema/notifications.ts';
import { findMarkets, listClosed } from '../../markets/catalogue/catalogue.ts';
import type { OpenTrigger, TriggerSource } from '../../triggers/triggerSource.ts';
import { storeMessages } from '../outbox.ts';
import { pushAlertMessage } from '../push/messages.ts';
import { webhookAlertMessage } from '../webhooks/messages.ts';
import { isWaiting } from './priceAlerts.ts';

/** Price alerts as triggers: the loop watches prices, and each alert fires once. */
export function createAlertTriggers(database: Database): TriggerSource {
  return {
    name: 'price alerts',
    listOpen: () => listWaiting(database),
    fire: (trigger, seen) => fireAlert(database, trigger, seen),
  };
}

async function listWaiting(database: Database): Promise<OpenTrigger[]> {
  return await database.orm
    .select({
      id: priceAlerts.id,
      ticker: priceAlerts.ticker,
      side: priceAlerts.side,
      priceMicros: priceAlerts.priceMicros,
      direction: priceAlerts.direction,
      source: priceAlerts.source,
    })
    .from(priceAlerts)
    .where(isWaiting());
}

/**
 * Marks the alert as fired and stores its messages in one transaction: a crash loses both or none,
 * and a second processor finds it fired.
 * @returns whether this call fired it
 */
async function fireAlert(
  database: Database,
  { id, ticker }: OpenTrigger,
  seen: { priceMicros: bigint; at: Date },
): Promise<boolean> {
  const market = (await findMarkets({ database }, [ticker])).get(ticker);
  return await database.orm.transaction(async (tx) => {
    const [alert] = await tx
      .update(priceAlerts)
      .set({ firedAt: seen.at, firedPriceMicros: seen.priceMicros })
      .where(and(eq(priceAlerts.id, id), isWaiting()))
      .returning();
    if (!alert) return false;
    await storeMessages(tx, 'webhook', [await webhookAlertMessage(tx, alert)]);
    await storeMessages(tx, 'push', [await pushAlertMessage(tx, alert, market)]);
    return true;
  });
}

/** Ends the alerts of closed markets: their prices no longer move. */
export async function endAlertsOfClosedMarkets(database: Database): Promise<void> {
  const waiting = await database.orm
    .selectDistinct({ ticker: priceAlerts.ticker })
    .from(priceAlerts)
    .where(isWaiting());
  const tickers = waiting.map(({ ticker }) => ticker);
  const closed = await listClosed({ database }, tickers);
  if (closed.length === 0) return;
  await database.orm
    .update(priceAlerts)
    .set({ endedAt: sql`now()` })
    .where(and(isOneOf(priceAlerts.ticker, closed), isNull(priceAlerts.firedAt), isWaiting()));
}
