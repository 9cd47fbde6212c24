import { createHash, randomUUID } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { pushDeliveries, pushSubscriptions } from '#server/platform/database/schema/push.ts';
import { countPushAttempt } from '#server/platform/metrics/orders.ts';
import { nextWaitSeconds, type RetrySchedule } from '../webhooks/schedule.ts';
import { type AttemptResult, sendMessage } from '../webhooks/send.ts';
import type { TargetPolicy } from '../webhooks/target.ts';
import { encryptMessage } from './encrypt.ts';
import { removeSubscriptions, type SubscriptionRow } from './subscriptions.ts';
import type { VapidSigner } from './vapid.ts';

export type PushDeliverDeps = {
  database: Database;
  schedule: RetrySchedule;
  policy: TargetPolicy;
  signer: VapidSigner;
};

type DeliveryRow = typeof pushDeliveries.$inferSelect;

/** A notification that this process alone sends, until the database's clock says otherwise. */
export type ClaimedPush = { delivery: DeliveryRow; subscription: SubscriptionRow; token: string };

/** Longer than any attempt lasts. */
const LEASE_SECONDS = 30;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seven attempts within half a day, while it is still news. */
export const PUSH_SCHEDULE: RetrySchedule = {
  waitSeconds: [5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR],
  disableAfterSeconds: 3 * DAY,
};

export type ClaimOptions = {
  limit: number;
  /** At most so many of each browser. */
  perBrowser: number;
  /** Browsers to which this process is sending as much as it may. */
  busy: readonly string[];
  /** Those that took their last notification, or those that have yet to show that they take any. */
  isProven: boolean;
};

/** Takes notifications that are due: of each browser its first one before any second one. */
export async function claimNotifications(
  database: Database,
  { limit, perBrowser, busy, isProven }: ClaimOptions,
): Promise<ClaimedPush[]> {
  const token = randomUUID();
  const taken = await database.orm.execute<{ id: string }>(sql`
    update push_deliveries set
      lease_token = ${token}, lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
    where id in (
      select id from (
        select d.id, d.next_attempt_at, row_number()
          over (partition by d.subscription_id order by d.next_attempt_at, d.id) as turn
        from push_deliveries d join push_subscriptions s on s.id = d.subscription_id
        where d.status = 'pending' and d.next_attempt_at <= now() and d.expires_at > now()
          and (d.lease_until is null or d.lease_until < now())
          and (s.failing_since is null and s.last_delivered_at is not null) = ${isProven}
          and d.subscription_id <> all(${sql.param([...busy])}::text[])
      ) as due
      where turn <= ${perBrowser} order by turn, next_attempt_at limit ${limit}
    ) and status = 'pending' and (lease_until is null or lease_until < now())
    returning id`);
  if (taken.rows.length === 0) return [];
  const ids = taken.rows.map((row) => row.id);
  const rows = await database.orm
    .select({ delivery: pushDeliveries, subscription: pushSubscriptions })
    .from(pushDeliveries)
    .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, pushDeliveries.subscriptionId))
    .where(inArray(pushDeliveries.id, ids));
  return rows.map((row) => ({ ...row, token }));
}

/** Sends a notification once, encrypted anew, and writes down what came of it. */
export async function attemptPush(deps: PushDeliverDeps, claimed: ClaimedPush): Promise<void> {
  const { delivery, subscription } = claimed;
  const leftSeconds = Math.floor((delivery.expiresAt.getTime() - Date.now()) / 1_000);
  const headers = {
    authorization: await deps.signer.authorization(subscription.endpoint),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(Math.max(0, leftSeconds)),
    urgency: 'normal',
    topic: topicOf(delivery.tag),
    'user-agent': 'Crossbook-Push/1',
  };
  const body = encryptMessage(delivery.payload, subscription);
  const result = await sendMessage(subscription.endpoint, { headers, body }, deps.policy);
  countPushAttempt(result.error === null ? 'arrived' : 'refused');
  await deps.database.orm.transaction((tx) => record(deps, tx, claimed, result));
}

/** Under which a push service keeps the newest for a browser that is away: 32 letters at most. */
function topicOf(tag: string): string {
  return createHash('sha256').update(tag).digest('base64url').slice(0, 32);
}

/** Answers that say that the browser has unsubscribed, or is no more. */
const GONE = [404, 410];
/** Answers in the four hundreds after which trying again may help. */
const PASSING = [408, 425, 429];

async function record(
  deps: PushDeliverDeps,
  tx: Queryable,
  { delivery, subscription, token }: ClaimedPush,
  result: AttemptResult,
): Promise<void> {
  const { statusCode } = result;
  if (statusCode !== null && GONE.includes(statusCode)) {
    await removeSubscriptions(tx, [subscription.id]);
    return;
  }
  const arrived = result.error === null;
  const wait = arrived ? undefined : waitAfter(deps.schedule, delivery, result);
  const status = arrived ? 'delivered' : wait === undefined ? 'failed' : 'pending';
  const [held] = await tx
    .update(pushDeliveries)
    .set({
      attemptCount: delivery.attemptCount + 1,
      lastStatusCode: statusCode,
      leaseToken: null,
      leaseUntil: null,
      status,
      nextAttemptAt:
        wait === undefined
          ? null
          : sql`now() + ${Math.round(wait * 1_000)} * interval '1 millisecond'`,
    })
    .where(and(eq(pushDeliveries.id, delivery.id), eq(pushDeliveries.leaseToken, token)))
    .returning({ id: pushDeliveries.id });
  // Taken over or removed meanwhile: then this attempt is somebody else's to judge.
  if (!held) return;
  if (arrived) await recordDelivered(tx, subscription.id);
  else
    await recordFailure(deps.schedule, tx, { id: subscription.id, isFinal: status === 'failed' });
}

function waitAfter(
  schedule: RetrySchedule,
  delivery: DeliveryRow,
  { statusCode, retryAfterSeconds }: AttemptResult,
): number | undefined {
  const code = statusCode ?? 0;
  if (code >= 400 && code < 500 && !PASSING.includes(code)) return undefined;
  return nextWaitSeconds(schedule, delivery.attemptCount + 1, retryAfterSeconds);
}

async function recordDelivered(tx: Queryable, id: string): Promise<void> {
  await tx
    .update(pushSubscriptions)
    .set({ failingSince: null, lastDeliveredAt: sql`now()` })
    .where(eq(pushSubscriptions.id, id));
}

/** Removes a browser that nothing has reached for so long that it is as good as gone. */
async function recordFailure(
  schedule: RetrySchedule,
  tx: Queryable,
  { id, isFinal }: { id: string; isFinal: boolean },
): Promise<void> {
  const [row] = await tx
    .update(pushSubscriptions)
    .set({ failingSince: sql`coalesce(${pushSubscriptions.failingSince}, now())` })
    .where(eq(pushSubscriptions.id, id))
    .returning({
      isLong: sql<boolean>`${pushSubscriptions.failingSince}
        <= now() - ${schedule.disableAfterSeconds} * interval '1 second'`,
    });
  if (isFinal && row?.isLong === true) await removeSubscriptions(tx, [id]);
}
