import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { webhooks } from '#server/platform/database/schema/notifications.ts';
import { RETRY_POLICIES, type Sender } from '../deliver.ts';
import { postMessage } from '../postMessage.ts';
import type { WebhookRow } from './describe.ts';
import { disableWebhook, WEBHOOK_SECRET_PREFIX } from './manageWebhooks.ts';
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
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Crossbook-Webhooks/1',
        ...signedHeaders(messageId, payload, secretsOf(webhook)),
      };
      return await postMessage(webhook.url, { headers, body: payload }, targetPolicy);
    },
  };
}

function secretsOf({ secret, previousSecret, previousSecretUntil }: WebhookRow): string[] {
  const isOverlap = previousSecretUntil !== null && previousSecretUntil > new Date();
  return previousSecret !== null && isOverlap ? [secret, previousSecret] : [secret];
}

/** The headers of the Standard Webhooks specification, with a signature for each valid secret. */
function signedHeaders(id: string, body: string, secrets: readonly string[]) {
  const timestamp = Math.floor(Date.now() / 1_000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
