import { eq, type SQL } from 'drizzle-orm';
import { webhooks } from '#server/platform/database/schema/webhooks.ts';

/**
 * Whose webhooks they are, and whose orders they hear of: a signed-in wallet's, or those of a
 * secret key that comes without a token.
 */
export type WebhookSubject = { ownerAddress: string } | { apiKeyId: string };

export function isOf(subject: WebhookSubject): SQL {
  return 'ownerAddress' in subject
    ? eq(webhooks.ownerAddress, subject.ownerAddress)
    : eq(webhooks.apiKeyId, subject.apiKeyId);
}
