import pg from 'pg';
import { sandbox } from './sandbox.ts';

/** What the journeys check of an order's row; amounts in micros. */
export type OrderRow = {
  status: string;
  isCancelled: boolean;
  kind: string;
  accountId: string;
  contractMicros: bigint;
  quoteLimitUsdcMicros: bigint;
  filledContractMicros: bigint;
  quoteUsdcMicros: bigint;
  returnedUsdcMicros: bigint;
};

type StoredOrder = {
  status: string;
  cancel_requested_at: Date | null;
  kind: string;
  account_id: string;
  contract_micros: string | null;
  quote_limit_usdc_micros: string | null;
  filled_contract_micros: string | null;
  quote_usdc_micros: string | null;
  returned_usdc_micros: string | null;
};

/** Sets the end of an account's permission, in seconds from now; negative for the past. */
export async function endGrantOf(account: string, inSeconds = -60): Promise<void> {
  const endsAt = Math.floor(Date.now() / 1_000) + inSeconds;
  await asked('update grants set valid_until = $2 where account_id = $1', [account, endsAt]);
}

/** Reads an order straight from the database. */
export async function readOrder(id: string): Promise<OrderRow> {
  const [row] = await asked<StoredOrder>('select * from orders where id = $1', [id]);
  if (!row) throw new Error(`The database has no order ${id}.`);
  return {
    status: row.status,
    isCancelled: row.cancel_requested_at !== null,
    kind: row.kind,
    accountId: row.account_id,
    contractMicros: BigInt(row.contract_micros ?? 0),
    quoteLimitUsdcMicros: BigInt(row.quote_limit_usdc_micros ?? 0),
    filledContractMicros: BigInt(row.filled_contract_micros ?? 0),
    quoteUsdcMicros: BigInt(row.quote_usdc_micros ?? 0),
    returnedUsdcMicros: BigInt(row.returned_usdc_micros ?? 0),
  };
}

export async function countOrders(account: string): Promise<number> {
  const [row] = await asked<{ count: number }>(
    'select count(*)::int as count from orders where account_id = $1',
    [account],
  );
  return row?.count ?? 0;
}

/** What the stored logs say about a session key, the oldest first. */
export async function readSessionKeyEvents(key: string): Promise<string[]> {
  const rows = await asked<{ kind: string }>(
    'select kind from session_key_events where key = $1 order by block_number, log_index',
    [key],
  );
  return rows.map(({ kind }) => kind);
}

/** The service forgets a passkey, as a database without its row would. */
export async function forgetPasskey(publicKey: string): Promise<void> {
  await asked('delete from passkeys where public_key = $1', [publicKey]);
}

/** The passkeys stored for the wallet of a first key, the oldest first. */
export async function readPasskeys(
  firstKey: string,
): Promise<{ publicKey: string; name: string }[]> {
  return await asked<{ publicKey: string; name: string }>(
    `select public_key as "publicKey", name from passkeys
     where public_key = $1 or first_key = $1 order by created_at`,
    [firstKey],
  );
}

/** The messages that the service has sent for an account, and what became of them. */
export async function readRelays(account: string): Promise<{ type: string; state: string }[]> {
  return await asked<{ type: string; state: string }>(
    `select args->'relay'->>'type' as type, state from chain_operations
     where kind = 'relay' and account_id = $1 order by created_at`,
    [account],
  );
}

/** The client order id under which an order rests at the exchange. */
export async function restingAttemptOf(id: string): Promise<string> {
  const [row] = await asked<{ client_order_id: string }>(
    "select client_order_id from exchange_attempts where order_id = $1 and state = 'resting'",
    [id],
  );
  if (!row) throw new Error(`The order ${id} does not rest.`);
  return row.client_order_id;
}

async function asked<Row extends pg.QueryResultRow>(
  statement: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: sandbox().databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
