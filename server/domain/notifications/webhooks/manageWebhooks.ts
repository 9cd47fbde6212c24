import { randomBytes } from 'node:crypto';
import { and, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  Webhook,
  WebhookCreated,
  WebhookDeleted,
  WebhookList,
  WebhookListQuery,
  WebhookSecret,
} from '#lib/api/schemas/webhook.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { newestFirst, olderThan, pageOf } from '#server/platform/database/keysetPages.ts';
import { webhooks } from '#server/platform/database/schema/notifications.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { findInactiveApiKeys } from '../../auth/manageApiKeys.ts';
import { deleteDeliveriesTo, giveUpPending } from '../outbox.ts';
import { describeWebhook, type WebhookRow } from './describe.ts';
import { requireAllowedTarget, type TargetPolicy } from './target.ts';

/** A subject's webhooks. Those of others count as missing. */

export type WebhookDeps = { database: Database };
export type OwnWebhook = { subject: WebhookSubject; id: string };

/** The secret's form in the Standard Webhooks specification. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
const newWebhookSecret = () => WEBHOOK_SECRET_PREFIX + randomBytes(32).toString('base64');

/** The maximum of webhooks per subject. */
export const MAX_WEBHOOKS_PER_SUBJECT = 20;

/** Newest first. */
export async function listWebhooks(
  deps: WebhookDeps,
  input: { subject: WebhookSubject } & WebhookListQuery,
): Promise<WebhookList> {
  const rows = await deps.database.orm
    .select()
    .from(webhooks)
    .where(and(isOf(input.subject), olderThan(webhooks, input.cursor)))
    .orderBy(...newestFirst(webhooks))
    .limit(input.limit + 1);
  const { page, cursor } = pageOf(rows, input.limit);
  return { webhooks: page.map(describeWebhook), cursor };
}

/** @throws {ServiceError} webhook_not_found */
export async function getWebhook(deps: WebhookDeps, input: OwnWebhook): Promise<Webhook> {
  return describeWebhook(await requireOwnWebhook(deps.database.orm, input));
}

/** @throws {ServiceError} target_not_allowed, limit_reached */
export async function createWebhook(
  deps: WebhookDeps,
  input: { subject: WebhookSubject; request: CreateWebhookRequest; policy: TargetPolicy },
): Promise<WebhookCreated> {
  const { subject, request } = input;
  const url = await requireAllowedTarget(request.url, input.policy);
  const secret = newWebhookSecret();
  const row = await deps.database.orm.transaction(async (tx) => {
    await requireRoom(tx, subject);
    const [stored] = await tx
      .insert(webhooks)
      .values({
        id: `wh_${randomBytes(9).toString('base64url')}`,
        apiKeyId: 'apiKeyId' in subject ? subject.apiKeyId : null,
        ownerAddress: 'ownerAddress' in subject ? subject.ownerAddress : null,
        ...request,
        url,
        secret,
      })
      .returning();
    return stored;
  });
  if (!row) throw new Error('the webhook was not stored');
  return { webhook: describeWebhook(row), secret };
}

