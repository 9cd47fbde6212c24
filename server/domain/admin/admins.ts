import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { admins } from '#server/platform/database/schema/admin.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { recordAudit } from './audit.ts';
import { NotAllowedError } from './notAllowed.ts';

/** `watch` sees everything and changes nothing. */
export const ADMIN_ROLES = ['watch', 'act'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** The admin a token belongs to. */
export type Admin = { id: string; name: string; role: AdminRole };

export type AdminEntry = Omit<typeof admins.$inferSelect, 'hash'>;

type Deps = { database: Database };

/** `cbo_` and 32 random bytes; distinguishable from API keys, also for secret scanners. */
const TOKEN = /^cbo_[A-Za-z0-9_-]{43}$/;
/** A name that the audit log distinguishes from the service and from command-line users. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{1,39}$/;

function hashToken(token: string): string {
  // The token is random, so a fast hash is as good as a slow one.
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Adds an admin. @returns the token, which is shown once and not stored
 * @throws {NotAllowedError} when the name is taken or invalid
 */
export async function addAdmin(
  deps: Deps,
  input: {
    name: string;
    role: AdminRole;
    expiresAt?: Date | undefined;
    by: string;
    reason: string;
  },
): Promise<{ operator: Admin; token: string }> {
  const { name, role, by, reason } = input;
  if (!NAME.test(name) || name === 'service' || name === 'reconciliation') {
    throw new NotAllowedError('A name has 2 to 40 letters, digits, spaces, dots, dashes.');
  }
  const token = `cbo_${randomBytes(32).toString('base64url')}`;
  const id = `op_${randomUUID()}`;
  await deps.database.orm.transaction(async (tx) => {
    const added = await tx
      .insert(admins)
      .values({
        id,
        name,
        role,
        hash: hashToken(token),
        hint: `${token.slice(0, 8)}…${token.slice(-4)}`,
        createdAt: sql`now()`,
        createdBy: by,
        expiresAt: input.expiresAt ?? null,
      })
      .onConflictDoNothing()
      .returning({ id: admins.id });
    if (added.length === 0) throw new NotAllowedError(`Admin “${name}” already exists.`);
    await recordAudit(
      { database: { orm: tx } },
      { actor: by, action: 'add_operator', subject: name, reason, after: { role } },
    );
  });
  return { operator: { id, name, role }, token };
}

/** Revokes an admin's access from the next request on. @throws {NotAllowedError} */
export async function revokeAdmin(
  deps: Deps,
  { name, by, reason }: { name: string; by: string; reason: string },
): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    const revoked = await tx
      .update(admins)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(admins.name, name), isNull(admins.revokedAt)))
      .returning({ id: admins.id });
    if (revoked.length === 0) throw new NotAllowedError(`No active admin is named “${name}”.`);
    await recordAudit(
      { database: { orm: tx } },
      { actor: by, action: 'revoke_operator', subject: name, reason },
    );
  });
}

export async function listAdmins(deps: Deps): Promise<AdminEntry[]> {
  const rows = await deps.database.orm.select().from(admins).orderBy(asc(admins.createdAt));
  return rows.map(({ hash: _hash, ...entry }) => entry);
}

/**
 * The admin of a token. Queried each time, so that a revocation applies at once. @throws
 * {ServiceError}
 */
export async function authenticateAdmin(deps: Deps, token: string): Promise<Admin> {
  const refused = new ServiceError(
    'operator_token_invalid',
    'The admin token is unknown, revoked or expired.',
  );
  if (!TOKEN.test(token)) throw refused;
  const [found] = await deps.database.orm
    .select({ id: admins.id, name: admins.name, role: admins.role })
    .from(admins)
    .where(
      and(
        eq(admins.hash, hashToken(token)),
        isNull(admins.revokedAt),
        or(isNull(admins.expiresAt), gt(admins.expiresAt, sql`now()`)),
      ),
    )
    .limit(1);
  if (!found) throw refused;
  return found;
}
