import { type Address, encodeAbiParameters, getAddress, type Hex, keccak256, toHex } from 'viem';
import type { Database } from '#server/platform/database/client.ts';

/**
 * Accounts that hold outcome tokens, as if each had bought on some markets: rows of the database,
 * and balances written into the chain's storage, since minting them takes a trade each.
 */
export type StoredPositions = { owners: Address[] };

const HELD = 10_000_000n;
/** Where `OutcomeToken` keeps `balances`: after the three words of its base contract. */
const BALANCES_SLOT = 3n;

export async function storePositions(
  database: Database,
  options: { accounts: number; each: number; rpcUrl: string; outcomeToken: Address },
): Promise<StoredPositions> {
  const { rows: markets } = await database.pool.query<{ ticker: string; yes_token_id: Hex }>(
    `select ticker, yes_token_id from markets where status = 'open' order by ticker limit 40`,
  );
  if (markets.length < options.each) throw new Error('the sandbox has too few open markets');
  const owners = Array.from({ length: options.accounts }, (_, n) => addressOf('owner', n));
  const accounts = owners.map((_, n) => addressOf('account', n));
  await database.pool.query(
    'insert into accounts (id, owner_address) select * from unnest($1::text[], $2::text[])',
    [accounts, owners],
  );
  const held = accounts.flatMap((account, n) =>
    Array.from({ length: options.each }, (_, index) => {
      const market = markets[(n * 7 + index) % markets.length];
      if (!market) throw new Error('there is no such market');
      return { account, owner: owners[n] ?? account, ...market };
    }),
  );
  await storeRows(database, held);
  await database.pool.query('analyze accounts, orders, vault_events, token_transfers');
  for (let from = 0; from < held.length; from += 500) {
    await setBalances(options, held.slice(from, from + 500));
  }
  return { owners };
}

type Held = { account: Address; owner: Address; ticker: string; yes_token_id: Hex };

async function storeRows({ pool }: Database, held: readonly Held[]): Promise<void> {
  const columns = [
    held.map((one) => one.account),
    held.map((one) => one.owner),
    held.map((one) => one.ticker),
    held.map((one) => one.yes_token_id),
  ];
  const made = `unnest($1::text[], $2::text[], $3::text[], $4::text[])
    with ordinality as made (account, owner, ticker, token, n)`;
  await pool.query(
    `insert into orders (id, account_id, owner_address, user_address, api_key_id, client_id,
       request_hash, kind, action, status, stage, ticker, side, trade_action, contract_micros,
       quote_limit_usdc_micros, receiver_address, chain_order_id, client_ref, filled_contract_micros,
       quote_usdc_micros, fee_usdc_micros, created_at, updated_at, completed_at, is_complete,
       next_run_at)
     select gen_random_uuid(), account, owner, owner, 'key_bench', 'position-' || n,
       md5(n::text), 'api', '{}', 'completed', 'done', ticker, 'yes', 'buy', ${HELD}, 9900000,
       account, '0x' || md5('chain' || n) || md5('order' || n), '0x' || md5('ref' || n), ${HELD},
       5200000, 100000, now(), now(), now(), true, now()
     from ${made}`,
    columns,
  );
  await pool.query(
    `insert into vault_events (transaction_hash, log_index, block_number, kind, chain_order_id,
       account_address, client_ref)
     select 'position' || n, 0, 1, 'filled', '0x' || md5('chain' || n) || md5('order' || n), account, ''
     from ${made}`,
    columns,
  );
  await pool.query(
    `insert into token_transfers (transaction_hash, log_index, batch_index, block_number, token_id,
       from_address, to_address, contract_micros)
     select 'position' || n, 1, 0, 1, token, '0x' || repeat('0', 40), account, ${HELD} from ${made}`,
    columns,
  );
}

const addressOf = (role: string, n: number): Address =>
  getAddress(`0x${keccak256(toHex(`bench ${role} ${n}`)).slice(-40)}`);

async function setBalances(
  { rpcUrl, outcomeToken }: { rpcUrl: string; outcomeToken: Address },
  held: readonly Held[],
): Promise<void> {
  const calls = held.map(({ account, yes_token_id: token }, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'anvil_setStorageAt',
    params: [outcomeToken, slotOf(token, account), toHex(HELD, { size: 32 })],
  }));
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  });
  const responses = (await response.json()) as { error?: { message: string } }[];
  const refused = responses.find((response) => response.error)?.error;
  if (refused) throw new Error(`a balance was not written: ${refused.message}`);
}

/** Of a mapping in a mapping, as Solidity lays them out. */
function slotOf(tokenId: Hex, holder: Address): Hex {
  const ofToken = keccak256(
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'uint256' }],
      [BigInt(tokenId), BALANCES_SLOT],
    ),
  );
  return keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [holder, ofToken]),
  );
}