/** Serialised per subject, so that counting and inserting are atomic. */
async function requireRoom(tx: Queryable, subject: WebhookSubject): Promise<void> {
  const name = `webhooks ${Object.values(subject).join()}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  if ((await tx.$count(webhooks, isOf(subject))) < MAX_WEBHOOKS_PER_SUBJECT) return;
  throw new ServiceError(
    'limit_reached',
    `You can have up to ${MAX_WEBHOOKS_PER_SUBJECT} webhooks. Delete one first.`,
  );
}

/** @throws {ServiceError} webhook_not_found, target_not_allowed */
export async function updateWebhook(
  deps: WebhookDeps,
  input: OwnWebhook & { request: UpdateWebhookRequest; policy: TargetPolicy },
): Promise<Webhook> {
  const { status, url, ...changes } = input.request;
  await requireOwnWebhook(deps.database.orm, input);
  const target = url === undefined ? {} : { url: await requireAllowedTarget(url, input.policy) };
  return await deps.database.orm.transaction(async (tx) => {
    const [row] = await tx
      .update(webhooks)
      .set({ ...changes, ...target, ...statusChange(status), updatedAt: sql`now()` })
      .where(and(eq(webhooks.id, input.id), isOf(input.subject)))
      .returning();
    if (!row) throw webhookNotFound();
    if (status === 'disabled') await giveUpPending(tx, row.id);
    return describeWebhook(row);
  });
}

function statusChange(status: 'enabled' | 'disabled' | undefined) {
  if (status === 'enabled') return { enabled: true, disabledReason: null, failingSince: null };
  if (status === 'disabled') return { enabled: false, disabledReason: 'by_hand' as const };
  return {};
}

/** A wallet, and the keys it has. */
type WalletAndKeys = { owner: string; keyIds: readonly string[] };

/** Counts the enabled webhooks of a wallet and its keys. */
export async function countEnabledWebhooks(db: Queryable, of: WalletAndKeys): Promise<number> {
  return await db.$count(webhooks, isEnabledOf(of));
}

/** Disables every webhook of a wallet and its keys. @returns how many were enabled */
export async function disableAllWebhooks(tx: Queryable, of: WalletAndKeys): Promise<number> {
  const rows = await tx
    .update(webhooks)
    .set({ ...statusChange('disabled'), updatedAt: sql`now()` })
    .where(isEnabledOf(of))
    .returning({ id: webhooks.id });
  for (const { id } of rows) await giveUpPending(tx, id);
  return rows.length;
}

function isEnabledOf({ owner, keyIds }: WalletAndKeys) {
  const isOfThem = or(isOf({ ownerAddress: owner }), isOneOf(webhooks.apiKeyId, keyIds));
  return and(isOfThem, eq(webhooks.enabled, true));
}

/** Deletes a webhook with its deliveries. @throws {ServiceError} webhook_not_found */
export async function deleteWebhook(deps: WebhookDeps, input: OwnWebhook): Promise<WebhookDeleted> {
  await deps.database.orm.transaction(async (tx) => {
    const { id } = await requireOwnWebhook(tx, input);
    await tx.delete(webhooks).where(eq(webhooks.id, id));
    await deleteDeliveriesTo(tx, [id]);
  });
  return { success: true, id: input.id };
}

/** @throws {ServiceError} webhook_not_found */
export async function getWebhookSecret(
  deps: WebhookDeps,
  input: OwnWebhook,
): Promise<WebhookSecret> {
  const { secret } = await requireOwnWebhook(deps.database.orm, input);
  return { secret };
}

/**
 * Creates a new secret; messages are also signed with the old one for `overlapSeconds`.
 * @throws {ServiceError} webhook_not_found
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  input: OwnWebhook & { overlapSeconds: number },
): Promise<WebhookSecret> {
  const [row] = await deps.database.orm
    .update(webhooks)
    .set({
      previousSecret: sql`${webhooks.secret}`,
      previousSecretUntil: sql`now() + ${input.overlapSeconds} * interval '1 second'`,
      secret: newWebhookSecret(),
      updatedAt: sql`now()`,
    })
    .where(and(eq(webhooks.id, input.id), isOf(input.subject)))
    .returning({ secret: webhooks.secret });
  if (!row) throw webhookNotFound();
  return row;
}

export async function hasEnabledWebhooks(db: Queryable): Promise<boolean> {
  const [found] = await db.select().from(webhooks).where(eq(webhooks.enabled, true)).limit(1);
  return found !== undefined;
}

/** @throws {ServiceError} webhook_not_found */
export async function requireOwnWebhook(db: Queryable, input: OwnWebhook): Promise<WebhookRow> {
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, input.id), isOf(input.subject)))
    .limit(1);
  if (!row) throw webhookNotFound();
  return row;
}

function webhookNotFound(): ServiceError {
  return new ServiceError('webhook_not_found', 'You have no webhook with this ID.');
}

/**
 * The owner of webhooks and of the orders they report: a signed-in wallet, or a secret key without
 * a token.
 */
export type WebhookSubject = { ownerAddress: string } | { apiKeyId: string };

export function isOf(subject: WebhookSubject): SQL {
  return 'ownerAddress' in subject
    ? eq(webhooks.ownerAddress, subject.ownerAddress)
    : eq(webhooks.apiKeyId, subject.apiKeyId);
}

/** Stops sending to a webhook and gives up its pending deliveries, which can be replayed. */
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

/** Disables the webhooks of keys that have expired or been revoked. */
export async function disableWebhooksOfInactiveKeys(database: Database): Promise<void> {
  const rows = await database.orm
    .selectDistinct({ apiKeyId: webhooks.apiKeyId })
    .from(webhooks)
    .where(and(eq(webhooks.enabled, true), isNotNull(webhooks.apiKeyId)));
  const ids = rows.flatMap(({ apiKeyId }) => apiKeyId ?? []);
  for (const apiKeyId of await findInactiveApiKeys({ database }, ids)) {
    await database.orm.transaction(async (tx) => {
      const found = await tx
        .select({ id: webhooks.id })
        .from(webhooks)
        .where(and(eq(webhooks.apiKeyId, apiKeyId), eq(webhooks.enabled, true)));
      for (const { id } of found) await disableWebhook(tx, id, 'key_revoked');
    });
  }
}
