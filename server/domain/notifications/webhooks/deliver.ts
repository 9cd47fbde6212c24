import { randomUUID } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhooks,
} from '#server/platform/database/schema/webhooks.ts';
import { countWebhookAttempt } from '#server/platform/metrics/orders.ts';
import type { DeliveryRow, WebhookRow } from './describe.ts';
import { giveUpPending } from './manageWebhooks.ts';
import { nextWaitSeconds, type RetrySchedule } from './schedule.ts';
import { type AttemptResult, sendMessage } from './send.ts';
import { signedHeaders } from './signature.ts';
import type { TargetPolicy } from './target.ts';

export type DeliverDeps = { database: Database; schedule: RetrySchedule; policy: TargetPolicy };

/** A delivery that this process alone sends, until the database's clock says otherwise. */
export type ClaimedDelivery = {
  delivery: DeliveryRow;
  webhook: WebhookRow;
  payload: string;
  token: string;
};

/** Longer than any attempt lasts. */
const LEASE_SECONDS = 30;

export type ClaimOptions = {
  limit: number;
  /** At most so many of each webhook. */
  perWebhook: number;
  /** Webhooks to which this process is sending as much as it may. */
  busy: readonly string[];
  /** Those that took their last message, or those that have yet to show that they take any. */
  isProven: boolean;
};

/** Takes deliveries that are due: of each webhook its first one before any second one. */
export async function claimDeliveries(
  database: Database,
  { limit, perWebhook, busy, isProven }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const token = randomUUID();
  const taken = await database.orm.execute<{ id: string }>(sql`
    update webhook_deliveries set
      lease_token = ${token}, lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
    where id in (
      select id from (
        select d.id, d.next_attempt_at,
          row_number() over (partition by d.webhook_id order by d.next_attempt_at, d.id) as turn
        from webhook_deliveries d join webhooks w on w.id = d.webhook_id
        where d.status = 'pending' and d.next_attempt_at <= now() and w.enabled
          and (d.lease_until is null or d.lease_until < now())
          and (w.failing_since is null and w.last_delivered_at is not null) = ${isProven}
          and d.webhook_id <> all(${sql.param([...busy])}::text[])
      ) as due
      where turn <= ${perWebhook} order by turn, next_attempt_at limit ${limit}
    ) and status = 'pending' and (lease_until is null or lease_until < now())
    returning id`);
  if (taken.rows.length === 0) return [];
  const ids = taken.rows.map((row) => row.id);
  const rows = await database.orm
    .select({ delivery: webhookDeliveries, webhook: webhooks, payload: webhookMessages.payload })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .where(inArray(webhookDeliveries.id, ids));
  return rows.map((row) => ({ ...row, token }));
}

/** Sends a delivery once and writes down what came of it. */
export async function attemptDelivery(deps: DeliverDeps, claimed: ClaimedDelivery): Promise<void> {
  const { delivery, webhook, payload } = claimed;
  const headers = signedHeaders(
    {
      id: delivery.messageId,
      timestampSeconds: Math.floor(Date.now() / 1_000),
      body: payload,
    },
    secretsOf(webhook),
  );
  const startedAt = new Date();
  const result = await sendMessage(webhook.url, { headers, body: payload }, deps.policy);
  countWebhookAttempt(result.error === null ? 'arrived' : 'refused');
  await deps.database.orm.transaction((tx) => record(deps, tx, claimed, result, startedAt));
}

function secretsOf({ secret, previousSecret, previousSecretUntil }: WebhookRow): string[] {
  const isOverlap = previousSecretUntil !== null && previousSecretUntil > new Date();
  return previousSecret !== null && isOverlap ? [secret, previousSecret] : [secret];
}

async function record(
  deps: DeliverDeps,
  tx: Queryable,
  claimed: ClaimedDelivery,
  result: AttemptResult,
  startedAt: Date,
): Promise<void> {
  const arrived = result.error === null;
  const round = claimed.delivery.roundCount + 1;
  const wait = arrived
    ? undefined
    : nextWaitSeconds(deps.schedule, round, result.retryAfterSeconds);
  const [held] = await tx
    .update(webhookDeliveries)
    .set({
      attemptCount: sql`${webhookDeliveries.attemptCount} + 1`,
      roundCount: round,
      leaseToken: null,
      leaseUntil: null,
      status: arrived ? 'delivered' : wait === undefined ? 'failed' : 'pending',
      deliveredAt: arrived ? sql`now()` : null,
      nextAttemptAt:
        wait === undefined
          ? null
          : sql`now() + ${Math.round(wait * 1_000)} * interval '1 millisecond'`,
    })
    .where(
      and(
        eq(webhookDeliveries.id, claimed.delivery.id),
        eq(webhookDeliveries.leaseToken, claimed.token),
      ),
    )
    .returning();
  // Taken over, given up or deleted meanwhile: then this attempt is somebody else's to judge.
  if (!held) return;
  await tx.insert(webhookAttempts).values({
    deliveryId: held.id,
    attempt: held.attemptCount,
    at: startedAt,
    statusCode: result.statusCode,
    durationMs: result.durationMs,
    error: result.error,
    answer: result.answer,
  });
  if (arrived) await recordDelivered(tx, held.webhookId);
  else await recordFailure(deps, tx, held, result.statusCode);
}

async function recordDelivered(tx: Queryable, webhookId: string): Promise<void> {
  await tx
    .update(webhooks)
    .set({ failingSince: null, lastDeliveredAt: sql`now()` })
    .where(eq(webhooks.id, webhookId));
}

/** Disables a webhook that is gone, or that has been failing for so long that it is as good as. */
async function recordFailure(
  deps: DeliverDeps,
  tx: Queryable,
  delivery: DeliveryRow,
  statusCode: number | null,
): Promise<void> {
  const [webhook] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, now())` })
    .where(eq(webhooks.id, delivery.webhookId))
    .returning({
      isLong: sql<boolean>`${webhooks.failingSince}
        <= now() - ${deps.schedule.disableAfterSeconds} * interval '1 second'`,
    });
  if (statusCode === 410) await disableWebhook(tx, delivery.webhookId, 'gone');
  else if (delivery.status === 'failed' && webhook?.isLong === true) {
    await disableWebhook(tx, delivery.webhookId, 'failing');
  }
}

/** Stops sending to a webhook, and gives up what was waiting for it. */
export async function disableWebhook(
  tx: Queryable,
  webhookId: string,
  reason: 'failing' | 'gone' | 'key_revoked',
): Promise<void> {
  await tx
    .update(webhooks)
    .set({ enabled: false, disabledReason: reason, updatedAt: sql`now()` })
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.enabled, true)));
  await giveUpPending(tx, webhookId);
}
