import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type {
  DeliveryListQuery,
  WebhookDeliveryList,
  WebhookDeliveryResponse,
} from '#lib/api/schemas/webhook.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { newestFirst, olderThan, pageOf } from '#server/platform/database/keysetPages.ts';
import {
  notificationAttempts,
  notificationDeliveries,
  notificationMessages,
} from '#server/platform/database/schema/notifications.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { type DeliveryRow, storeMessages } from '../outbox.ts';
import { type AttemptRow, describeAttempt, describeDelivery, type WebhookRow } from './describe.ts';
import { type OwnWebhook, requireOwnWebhook, type WebhookDeps } from './manageWebhooks.ts';
import { webhookTestMessage } from './messages.ts';

/** The deliveries of a webhook, and sending them again on request. */

type OwnDelivery = OwnWebhook & { deliveryId: string };

/** Newest first. @throws {ServiceError} webhook_not_found */
export async function listDeliveries(
  deps: WebhookDeps,
  input: OwnWebhook & DeliveryListQuery,
): Promise<WebhookDeliveryList> {
  const { orm } = deps.database;
  const webhook = await requireOwnWebhook(orm, input);
  const rows = await orm
    .select()
    .from(notificationDeliveries)
    .where(
      and(
        eq(notificationDeliveries.targetId, webhook.id),
        input.status ? eq(notificationDeliveries.status, input.status) : undefined,
        input.type ? eq(notificationDeliveries.type, input.type) : undefined,
        olderThan(notificationDeliveries, input.cursor),
      ),
    )
    .orderBy(...newestFirst(notificationDeliveries))
    .limit(input.limit + 1);
  const { page, cursor } = pageOf(rows, input.limit);
  const attempts = await lastAttempts(orm, page);
  return {
    deliveries: page.map((row) => describeDelivery(row, attempts.get(row.id) ?? null)),
    cursor,
  };
}

async function lastAttempts(
  db: Queryable,
  deliveries: readonly DeliveryRow[],
): Promise<Map<string, AttemptRow>> {
  if (deliveries.length === 0) return new Map();
  const ids = deliveries.map((delivery) => delivery.id);
  const rows = await db
    .select()
    .from(notificationAttempts)
    .where(inArray(notificationAttempts.deliveryId, ids))
    .orderBy(asc(notificationAttempts.attempt));
  return new Map(rows.map((row) => [row.deliveryId, row]));
}

/** @throws {ServiceError} webhook_not_found, delivery_not_found */
export async function getDelivery(
  deps: WebhookDeps,
  input: OwnDelivery,
): Promise<WebhookDeliveryResponse> {
  const { orm } = deps.database;
  const webhook = await requireOwnWebhook(orm, input);
  return await respondToDelivery(orm, await requireDelivery(orm, webhook, input.deliveryId));
}

/**
 * Sends a message again, with the same id and body and a new schedule.
 * @throws {ServiceError} webhook_not_found, delivery_not_found, webhook_disabled
 */
export async function replayDelivery(
  deps: WebhookDeps,
  input: OwnDelivery,
): Promise<WebhookDeliveryResponse> {
  return await deps.database.orm.transaction(async (tx) => {
    const webhook = await requireEnabled(tx, input);
    await requireDelivery(tx, webhook, input.deliveryId);
    const [row] = await tx
      .update(notificationDeliveries)
      .set({ status: 'pending', nextAttemptAt: sql`now()`, roundCount: 0, deliveredAt: null })
      .where(eq(notificationDeliveries.id, input.deliveryId))
      .returning();
    if (!row) throw deliveryNotFound();
    return await respondToDelivery(tx, row);
  });
}

/** Sends a test message. @throws {ServiceError} webhook_not_found, webhook_disabled */
export async function sendTestMessage(
  deps: WebhookDeps,
  input: OwnWebhook,
): Promise<WebhookDeliveryResponse> {
  return await deps.database.orm.transaction(async (tx) => {
    const webhook = await requireEnabled(tx, input);
    const message = webhookTestMessage(webhook.id);
    await storeMessages(tx, 'webhook', [message]);
    const [row] = await tx
      .select(getTableColumns(notificationDeliveries))
      .from(notificationDeliveries)
      .innerJoin(
        notificationMessages,
        eq(notificationMessages.id, notificationDeliveries.messageId),
      )
      .where(eq(notificationMessages.source, message.source));
    if (!row) throw new Error('the test message was not stored');
    return await respondToDelivery(tx, row);
  });
}

async function requireEnabled(db: Queryable, input: OwnWebhook): Promise<WebhookRow> {
  const webhook = await requireOwnWebhook(db, input);
  if (webhook.enabled) return webhook;
  throw new ServiceError('webhook_disabled', 'The webhook is disabled. Enable it first.');
}

async function requireDelivery(
  db: Queryable,
  webhook: WebhookRow,
  deliveryId: string,
): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(notificationDeliveries)
    .where(
      and(
        eq(notificationDeliveries.id, deliveryId),
        eq(notificationDeliveries.targetId, webhook.id),
      ),
    )
    .limit(1);
  if (!row) throw deliveryNotFound();
  return row;
}

async function respondToDelivery(
  db: Queryable,
  row: DeliveryRow,
): Promise<WebhookDeliveryResponse> {
  const [message] = await db
    .select({ payload: notificationMessages.payload })
    .from(notificationMessages)
    .where(eq(notificationMessages.id, row.messageId));
  const attempts = await db
    .select()
    .from(notificationAttempts)
    .where(eq(notificationAttempts.deliveryId, row.id))
    .orderBy(asc(notificationAttempts.attempt));
  return {
    delivery: {
      ...describeDelivery(row, attempts.at(-1) ?? null),
      attempts: attempts.map(describeAttempt),
      payload: message?.payload ?? '',
    },
  };
}

function deliveryNotFound(): ServiceError {
  return new ServiceError('delivery_not_found', 'The webhook has no delivery with this ID.');
}
