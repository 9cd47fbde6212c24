import Fastify from 'fastify';
import pg from 'pg';
import { type Address, createPublicClient, http } from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { notifyParent, settingsFromParent } from '../harness/child.ts';

/**
 * A quick implementation: for each portfolio its statements, independent ones in parallel, and one
 * call of the chain; their rows are the response. No computation, no keys, no limits, no logging.
 */
export type PortfolioServerSettings = {
  databaseUrl: string;
  rpcUrl: string;
  outcomeToken: Address;
  swapVault: Address;
};

const ACCOUNT_SQL = 'select id, owner_address from accounts where id = $1 or owner_address = $1';
const RECEIVED_SQL =
  'select distinct to_address, token_id from token_transfers where to_address = any($1)';
const TRADES_SQL = `select o.ticker, o.side, o.trade_action, o.filled_contract_micros,
    o.quote_usdc_micros, e.block_number, e.log_index
  from orders o join vault_events e on e.chain_order_id = o.chain_order_id and e.kind = 'filled'
  where o.is_complete and o.status = 'completed' and ((o.trade_action = 'buy' and o.receiver_address = any($1))
    or (o.trade_action = 'sell' and o.account_id = any($1)))`;
const REDEEMED_SQL = 'select * from redemptions where holder = any($1)';
const TRANSFERS_SQL = `select * from token_transfers
  where (to_address = any($1) or from_address = any($1))
    and from_address <> all($2) and to_address <> all($2) and from_address <> to_address`;
const MARKETS_SQL = `select m.*, s.state from markets m
  left join market_settlements s on s.ticker = m.ticker and s.state = 'final'
  where m.yes_token_id = any($1) or m.no_token_id = any($1)`;

const settings = await settingsFromParent<PortfolioServerSettings>();
const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 });
const chain = createPublicClient({ transport: http(settings.rpcUrl) });
const vaultAndNoOne = [settings.swapVault, `0x${'0'.repeat(40)}`];

type Received = { to_address: Address; token_id: string };

async function balancesOf(received: Received[]): Promise<string[]> {
  if (received.length === 0) return [];
  const balances = await chain.readContract({
    address: settings.outcomeToken,
    abi: outcomeTokenAbi,
    functionName: 'balanceOfBatch',
    args: [received.map((one) => one.to_address), received.map((one) => BigInt(one.token_id))],
  });
  return balances.map(String);
}

const app = Fastify({ logger: false });
app.get<{ Params: { address: string } }>('/v1/tokens/portfolio/:address', async (request) => {
  const known = await pool.query<{ id: string; owner_address: string }>(ACCOUNT_SQL, [
    request.params.address,
  ]);
  const [account] = known.rows;
  if (!account) return [];
  const holders = [account.owner_address, account.id];
  const [received, trades, redeemed, transfers] = await Promise.all([
    pool.query<Received>(RECEIVED_SQL, [holders]),
    pool.query(TRADES_SQL, [holders]),
    pool.query(REDEEMED_SQL, [holders]),
    pool.query(TRANSFERS_SQL, [holders, vaultAndNoOne]),
  ]);
  const [balances, markets] = await Promise.all([
    balancesOf(received.rows),
    pool.query(MARKETS_SQL, [received.rows.map((one) => one.token_id)]),
  ]);
  return {
    received: received.rows,
    balances,
    trades: trades.rows,
    redeemed: redeemed.rows,
    transfers: transfers.rows,
    markets: markets.rows,
  };
});
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
notifyParent({ ready: typeof address === 'object' ? address?.port : 0 });
