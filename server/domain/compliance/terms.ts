import { and, desc, eq, sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type { ComplianceConfig } from '../../platform/config/compliance.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { termsAcceptances } from '../../platform/database/schema/compliance.ts';
import { ServiceError } from '../../platform/errors.ts';

const NO_TERMS = 'omitted: there are no terms';

type Deps = { database: { orm: Queryable } };

export type TermsState = {
  /** The version that must be accepted; null when none is required. */
  version: string | null;
  url: string | null;
  acceptedVersion: string | null;
  acceptedAt: string | null;
};

/** The terms in force, and the version a wallet has accepted last. */
export async function readTerms(
  deps: Deps,
  terms: ComplianceConfig['terms'],
  owner: Address,
): Promise<TermsState> {
  const [latest] = await deps.database.orm
    .select()
    .from(termsAcceptances)
    .where(eq(termsAcceptances.ownerAddress, owner))
    .orderBy(desc(termsAcceptances.acceptedAt))
    .limit(1);
  return {
    version: terms?.version ?? null,
    url: terms?.url ?? null,
    acceptedVersion: latest?.version ?? null,
    acceptedAt: latest?.acceptedAt.toISOString() ?? null,
  };
}

/** Records that a wallet accepts the terms in force. @throws {ServiceError} invalid_request */
export async function acceptTerms(
  deps: Deps,
  terms: ComplianceConfig['terms'],
  input: { owner: Address; version: string },
): Promise<TermsState> {
  if (!terms || input.version !== terms.version) {
    throw new ServiceError('invalid_request', 'This is not the current version of the terms.', {
      errors: [{ pointer: '/version', detail: `must be ${terms?.version ?? NO_TERMS}` }],
    });
  }
  await deps.database.orm
    .insert(termsAcceptances)
    .values({ ownerAddress: input.owner, version: terms.version, acceptedAt: sql`now()` })
    .onConflictDoNothing();
  return await readTerms(deps, terms, input.owner);
}

/** Whether a wallet has yet to accept the terms in force. */
export async function findTermsProblems(
  deps: Deps,
  terms: ComplianceConfig['terms'],
  owner: Address,
): Promise<ServiceError[]> {
  if (!terms) return [];
  const [accepted] = await deps.database.orm
    .select({ version: termsAcceptances.version })
    .from(termsAcceptances)
    .where(
      and(eq(termsAcceptances.ownerAddress, owner), eq(termsAcceptances.version, terms.version)),
    )
    .limit(1);
  if (accepted) return [];
  return [
    new ServiceError(
      'terms_not_accepted',
      `${owner} has not accepted the terms of ${terms.version}. Read them (${terms.url ?? ''}) ` +
        'and accept them at /terms, or with POST /v1/account/terms. Nothing was created.',
    ),
  ];
}
