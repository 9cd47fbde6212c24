import { sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type { Database } from '../../platform/database/client.ts';

/** A key without a holder for this long counts as abandoned. */
const ABANDONED_SECONDS = 15;

/**
 * Keys outside `ours` with an unfinished transaction that no process tracks: keys that were removed
 * from the configuration.
 */
export async function listAbandonedSigners(
  database: Database,
  ours: readonly Address[],
): Promise<Address[]> {
  const response = await database.orm.execute<{ signer: Address }>(sql`
    select distinct t.signer from chain_transactions t
    left join chain_signers s on s.address = t.signer
    where t.state in ('signed', 'lost')
      and not (t.signer = any(${sql.param([...ours])}::text[]))
      and t.signed_at < now() - ${ABANDONED_SECONDS} * interval '1 second'
      and coalesce(s.lease_until < now() - ${ABANDONED_SECONDS} * interval '1 second', true)`);
  return response.rows.map(({ signer }) => signer);
}
