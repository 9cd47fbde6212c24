import type { Database } from '#server/platform/database/client.ts';

/**
 * Inserts ended orders with their logs directly into the database, as if traded over the past year.
 * Completed ones have no fills or ledger entries, which a reconciliation reports; failed ones never
 * reached the chain and differ from nothing.
 */
export async function storeOrders(
  database: Database,
  options: {
    from: number;
    to: number;
    apiKeyId: string;
    accounts: number;
    status?: 'completed' | 'failed';
  },
): Promise<void> {
  const { from, to, apiKeyId, accounts, status = 'completed' } = options;
  await database.pool.query(
    `insert into orders (id, account_id, owner_address, user_address, api_key_id, client_id,
       request_hash, kind, action, status, stage, ticker, side, trade_action, contract_micros,
       quote_limit_usdc_micros, receiver_address, chain_order_id, client_ref, filled_contract_micros,
       quote_usdc_micros, fee_usdc_micros, transaction_hash, termination_reason, created_at,
       updated_at, completed_at, is_complete, next_run_at)
     select ${ORDER_ID}, account, owner, owner, $3, 'bench-' || n, md5(n::text), 'api',
       '{"orderType":"MarketOrder","chainId":8453,"order":{"orderType":"BUY","baseQuantity":"10"}}',
       $5, 'done', 'BENCH-' || n % 5000, 'yes', 'buy', 10000000, 9900000, account,
       chain_id, '0x' || md5('ref' || n), filled, filled * 52 / 100, filled / 100, chain_id,
       case when chain_id is null then 'expired' end, at, at, at, true, at
     from (select n, '0x' || lpad(to_hex(n % $4), 40, 'a') as account,
         '0x' || lpad(to_hex(n % $4), 40, 'b') as owner,
         case when $5 = 'completed' then '0x' || md5('chain' || n) || md5('order' || n) end as chain_id,
         case when $5 = 'completed' then 10000000 end as filled,
         now() - interval '1 year' * (1 - n / 1e7) as at
       from generate_series($1::int, $2::int) n) made`,
    [from, to, apiKeyId, accounts, status],
  );
  await database.pool.query(
    `insert into order_events (account_id, order_id, type, status, at)
     select '0x' || lpad(to_hex(n % $3), 40, 'a'), ${ORDER_ID}, type, status, now()
     from generate_series($1::int, $2::int) n, (values (1, 'created', 'pending'),
       (2, 'validated', 'validated'), (3, 'filled', 'executing'), (4, $4, $4))
       as step(place, type, status)
     order by n, place`,
    [from, to, accounts, status],
  );
}

const ORDER_ID = `('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

/** The id of the nth stored order. */
export const storedOrderId = (n: number): string =>
  `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
