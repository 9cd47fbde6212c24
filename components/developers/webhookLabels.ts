import type { Webhook, WebhookDelivery } from '#lib/api/schemas/webhook.ts';

type Attempt = NonNullable<WebhookDelivery['lastAttempt']>;

const DISABLED: Record<NonNullable<Webhook['disabledReason']>, string> = {
  by_hand: 'Disabled',
  failing: 'Disabled: deliveries failed for more than a day',
  gone: 'Disabled: endpoint returned 410 Gone',
  key_revoked: 'Disabled: its API key was revoked',
};

export function webhookStatusLabel(webhook: Webhook): string {
  if (webhook.status === 'disabled') {
    return webhook.disabledReason ? DISABLED[webhook.disabledReason] : 'Disabled';
  }
  return webhook.failingSince ? 'Enabled; last attempt failed' : 'Enabled';
}

export function subscriptionLabel({ eventTypes }: Webhook): string {
  if (eventTypes.length === 0) return 'Events: all';
  return `Events: ${eventTypes.join(', ')}`;
}

const DELIVERY_WORDS: Record<WebhookDelivery['status'], string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** The status of a delivery: one that failed and will be retried differs from one in progress. */
export function deliveryLabel({ status, lastAttempt }: WebhookDelivery): string {
  if (status === 'pending' && lastAttempt?.error) return 'Failed, will retry';
  return DELIVERY_WORDS[status];
}

export function attemptLabel({ statusCode, error }: Attempt): string {
  return statusCode === null ? (error ?? 'No response') : `Responded ${statusCode}`;
}

/** Whether the target's owner should check it. */
export function isTroubled({ status, lastAttempt }: WebhookDelivery): boolean {
  return status === 'failed' || (status === 'pending' && Boolean(lastAttempt?.error));
}
