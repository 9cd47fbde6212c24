import { and, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type { SessionRecord } from '#lib/api/schemas/auth.ts';
import { batched } from '../../platform/database/batched.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { sessions } from '../../platform/database/schema/auth.ts';
import { ServiceError } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';

/** Sign-ins of wallets, which their owner lists and ends. */

type SessionDeps = { database: { orm: Queryable } };

const LAST_USED_STEP_MS = 60_000;
const MAX_USER_AGENT = 300;
/** An owner who checks for unknown sessions needs the recent ones. */
const MAX_LISTED = 100;

const isActive = () => and(isNull(sessions.endedAt), gt(sessions.expiresAt, sql`now()`));

/** Records a sign-in; its token works from now on. Also deletes what expired a week ago. */
export async function beginSession(
  deps: SessionDeps,
  session: {
    id: string;
    owner: Address;
    userAgent: string;
    ip: string;
    expiresAt: Date;
    refreshHash?: string;
  },
): Promise<void> {
  const { owner: ownerAddress, ...rest } = session;
  const userAgent = session.userAgent.slice(0, MAX_USER_AGENT);
  await deps.database.orm.insert(sessions).values({ ...rest, ownerAddress, userAgent });
  await deps.database.orm
    .delete(sessions)
    .where(lt(sessions.expiresAt, sql`now() - interval '7 days'`));
}

/**
 * Rejects a token whose session has ended. Queries the database each time, so that an end applies
 * in every process at once. @throws {ServiceError} `token_invalid`
 */
export async function checkSession(deps: SessionDeps, id: string): Promise<void> {
  const row = await activeSessionOf(deps.database.orm)(id);
  if (!row) throw new ServiceError('token_invalid', 'Your session has ended. Sign in again.');
  if (Date.now() - row.lastUsedAt.getTime() < LAST_USED_STEP_MS) return;
  await deps.database.orm
    .update(sessions)
    .set({ lastUsedAt: sql`now()` })
    .where(eq(sessions.id, id));
}

/** Concurrent checks share a statement. */
const activeSessionOf = memoizeByObject((db: Queryable) =>
  batched<string, { lastUsedAt: Date }>(async (ids) => {
    const rows = await db
      .select({ id: sessions.id, lastUsedAt: sessions.lastUsedAt })
      .from(sessions)
      .where(and(isOneOf(sessions.id, ids), isActive()));
    return new Map(rows.map((row) => [row.id, row]));
  }),
);

/** Active sessions of a wallet, newest first. */
export async function listSessions(
  deps: SessionDeps,
  input: { owner: Address; currentId: string },
): Promise<SessionRecord[]> {
  const rows = await deps.database.orm
    .select()
    .from(sessions)
    .where(and(eq(sessions.ownerAddress, input.owner), isActive()))
    .orderBy(desc(sessions.createdAt))
    .limit(MAX_LISTED);
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.userAgent,
    ip: row.ip,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    isCurrent: row.id === input.currentId,
  }));
}

/** Ends one session of a wallet, or all; returns how many were active. */
export async function endSessions(
  deps: SessionDeps,
  input: { owner: Address; id?: string },
): Promise<number> {
  const ended = await deps.database.orm
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(
      and(
        eq(sessions.ownerAddress, input.owner),
        input.id === undefined ? undefined : eq(sessions.id, input.id),
        isActive(),
      ),
    );
  return ended.rowCount ?? 0;
}

/** The sessions among these that have ended, for connections that outlive their request. */
export async function findEndedSessions(
  deps: SessionDeps,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const active = await deps.database.orm
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(inArray(sessions.id, [...ids]), isActive()));
  const activeIds = new Set(active.map((row) => row.id));
  return new Set(ids.filter((id) => !activeIds.has(id)));
}
