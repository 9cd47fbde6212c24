import { type SQL, sql } from 'drizzle-orm';
import { vaultEvents } from '#server/platform/database/schema/chain.ts';

/**
 * Whether an order belongs to its key and client id only, and to no account yet. Any caller may
 * request the transactions of an order for any address, so the address owns the order only once its
 * wallet has sent them and the vault has logged the request, or once the vault has paid the
 * redemption. Read from the log each time: a fork that removes the request reverts the ownership,
 * unless the order was processed.
 */
export function isUnclaimed(table: 'orders' | 'o' = 'orders'): SQL<boolean> {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  return sql<boolean>`(${column('without_token')} and ${column('status')} <> 'completed'
    and ${column('balance_validated_at')} is null
    and not exists (select 1 from ${vaultEvents} requested
      where requested.chain_order_id = ${column('chain_order_id')}
        and requested.kind = 'requested'))`;
}
