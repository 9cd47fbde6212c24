import { randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Address, getAddress } from 'viem';
import type { Database } from '../../platform/database/client.ts';
import { sessions } from '../../platform/database/schema/auth.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import {
  decideRefresh,
  hashRefreshToken,
  newRefreshSalt,
  newRefreshToken,
  renewedExpiry,
  sessionIdOf,
  successorOf,
} from './refreshTokens.ts';
import { beginSession } from './sessions.ts';

/** Sessions of our own pages: a refresh token renews them and is replaced each time. */

type Deps = { database: Database; log: Log };

export type BrowserSession = {
  sessionId: string;
  owner: Address;
  refreshToken: string;
  /** Until when it can be renewed; each renewal extends it. */
  renewableUntil: Date;
};

export async function beginBrowserSession(
  deps: Deps,
  about: { owner: Address; userAgent: string; ip: string },
): Promise<BrowserSession> {
  const sessionId = randomUUID();
  const refreshToken = newRefreshToken(sessionId);
  const now = new Date();
  const renewableUntil = renewedExpiry(now, now);
  await beginSession(deps, {
    ...about,
    id: sessionId,
    expiresAt: renewableUntil,
    refreshHash: hashRefreshToken(refreshToken),
  });
  return { sessionId, owner: about.owner, refreshToken, renewableUntil };
}

const ended = () => new ServiceError('token_invalid', 'Your session has ended. Sign in again.');

/**
 * Exchanges a refresh token for its successor. A token that was replaced before ends the session:
 * a copy exists, and which holder is the owner is unknown. @throws {ServiceError} `token_invalid`
 */
export async function renewBrowserSession(
  deps: Deps,
  refreshToken: string,
): Promise<BrowserSession> {
  const sessionId = sessionIdOf(refreshToken);
  if (sessionId === undefined) throw ended();
  const renewed = await deps.database.orm.transaction(async (tx) => {
    const [row] = await tx
      .select({ session: sessions, now: sql<Date>`now()`.mapWith(sessions.createdAt) })
      .from(sessions)
      .where(eq(sessions.id, sessionId))
      .for('update');
    if (!row) return undefined;
    const { session, now } = row;
    const hash = hashRefreshToken(refreshToken);
    const decision = decideRefresh(session, hash, now);
    if (decision === 'over') return undefined;
    if (decision === 'reused') {
      await tx.update(sessions).set({ endedAt: now }).where(eq(sessions.id, sessionId));
      deps.log.warn({ sessionId }, 'a replaced refresh token was used; its session is ended');
      return undefined;
    }
    const owner = getAddress(session.ownerAddress);
    if (decision === 'repeat') {
      const again = successorOf(sessionId, refreshToken, session.refreshSalt ?? '');
      return { sessionId, owner, refreshToken: again, renewableUntil: session.expiresAt };
    }
    const refreshSalt = newRefreshSalt();
    const next = successorOf(sessionId, refreshToken, refreshSalt);
    const renewableUntil = renewedExpiry(session.createdAt, now);
    await tx
      .update(sessions)
      .set({
        refreshHash: hashRefreshToken(next),
        previousRefreshHash: hash,
        refreshSalt,
        refreshedAt: now,
        lastUsedAt: now,
        expiresAt: renewableUntil,
      })
      .where(eq(sessions.id, sessionId));
    return { sessionId, owner, refreshToken: next, renewableUntil };
  });
  if (!renewed) throw ended();
  return renewed;
}

/** Ends the session of this token, also of the one before it; returns how many were active. */
export async function endBrowserSession(deps: Deps, refreshToken: string): Promise<number> {
  const hash = hashRefreshToken(refreshToken);
  const done = await deps.database.orm
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(
      and(
        eq(sessions.id, sessionIdOf(refreshToken) ?? ''),
        sql`${hash} in (${sessions.refreshHash}, ${sessions.previousRefreshHash})`,
        isNull(sessions.endedAt),
        sql`${sessions.expiresAt} > now()`,
      ),
    );
  return done.rowCount ?? 0;
}
