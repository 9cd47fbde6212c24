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

/** What it is told of. */
export function subscriptionLabel({ eventTypes }: Webhook): string {
  if (eventTypes.length === 0) return 'Events: all';
  return `Events: ${eventTypes.join(', ')}`;
}

const DELIVERY_WORDS: Record<WebhookDelivery['status'], string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** How a delivery stands: one that was tried in vain and is tried again is not simply under way. */
export function deliveryLabel({ status, lastAttempt }: WebhookDelivery): string {
  if (status === 'pending' && lastAttempt?.error) return 'Failed, will retry';
  return DELIVERY_WORDS[status];
}

/** How one attempt went: what the address answered, or why there is no answer. */
export function attemptLabel({ statusCode, error }: Attempt): string {
  return statusCode === null ? (error ?? 'No response') : `Responded ${statusCode}`;
}

/** Whether whoever runs the address should look at it. */
export function isTroubled({ status, lastAttempt }: WebhookDelivery): boolean {
  return status === 'failed' || (status === 'pending' && Boolean(lastAttempt?.error));
}
