import { randomUUID } from 'node:crypto';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import {
  type Channel,
  notificationAttempts,
  notificationDeliveries,
  notificationMessages,
} from '#server/platform/database/schema/notifications.ts';
import { countNotificationAttempt } from '#server/platform/metrics/orders.ts';
import type { DeliveryRow } from './outbox.ts';
import type { AttemptResult } from './postMessage.ts';

/** A channel's retries. */
export type RetryPolicy = {
  /** Seconds before each further attempt; after the last one the delivery has failed. */
  waitSeconds: readonly number[];
  /** A target is given up after failing for this long, once a delivery has failed. */
  giveUpTargetAfterSeconds: number;
  /** Responses of a target that no longer exists. */
  goneStatuses: readonly number[];
  /** Responses after which another attempt is useless. */
  isFinalStatus(statusCode: number): boolean;
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Client errors after which another attempt may succeed. */
const TEMPORARY_STATUSES = [408, 425, 429];

export const RETRY_POLICIES: Record<Channel, RetryPolicy> = {
  /** Nine attempts over about 28 hours. */
  webhook: {
    waitSeconds: [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
    giveUpTargetAfterSeconds: DAY,
    goneStatuses: [410],
    isFinalStatus: () => false,
  },
  /** Seven attempts within half a day; later the message is out of date. */
  push: {
    waitSeconds: [5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR],
    giveUpTargetAfterSeconds: 3 * DAY,
    goneStatuses: [404, 410],
    isFinalStatus: (code) => code >= 400 && code < 500 && !TEMPORARY_STATUSES.includes(code),
  },
};

/** Spreads the attempts of deliveries that failed at the same moment. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_SECONDS = HOUR;

export type AttemptOutcome =
  | { status: 'delivered' | 'failed' }
  | { status: 'pending'; waitSeconds: number };

/**
 * A delivery's state after its attempt.
 * @param round counts attempts since the delivery was created or last replayed, from 1
 */
export function decideOutcome(
  policy: RetryPolicy,
  round: number,
  result: Pick<AttemptResult, 'error' | 'statusCode' | 'retryAfterSeconds'>,
  random: () => number = Math.random,
): AttemptOutcome {
  if (result.error === null) return { status: 'delivered' };
  const wait = policy.waitSeconds[round - 1];
  if (wait === undefined || policy.isFinalStatus(result.statusCode ?? 0)) {
    return { status: 'failed' };
  }
  const requested = Math.min(result.retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return { status: 'pending', waitSeconds: Math.max(wait, requested) * (1 + JITTER * random()) };
}

/** A delivery under this process's lease. */
export type ClaimedDelivery = DeliveryRow & { payload: string };

/** A channel's part of sending: the request, and the end of a lost target. */
export type Sender = {
  channel: Channel;
  policy: RetryPolicy;
  /** Sends once. Undefined if the target was deleted meanwhile. */
  send(delivery: ClaimedDelivery): Promise<AttemptResult | undefined>;
  /** Stops sending to a target that is gone, or that has failed for too long. */
  giveUpTarget(tx: Queryable, targetId: string, reason: 'gone' | 'failing'): Promise<void>;
};

/** The table of a channel's targets, `target` in statements, and the condition for its use. */
const TARGETS: Record<Channel, { table: SQL; isInUse: SQL }> = {
  webhook: { table: sql`webhooks`, isInUse: sql`target.enabled` },
  push: { table: sql`push_subscriptions`, isInUse: sql`true` },
};

/** Longer than any attempt lasts. */
const LEASE_SECONDS = 30;

export type ClaimOptions = {
  channel: Channel;
  limit: number;
  perTarget: number;
  /** Targets that have all the requests that this process may send them at once. */
  busy: readonly string[];
  /** Whether to claim for targets that accepted their last message, or for all others. */
  isProven: boolean;
};

/**
 * Claims due deliveries: each target's first before any second, and none whose topic has an older
 * delivery without an attempt.
 */
export async function claimDeliveries(
  database: Database,
  options: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const isFree = sql`status = 'pending' and (lease_until is null or lease_until < now())`;
  return await database.orm
    .update(notificationDeliveries)
    .set({
      leaseToken: randomUUID(),
      leaseUntil: sql`now() + ${LEASE_SECONDS} * interval '1 second'`,
    })
    .from(notificationMessages)
    .where(
      and(
        eq(notificationMessages.id, notificationDeliveries.messageId),
        sql`${notificationDeliveries.id} in (${dueDeliveries(options)})`,
        isFree,
      ),
    )
    .returning({
      ...getTableColumns(notificationDeliveries),
      payload: notificationMessages.payload,
    });
}

function dueDeliveries({ channel, limit, perTarget, busy, isProven }: ClaimOptions): SQL {
  const { table, isInUse } = TARGETS[channel];
  return sql`
    select id from (
      select d.id, d.next_attempt_at, row_number()
        over (partition by d.target_id order by d.next_attempt_at, d.sequence) as turn
      from notification_deliveries d join ${table} target on target.id = d.target_id
      where d.channel = ${channel} and d.status = 'pending' and d.next_attempt_at <= now()
        and (d.expires_at is null or d.expires_at > now())
        and (d.lease_until is null or d.lease_until < now())
        and ${isInUse} and d.target_id <> all(${sql.param([...busy])}::text[])
        and (target.failing_since is null and target.last_delivered_at is not null) = ${isProven}
        and not exists (
          select 1 from notification_deliveries older
          where older.target_id = d.target_id and older.topic = d.topic
            and older.sequence < d.sequence
            and older.status = 'pending' and older.attempt_count = 0)
    ) as due
    where turn <= ${perTarget} order by turn, next_attempt_at limit ${limit}`;
}

/** Sends a delivery once and records the result. */
export async function attemptDelivery(
  database: Database,
  sender: Sender,
  delivery: ClaimedDelivery,
): Promise<void> {
  const startedAt = new Date();
  const result = await sender.send(delivery);
  if (!result) return;
  countNotificationAttempt(sender.channel, result.error === null ? 'delivered' : 'failed');
  await database.orm.transaction((tx) => record(tx, sender, { delivery, result, startedAt }));
}

async function record(
  tx: Queryable,
  sender: Sender,
  attempt: { delivery: ClaimedDelivery; result: AttemptResult; startedAt: Date },
): Promise<void> {
  const { delivery, result, startedAt } = attempt;
  const round = delivery.roundCount + 1;
  const outcome = decideOutcome(sender.policy, round, result);
  const isDelivered = outcome.status === 'delivered';
  // Locks the target first, as everywhere: two of its attempts may end at the same moment.
  await tx.execute(sql`
    select from ${TARGETS[sender.channel].table} where id = ${delivery.targetId}
    for no key update`);
  const [held] = await tx
    .update(notificationDeliveries)
    .set({
      attemptCount: sql`${notificationDeliveries.attemptCount} + 1`,
      roundCount: round,
      leaseToken: null,
      leaseUntil: null,
      status: outcome.status,
      deliveredAt: isDelivered ? sql`now()` : null,
      nextAttemptAt:
        outcome.status === 'pending'
          ? sql`now() + ${Math.round(outcome.waitSeconds * 1_000)} * interval '1 millisecond'`
          : null,
    })
    .where(
      and(
        eq(notificationDeliveries.id, delivery.id),
        eq(notificationDeliveries.leaseToken, delivery.leaseToken ?? ''),
      ),
    )
    .returning();
  // Another process took over, or the delivery was given up or deleted meanwhile.
  if (!held) return;
  const { statusCode, durationMs, error, responseText } = result;
  await tx.insert(notificationAttempts).values({
    deliveryId: held.id,
    attempt: held.attemptCount,
    at: startedAt,
    statusCode,
    durationMs,
    error,
    responseText,
  });
  if (isDelivered) await recordArrival(tx, held);
  else await recordFailure(tx, sender, held, statusCode);
}

async function recordArrival(tx: Queryable, { channel, targetId }: DeliveryRow): Promise<void> {
  await tx.execute(sql`
    update ${TARGETS[channel].table} set failing_since = null, last_delivered_at = now()
    where id = ${targetId}`);
}

/** Gives up a target that is gone, or has failed for too long. */
async function recordFailure(
  tx: Queryable,
  sender: Sender,
  { channel, targetId, status }: DeliveryRow,
  statusCode: number | null,
): Promise<void> {
  const { rows } = await tx.execute<{ isLong: boolean }>(sql`
    update ${TARGETS[channel].table} set failing_since = coalesce(failing_since, now())
    where id = ${targetId}
    returning failing_since <= now() - ${sender.policy.giveUpTargetAfterSeconds} * interval '1 second'
      as "isLong"`);
  if (statusCode !== null && sender.policy.goneStatuses.includes(statusCode)) {
    await sender.giveUpTarget(tx, targetId, 'gone');
  } else if (status === 'failed' && rows[0]?.isLong === true) {
    await sender.giveUpTarget(tx, targetId, 'failing');
  }
}
