import { sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type { Database } from '../../platform/database/client.ts';

/** So long nobody must have held a key before its transaction counts as nobody's. */
const ABANDONED_SECONDS = 15;

/**
 * Keys outside `ours` with a transaction under way that no process sees through: keys that were
 * taken out of the configuration while they had one.
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
