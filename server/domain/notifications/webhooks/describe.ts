import type { Webhook, WebhookAttempt, WebhookDelivery } from '#lib/api/schemas/webhook.ts';
import type {
  notificationAttempts,
  webhooks,
} from '#server/platform/database/schema/notifications.ts';
import type { DeliveryRow } from '../outbox.ts';

/** The published forms of the rows. */

export type WebhookRow = typeof webhooks.$inferSelect;
export type AttemptRow = typeof notificationAttempts.$inferSelect;

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export function describeWebhook(row: WebhookRow): Webhook {
  const until = row.previousSecretUntil;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.eventTypes as Webhook['eventTypes'],
    subject: {
      type: row.apiKeyId === null ? 'wallet' : 'apiKey',
      apiKeyId: row.apiKeyId,
      ownerAddress: row.ownerAddress,
    },
    status: row.enabled ? 'enabled' : 'disabled',
    disabledReason: row.disabledReason,
    failingSince: iso(row.failingSince),
    lastDeliveredAt: iso(row.lastDeliveredAt),
    previousSecretExpiresAt: iso(until !== null && until > new Date() ? until : null),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function describeAttempt(row: AttemptRow): WebhookAttempt {
  return {
    at: row.at.toISOString(),
    statusCode: row.statusCode,
    durationMs: row.durationMs,
    error: row.error,
    answer: row.responseText,
  };
}

export function describeDelivery(
  row: DeliveryRow,
  lastAttempt: AttemptRow | null,
): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.targetId,
    messageId: row.messageId,
    type: row.type as WebhookDelivery['type'],
    status: row.status,
    attemptCount: row.attemptCount,
    nextAttemptAt: iso(row.nextAttemptAt),
    lastAttempt: lastAttempt ? describeAttempt(lastAttempt) : null,
    createdAt: row.createdAt.toISOString(),
    deliveredAt: iso(row.deliveredAt),
  };
}
