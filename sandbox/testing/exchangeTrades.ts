import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dataFolderAt } from '#sandbox/stack/dataFolder.ts';

/** What the sandbox exchange has recorded of the service's orders and trades. */
export type ExchangeRecord = {
  /** Trades with an order of the service on one side. */
  fills: number;
  /** Trades with orders of the service on both sides: market, time, price and size. */
  selfTrades: string[];
  /** Client order ids and filled contracts of the orders that rest. */
  resting: Map<string, bigint>;
  /** Ids of the service's orders, and how many of their attempts traded. */
  traded: Map<string, number>;
};

/**
 * Fills count one side of a trade each. More fills than trades of one market, moment, price and
 * size: the service was on both sides of one.
 */
const SELF_TRADES = `
  with f as (
    select ticker, created_at, json_extract(body, '$.priceMicros."$n"') as price,
      json_extract(body, '$.contractMicros."$n"') as contracts, count(*) as n
    from fills group by 1, 2, 3, 4
  ), t as (
    select ticker, created_at, cast(price_micros as text) as price,
      cast(contract_micros as text) as contracts, count(*) as n
    from trades group by 1, 2, 3, 4
  )
  select f.ticker || ' ' || f.created_at || ' ' || f.price || ' ' || f.contracts as trade
  from f left join t using (ticker, created_at, price, contracts) where f.n > coalesce(t.n, 0)`;

const RESTING = `
  select client_order_id as id, json_extract(body, '$.filledMicros."$n"') as filled
  from orders where status = 'resting'`;

/** Not those that trade back what the house holds by mistake: `cb-<order>-u<attempt>`. */
const TRADED = `
  select substr(client_order_id, 4, 36) as id, count(*) as attempts from orders
  where client_order_id glob 'cb-*-[0-9]*' and json_extract(body, '$.filledMicros."$n"') <> '0'
  group by 1`;

/** Reads the exchange's own database: what it tells the service does not count here. */
export function readExchangeRecord(dataDir: string): ExchangeRecord {
  const file = join(dataFolderAt(dataDir).exchange, 'exchange.db');
  const database = new DatabaseSync(file, { readOnly: true });
  const rowsOf = (sql: string) => database.prepare(sql).all();
  try {
    const resting = rowsOf(RESTING).map((row): [string, bigint] => [
      String(row.id),
      BigInt(String(row.filled)),
    ]);
    return {
      fills: Number(rowsOf('select count(*) as n from fills')[0]?.n),
      selfTrades: rowsOf(SELF_TRADES).map((row) => String(row.trade)),
      resting: new Map(resting),
      traded: new Map(rowsOf(TRADED).map((row) => [String(row.id), Number(row.attempts)])),
    };
  } finally {
    database.close();
  }
}
