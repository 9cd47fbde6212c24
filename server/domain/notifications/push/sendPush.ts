import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import webPush from 'web-push';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { pushSubscriptions } from '#server/platform/database/schema/notifications.ts';
import { type VapidPair, vapidPublicKeyOf } from '#server/platform/keys/vapidKeys.ts';
import { type ClaimedDelivery, RETRY_POLICIES, type Sender } from '../deliver.ts';
import { giveUpPending } from '../outbox.ts';
import { type OutgoingMessage, postMessage } from '../postMessage.ts';
import type { TargetPolicy } from '../webhooks/target.ts';
import type { SubscriptionRow } from './subscriptions.ts';

/** Our key pair for push services, and our mailto: or https: contact. */
export type VapidDetails = VapidPair & { subject: string };

/** @throws {Error} for an invalid private key */
export function vapidDetailsOf(input: { privateKey: string; subject: string }): VapidDetails {
  const publicKey = vapidPublicKeyOf(input.privateKey);
  if (publicKey === undefined) throw new Error('VAPID_PRIVATE_KEY is not a valid key');
  return { ...input, publicKey };
}

/** Posts messages to push services; removes a browser that is gone or fails for too long. */
export function pushSender(
  { orm }: Database,
  targetPolicy: TargetPolicy,
  vapidDetails: VapidDetails,
): Sender {
  return {
    channel: 'push',
    policy: RETRY_POLICIES.push,
    giveUpTarget: removeBrowser,
    async send(delivery) {
      const [subscription] = await orm
        .select()
        .from(pushSubscriptions)
        .where(eq(pushSubscriptions.id, delivery.targetId));
      if (!subscription) return undefined;
      const request = pushRequest(delivery, subscription, vapidDetails);
      return await postMessage(subscription.endpoint, request, targetPolicy);
    },
  };
}

/** The publisher deletes its deliveries; this process may not. */
async function removeBrowser(tx: Queryable, id: string): Promise<void> {
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id));
  await giveUpPending(tx, id);
}

/** A request that only this browser can read (RFC 8291), signed for its push service (RFC 8292). */
export function pushRequest(
  { payload, topic, expiresAt }: Pick<ClaimedDelivery, 'payload' | 'topic' | 'expiresAt'>,
  { endpoint, p256dh, auth }: Pick<SubscriptionRow, 'endpoint' | 'p256dh' | 'auth'>,
  vapidDetails: VapidDetails,
): OutgoingMessage {
  const leftSeconds = Math.floor(((expiresAt?.getTime() ?? 0) - Date.now()) / 1_000);
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    payload,
    {
      vapidDetails,
      TTL: Math.max(0, leftSeconds),
      // A push service keeps the newest message of a topic for an offline browser. 32 characters at
      // most.
      topic: createHash('sha256').update(topic).digest('base64url').slice(0, 32),
      headers: { 'User-Agent': 'Crossbook-Push/1' },
    },
  );
  return { headers, body };
}
