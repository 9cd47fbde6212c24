import { sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import { readCursor } from '#server/chain/cursor.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { readCashInTransit } from '../collateral/transferStore.ts';
import type { LedgerLine } from '../ledger/ledger.ts';
import { readOrderProblems } from './readOrderProblems.ts';
import { readPending } from './readPending.ts';
import { readBaselines } from './runs.ts';

/**
 * Inputs of the comparisons. All ledger data is of one database snapshot, all chain data of one
 * block: the last one posted to the ledger.
 */

export type LedgerSum = { account: string; asset: string; amountMicros: bigint };

export type Books = {
  /** The block up to which transfers are recorded. */
  blockNumber: bigint;
  blockHash: string;
  sums: LedgerSum[];
  /** USDC of the `treasury`: what trading has moved at the exchange. */
  treasuryUsdcMicros: bigint;
  /**
   * What open orders have yet to post for events up to that block, less what orders have already
   * posted for later ones: added to the sums, it gives the ledger as of the block.
   */
  pending: LedgerLine[];
  unbalancedPostings: {
    id: string;
    posting: string;
    asset: string;
    offMicros: bigint;
    ticker: string | null;
  }[];
  /** Transfers into the vault without a known reason, by transaction. */
  unassigned: { transactionHash: string; asset: string; amountMicros: bigint }[];
  followed: Address[];
  /** Contracts by fills, per market and side, and whether the exchange has paid for the market. */
  holdings: Holding[];
  /** Exchange attempts, sent or about to be, whose fills are not recorded yet. */
  inFlight: InFlight[];
  /** Cash that may be on its way from one shard of the exchange to another, in no balance. */
  inTransitUsdcMicros: bigint;
  orderProblems: OrderProblem[];
  /** Settlements whose state differs from the vault's log. */
  settlementProblems: { ticker: string; state: string; logged: string | null }[];
  /** Accepted differences: `kind|subject` to micros. */
  baselines: ReadonlyMap<string, bigint>;
};

/** What is compared with the exchange. */
export type TradingBooks = Pick<
  Books,
  'treasuryUsdcMicros' | 'holdings' | 'inFlight' | 'inTransitUsdcMicros' | 'baselines'
>;

export type Holding = {
  ticker: string;
  side: OutcomeSide;
  contractMicros: bigint;
  isSettled: boolean;
  /** Whether the mirror lists the market as open for trading. */
  isTrading: boolean;
};

export type InFlight = {
  orderId: string;
  ticker: string;
  side: OutcomeSide;
  tradeAction: 'buy' | 'sell';
  contractMicros: bigint;
  /**
   * Of an order that rests: what is recorded as filled, and the most cash that the exchange may
   * keep for the rest. In flight is only what the exchange has filled beyond that.
   */
  resting?: { clientOrderId: string; filledContractMicros: bigint; reservedUsdcMicros: bigint };
};

export type OrderProblem = {
  kind: 'order_amounts' | 'order_fills' | 'order_room' | 'order_stuck';
  orderId: string;
  ticker: string | null;
  expectedMicros: bigint;
  actualMicros: bigint;
  explanation: string;
};

export type ChainSnapshot = {
  /** In the vault and in the settlement. */
  contractsUsdcMicros: bigint;
  accruedUsdcMicros: bigint;
  usdcOf: ReadonlyMap<string, bigint>;
  /** By `account|asset`. */
  tokensOf: ReadonlyMap<string, bigint>;
  /** By asset. */
  supplyOf: ReadonlyMap<string, bigint>;
};

export type ExchangeSnapshot = {
  cashUsdcMicros: bigint;
  /** Positive is Yes, negative is No. */
  netOf: ReadonlyMap<string, bigint>;
  /** What our resting orders have filled, by client order id. */
  restingFilled: ReadonlyMap<string, bigint>;
  /** Markets without a position of ours that the exchange has paid, which the mirror still lists as open. */
  paid: ReadonlySet<string>;
};

const ONE_SNAPSHOT = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const;

/**
 * The ledger at one moment, from one database snapshot. Reads the tables directly, not through the
 * services that write them: a comparison must not repeat their mistakes.
 */
export async function readBooks(database: Database): Promise<Books | undefined> {
  return await database.orm.transaction(async (tx) => {
    const [transfers, contracts] = [
      await readCursor(tx, 'transfers'),
      await readCursor(tx, 'contracts'),
    ];
    // The vault's events must be read at least as far as the transfers.
    if (!transfers || !contracts || contracts.blockNumber < transfers.blockNumber) {
      return undefined;
    }
    const { blockNumber, blockHash } = transfers;
    return {
      ...(await readTrading(tx)),
      blockNumber,
      blockHash,
      sums: await readSums(tx),
      pending: await readPending(tx, blockNumber),
      unbalancedPostings: await readUnbalancedPostings(tx),
      unassigned: await readUnassigned(tx),
      followed: await readFollowed(tx),
      orderProblems: await readOrderProblems(tx),
      settlementProblems: await readSettlementProblems(tx),
    };
  }, ONE_SNAPSHOT);
}

/** The part of the ledger that is compared with the exchange, from one database snapshot. */
export async function readTradingBooks(database: Database): Promise<TradingBooks> {
  return await database.orm.transaction(readTrading, ONE_SNAPSHOT);
}

/** Queries of each, as documented in docs/RELIABILITY.md. */
export const BOOKS_QUERIES = 23;
export const TRADING_BOOKS_QUERIES = 6;

async function readTrading(tx: Queryable): Promise<TradingBooks> {
  return {
    treasuryUsdcMicros: await readTreasury(tx),
    holdings: await readHoldings(tx),
    inFlight: [...(await readInFlight(tx)), ...(await readResting(tx))],
    inTransitUsdcMicros: await readCashInTransit(tx),
    baselines: await readBaselines(tx),
  };
}

async function readSums(tx: Queryable): Promise<LedgerSum[]> {
  const { rows } = await tx.execute<{ account: string; asset: string; amount: string }>(sql`
    select account, asset, sum(amount_micros)::text as amount
    from ledger_entries group by account, asset`);
  return rows.map(({ amount, ...sum }) => ({ ...sum, amountMicros: BigInt(amount) }));
}

async function readTreasury(tx: Queryable): Promise<bigint> {
  const { rows } = await tx.execute<{ amount: string }>(sql`
    select coalesce(sum(amount_micros), 0)::text as amount
    from ledger_entries where account = 'treasury' and asset = 'usdc'`);
  return BigInt(rows[0]?.amount ?? 0);
}

async function readUnbalancedPostings(tx: Queryable): Promise<Books['unbalancedPostings']> {
  type Row = Omit<Books['unbalancedPostings'][number], 'offMicros'> & { off: string };
  const { rows } = await tx.execute<Row>(sql`
    select l.order_id as id, l.posting, l.asset, l.off, o.ticker from (
      select order_id, posting, asset, sum(amount_micros)::text as off
      from ledger_entries group by order_id, posting, asset having sum(amount_micros) <> 0
    ) l left join orders o on o.id = l.order_id`);
  return rows.map(({ off, ...posting }) => ({ ...posting, offMicros: BigInt(off) }));
}

async function readUnassigned(tx: Queryable): Promise<Books['unassigned']> {
  const { rows } = await tx.execute<{ reference: string; asset: string; amount: string }>(sql`
    select c.reference, e.asset, e.amount_micros::text as amount
    from ledger_entries e join chain_postings c on c.posting_id = e.order_id
    where e.account = 'unassigned'`);
  return rows.map(({ reference: transactionHash, asset, amount }) => {
    return { transactionHash, asset, amountMicros: BigInt(amount) };
  });
}

async function readFollowed(tx: Queryable): Promise<Address[]> {
  const { rows } = await tx.execute<{ address: Address }>(sql`select address from usdc_accounts`);
  return rows.map((row) => row.address);
}

async function readHoldings(tx: Queryable): Promise<Holding[]> {
  type Row = Omit<Holding, 'contractMicros'> & { contracts: string };
  const { rows } = await tx.execute<Row>(sql`
    select f.ticker, f.side, f.contracts::text,
      coalesce(m.status, 'open') not in ('closed', 'settled') as "isTrading",
      exists (
        select 1 from market_settlements s join ledger_entries e on e.order_id = s.id
        where s.ticker = f.ticker and e.posting = 'exchange_settlement'
      ) or exists (
        select 1 from market_settlements s where s.ticker = f.ticker and s.state in ('final', 'not_needed')
      ) as "isSettled"
    from (
      select ticker, side,
        sum(case trade_action when 'buy' then contract_micros else -contract_micros end) as contracts
      from exchange_fills group by ticker, side
    ) f left join markets m on m.ticker = f.ticker`);
  return rows.map(({ contracts, ...row }) => ({ ...row, contractMicros: BigInt(contracts) }));
}

/** A settlement advances shortly after its log; two readings filter that delay out. */
async function readSettlementProblems(tx: Queryable): Promise<Books['settlementProblems']> {
  const { rows } = await tx.execute<Books['settlementProblems'][number]>(sql`
    select ticker, state, logged from (
      select s.ticker, s.state, (select e.kind from settlement_events e
        where e.market_key = s.market_key
        order by e.block_number desc, e.log_index desc limit 1) as logged
      from market_settlements s
    ) x where (state = 'final') <> (logged is not distinct from 'finalized')
      and not (state = 'held' and logged = 'finalized')`);
  return rows;
}

async function readInFlight(tx: Queryable): Promise<InFlight[]> {
  type Row = Omit<InFlight, 'contractMicros'> & { contracts: string };
  const { rows } = await tx.execute<Row>(sql`
    select o.id as "orderId", o.ticker, o.side, o.trade_action as "tradeAction",
      greatest(o.contract_micros, (select max(a.contract_micros) from exchange_attempts a
        where a.order_id = o.id))::text as contracts
    from orders o
    where not o.is_complete and o.stage = 'place'
    union all
    select o.id, o.ticker, o.side,
      case when (a.purpose = 'found') = (o.trade_action = 'buy') then 'buy' else 'sell' end,
      a.contract_micros::text
    from orders o join exchange_attempts a on a.order_id = o.id and a.purpose <> 'order'
    where o.is_unwinding and (a.state in ('stored', 'unknown') or a.state = 'done'
      and a.filled_contract_micros > 0
      and not exists (select 1 from exchange_fills f
        where f.order_id = o.id and f.client_order_id = a.client_order_id))`);
  return rows.map(({ contracts, ...row }) => ({ ...row, contractMicros: BigInt(contracts) }));
}

async function readResting(tx: Queryable): Promise<InFlight[]> {
  type Row = Pick<InFlight, 'orderId' | 'ticker' | 'side' | 'tradeAction'> & {
    client: string;
    contracts: string;
    filled: string;
    reserved: string;
  };
  const { rows } = await tx.execute<Row>(sql`
    select o.id as "orderId", o.ticker, o.side, o.trade_action as "tradeAction",
      a.client_order_id as client,
      (o.contract_micros - coalesce(o.filled_contract_micros, 0))::text as contracts,
      coalesce(o.filled_contract_micros, 0)::text as filled,
      case o.trade_action
        when 'buy' then o.quote_limit_usdc_micros - coalesce(o.quote_usdc_micros, 0)
        else o.contract_micros - coalesce(o.filled_contract_micros, 0) end::text as reserved
    from orders o join exchange_attempts a on a.order_id = o.id and a.purpose = 'order'
      and a.state in ('resting', 'done')
    where not o.is_complete and o.stage = 'rest'`);
  return rows.map(({ client, contracts, filled, reserved, ...row }) => ({
    ...row,
    contractMicros: BigInt(contracts),
    resting: {
      clientOrderId: client,
      filledContractMicros: BigInt(filled),
      reservedUsdcMicros: BigInt(reserved),
    },
  }));
}
