import type { Webhook, WebhookDelivery } from '#lib/api/schemas/webhook.ts';

type Attempt = NonNullable<WebhookDelivery['lastAttempt']>;

const DISABLED: Record<NonNullable<Webhook['disabledReason']>, string> = {
  by_hand: 'Off, by hand',
  failing: 'Off: nothing arrived for more than a day',
  gone: 'Off: the address said it is gone',
  key_revoked: 'Off: its API key was revoked',
};

export function webhookStatusLabel(webhook: Webhook): string {
  if (webhook.status === 'disabled') {
    return webhook.disabledReason ? DISABLED[webhook.disabledReason] : 'Off';
  }
  return webhook.failingSince ? 'On; the last attempt failed' : 'On';
}

/** What it is told of. */
export function subscriptionLabel({ eventTypes }: Webhook): string {
  if (eventTypes.length === 0) return 'Told of every event';
  return `Told of ${eventTypes.join(', ')}`;
}

const DELIVERY_WORDS: Record<WebhookDelivery['status'], string> = {
  pending: 'Under way',
  delivered: 'Delivered',
  failed: 'Given up',
};

/** How a delivery stands: one that was tried in vain and is tried again is not simply under way. */
export function deliveryLabel({ status, lastAttempt }: WebhookDelivery): string {
  if (status === 'pending' && lastAttempt?.error) return 'Failed, tries again';
  return DELIVERY_WORDS[status];
}

/** How one attempt went: what the address answered, or why there is no answer. */
export function attemptLabel({ statusCode, error }: Attempt): string {
  return statusCode === null ? (error ?? 'No answer') : `Answered ${statusCode}`;
}

/** Whether whoever runs the address should look at it. */
export function isTroubled({ status, lastAttempt }: WebhookDelivery): boolean {
  return status === 'failed' || (status === 'pending' && Boolean(lastAttempt?.error));
}
