import { isDeletedKey, SCOPES, saveApiKey } from './apiKeys.ts';
import type { Account, Position } from './ledger.ts';
import { adoptMarket } from './listing.ts';
import { saveAccount } from './persistence.ts';
import { spreadCash } from './shards.ts';
import type { Exchange } from './state.ts';

/** A key that may trade, with the cash its account starts with. */
export type ExchangeKey = { keyId: string; publicKeyPem: string; balanceMicros: bigint };

type AccountRow = { id: string; balance_micros: bigint };
type PositionRow = {
  account_id: string;
  ticker: string;
  series_ticker: string;
  close_at: bigint;
  net_micros: bigint;
  exposure_micros: bigint;
  realized_micros: bigint;
  fees_micros: bigint;
  traded_micros: bigint;
  updated_at: bigint;
};

/** Loads accounts and positions, and lists the events they hold. */
export function loadAccounts(exchange: Exchange): void {
  for (const row of exchange.store.all<AccountRow>('select * from accounts')) {
    const account: Account = {
      id: row.id,
      // Data of earlier versions has one balance only.
      purses: readPurses(exchange, row.id) ?? spreadCash(row.balance_micros),
      positions: new Map(),
    };
    exchange.accounts.set(account.id, account);
  }
  for (const row of exchange.store.all<PositionRow>('select * from positions')) {
    const position: Position = {
      netMicros: row.net_micros,
      exposureMicros: row.exposure_micros,
      realizedMicros: row.realized_micros,
      feesMicros: row.fees_micros,
      tradedMicros: row.traded_micros,
      updatedAt: Number(row.updated_at),
    };
    exchange.accounts.get(row.account_id)?.positions.set(row.ticker, position);
    exchange.world.cached(row.series_ticker, Number(row.close_at));
    const event = adoptMarket(exchange, row.ticker)?.event;
    if (event) exchange.touchedEvents.add(event.ticker);
  }
}

function readPurses(exchange: Exchange, accountId: string): Account['purses'] | undefined {
  const rows = exchange.store.all<{ shard: bigint; balance_micros: bigint }>(
    'select shard, balance_micros from purses where account_id = ?',
    accountId,
  );
  if (rows.length === 0) return undefined;
  return new Map(
    rows.map((row) => [Number(row.shard), { balanceMicros: row.balance_micros, lockedMicros: 0n }]),
  );
}

/** Creates accounts for new keys; a key that its owner deleted stays deleted. */
export function openAccounts(exchange: Exchange, keys: ExchangeKey[]): void {
  for (const { keyId, publicKeyPem, balanceMicros } of keys) {
    if (isDeletedKey(exchange, keyId)) continue;
    const account = exchange.accounts.get(keyId) ?? openAccount(exchange, keyId, balanceMicros);
    saveApiKey(exchange, { keyId, account, name: keyId, publicKeyPem, scopes: SCOPES });
  }
}

function openAccount(exchange: Exchange, id: string, balanceMicros: bigint): Account {
  const account = { id, purses: spreadCash(balanceMicros), positions: new Map() };
  exchange.accounts.set(id, account);
  saveAccount(exchange, account);
  return account;
}
