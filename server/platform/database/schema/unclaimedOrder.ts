import { type SQL, sql } from 'drizzle-orm';
import { vaultEvents } from '#server/platform/database/schema/chain.ts';

/**
 * Whether an order belongs to the key and the client id it was asked for with, and to no account:
 * anybody may ask for the transactions of an order for any address, so it counts as an order of that
 * address only once its wallet has sent them and the vault has logged the request, or once the vault
 * has paid what it was to redeem. Read from the log each time: a fork that takes the request back
 * takes the order back as well, unless it was acted upon.
 */
export function isUnclaimed(table: 'orders' | 'o' = 'orders'): SQL<boolean> {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  return sql<boolean>`(${column('without_token')} and ${column('status')} <> 'completed'
    and ${column('balance_validated_at')} is null
    and not exists (select 1 from ${vaultEvents} requested
      where requested.chain_order_id = ${column('chain_order_id')}
        and requested.kind = 'requested'))`;
}
