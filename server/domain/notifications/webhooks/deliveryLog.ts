import { randomBytes } from 'node:crypto';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type {
  DeliveryListQuery,
  WebhookDeliveryList,
  WebhookDeliveryResponse,
} from '#lib/api/schemas/webhook.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { newestFirst, olderThan, pageOf } from '#server/platform/database/keysetPages.ts';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
} from '#server/platform/database/schema/webhooks.ts';
import { ServiceError } from '#server/platform/errors.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  describeAttempt,
  describeDelivery,
  type WebhookRow,
} from './describe.ts';
import { type OwnWebhook, requireOwnWebhook, type WebhookDeps } from './manageWebhooks.ts';
import { storeMessage } from './messages.ts';

/** What was sent to a webhook, and sending it again by hand. */

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
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhook.id),
        input.status ? eq(webhookDeliveries.status, input.status) : undefined,
        input.type ? eq(webhookDeliveries.type, input.type) : undefined,
        olderThan(webhookDeliveries, input.cursor),
      ),
    )
    .orderBy(...newestFirst(webhookDeliveries))
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
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, ids))
    .orderBy(asc(webhookAttempts.attempt));
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
 * Sends a message once more, with the same id and body, from the beginning of its schedule.
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
      .update(webhookDeliveries)
      .set({ status: 'pending', nextAttemptAt: sql`now()`, roundCount: 0, deliveredAt: null })
      .where(eq(webhookDeliveries.id, input.deliveryId))
      .returning();
    if (!row) throw deliveryNotFound();
    return await respondToDelivery(tx, row);
  });
}

/** Sends a message that says nothing. @throws {ServiceError} webhook_not_found, webhook_disabled */
export async function sendTestMessage(
  deps: WebhookDeps,
  input: OwnWebhook,
): Promise<WebhookDeliveryResponse> {
  return await deps.database.orm.transaction(async (tx) => {
    const webhook = await requireEnabled(tx, input);
    const [row] = await storeMessage(tx, {
      source: `test:${randomBytes(12).toString('base64url')}`,
      webhookIds: [webhook.id],
      payload: {
        type: 'webhook.test',
        timestamp: new Date().toISOString(),
        data: { webhookId: webhook.id },
      },
    });
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
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.webhookId, webhook.id)))
    .limit(1);
  if (!row) throw deliveryNotFound();
  return row;
}

async function respondToDelivery(
  db: Queryable,
  row: DeliveryRow,
): Promise<WebhookDeliveryResponse> {
  const [message] = await db
    .select({ payload: webhookMessages.payload })
    .from(webhookMessages)
    .where(eq(webhookMessages.id, row.messageId));
  const attempts = await db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, row.id))
    .orderBy(asc(webhookAttempts.attempt));
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
