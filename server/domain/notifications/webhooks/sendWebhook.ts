import { eq } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { webhooks } from '#server/platform/database/schema/webhooks.ts';
import type { Sender } from '../deliver.ts';
import { postMessage } from '../postMessage.ts';
import { RETRY_POLICIES } from '../retry.ts';
import type { WebhookRow } from './describe.ts';
import { disableWebhook } from './disableWebhooks.ts';
import { signedHeaders } from './signature.ts';
import type { TargetPolicy } from './target.ts';

/** Posts messages to webhooks, signed; disables one that is gone or fails for too long. */
export function webhookSender({ orm }: Database, targetPolicy: TargetPolicy): Sender {
  return {
    channel: 'webhook',
    policy: RETRY_POLICIES.webhook,
    giveUpTarget: disableWebhook,
    async send({ targetId, messageId, payload }) {
      const [webhook] = await orm.select().from(webhooks).where(eq(webhooks.id, targetId));
      if (!webhook) return undefined;
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Crossbook-Webhooks/1',
        ...signedHeaders({ id: messageId, timestampSeconds, body: payload }, secretsOf(webhook)),
      };
      return await postMessage(webhook.url, { headers, body: payload }, targetPolicy);
    },
  };
}

function secretsOf({ secret, previousSecret, previousSecretUntil }: WebhookRow): string[] {
  const isOverlap = previousSecretUntil !== null && previousSecretUntil > new Date();
  return previousSecret !== null && isOverlap ? [secret, previousSecret] : [secret];
}
