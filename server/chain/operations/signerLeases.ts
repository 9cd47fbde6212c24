import { and, eq, sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { isLeasable } from '../../platform/database/lease.ts';
import { chainSigners } from '../../platform/database/schema/chain.ts';
import { IS_FREE, type OperationKind } from './store.ts';

const SIGNER_LEASE_SECONDS = 4;
/** How long a request for a key lasts; the requester renews it twice as often. */
const WANTED_SECONDS = 1;
/**
 * A key is released shortly before its requester polls again: in between no process would sign with
 * it.
 */
const LEFT_AFTER_SECONDS = 0.35;

/** One process's right to sign with a key. */
export type SignerLease = { address: Address; token: string };

/** Makes a key known, so that it can be held. */
export async function registerSigner(database: Database, address: Address): Promise<void> {
  await database.orm.insert(chainSigners).values({ address }).onConflictDoNothing();
}

/** Every key that has signed for the service. */
export async function listSigners(db: Queryable): Promise<Address[]> {
  const rows = await db.select({ address: chainSigners.address }).from(chainSigners);
  return rows.map((row) => row.address as Address);
}

/** The state of a key for this process. */
export type KeyClaim = {
  /** Whether there is an unfinished transaction, or operations of its kinds. */
  isDue: boolean;
  isUnfinished: boolean;
  /** Whether this process has the right to sign. */
  isHeld: boolean;
  /** How many keys the process that requests this one holds; null without a request. */
  requesterKeyCount: number | null;
};

/**
 * Acquires or keeps the right to sign with a key, if it has work. While another process has it,
 * records that the key is wanted.
 * @param holding how many keys this process holds
 */
export async function acquireSigner(
  { orm }: Database,
  lease: SignerLease,
  kinds: readonly OperationKind[],
  holding: number,
): Promise<KeyClaim> {
  const list = sql.join(
    kinds.map((kind) => sql`${kind}`),
    sql`, `,
  );
  const { address, token } = lease;
  const response = await orm.execute<KeyClaim>(sql`
    with unfinished as materialized (
      select exists (select 1 from chain_transactions
        where signer = ${address} and state in ('signed', 'lost')) as is_so),
    work as materialized (
      select is_so or exists (select 1 from chain_operations
        where state = 'ready' and kind in (${list}) and ${IS_FREE}) as is_due
      from unfinished),
    held as (
      update chain_signers set lease_token = ${token}, lease_until = ${signerLeaseEnd()}
      from work
      where is_due and address = ${address}
        and (lease_until is null or lease_token = ${token} or lease_until < now())
      returning case when lease_requested_at between now() - ${WANTED_SECONDS} * interval '1 second'
          and now() - ${LEFT_AFTER_SECONDS} * interval '1 second'
        then requester_key_count end as requester_key_count),
    wanted as (
      update chain_signers set lease_requested_at = now(), requester_key_count = ${holding}::int
      from work
      where is_due and address = ${address} and lease_token <> ${token} and lease_until >= now())
    select is_due as "isDue", is_so as "isUnfinished", exists (select 1 from held) as "isHeld",
      (select requester_key_count from held) as "requesterKeyCount"
    from work, unfinished`);
  const nothing = { isDue: false, isUnfinished: false, isHeld: false, requesterKeyCount: null };
  return response.rows[0] ?? nothing;
}

/** Those of `kinds` with ready operations, and the addresses of keys with an unfinished transaction. */
export async function listDueWork(
  db: Queryable,
  kinds: readonly OperationKind[],
): Promise<string[]> {
  const { rows } = await db.execute<{ due: string }>(sql`
    select due from unnest(${sql.param([...kinds])}::text[]) as due
    where exists (select 1 from chain_operations
      where state = 'ready' and kind = due and ${IS_FREE})
    union all
    select distinct signer from chain_transactions where state in ('signed', 'lost')`);
  return rows.map(({ due }) => due);
}

function signerLeaseEnd() {
  return sql`now() + ${SIGNER_LEASE_SECONDS} * interval '1 second'`;
}

/** Acquires or keeps the right to sign with a key; false while another process has it. */
export async function holdSigner(database: Database, lease: SignerLease): Promise<boolean> {
  const held = await database.orm
    .update(chainSigners)
    .set({ leaseToken: lease.token, leaseUntil: signerLeaseEnd() })
    .where(and(eq(chainSigners.address, lease.address), isLeasable(chainSigners, lease.token)))
    .returning();
  return held.length === 1;
}

/** Lets another process sign at once. */
export async function releaseSigner(database: Database, lease: SignerLease): Promise<void> {
  await database.orm
    .update(chainSigners)
    .set({ leaseToken: null, leaseUntil: null, leaseRequestedAt: null, requesterKeyCount: null })
    .where(and(eq(chainSigners.address, lease.address), eq(chainSigners.leaseToken, lease.token)));
}
