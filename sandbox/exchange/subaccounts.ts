import type { Account } from './ledger.ts';
import { Refusal } from './order.ts';
import { saveAccount } from './persistence.ts';
import { freeCash, purseOf, spreadCash } from './shards.ts';
import type { Exchange } from './state.ts';

/**
 * Up to 63 accounts below a key's own, numbered from 1. Each has cash and positions of its own, but
 * no key: its owner's key signs for all.
 */
const MOST = 63;
const SEPARATOR = '#';

export function subaccountNumber(accountId: string): number {
  return Number(accountId.split(SEPARATOR)[1] ?? 0);
}

/** Whether no key signs for this account. */
export function isSubaccount(accountId: string): boolean {
  return accountId.includes(SEPARATOR);
}

/** The owner's account for 0, else the numbered one. @throws {Refusal} when there is none */
export function subaccountOf(exchange: Exchange, owner: Account, number: number): Account {
  if (number === 0) return owner;
  const found = exchange.accounts.get(`${owner.id}${SEPARATOR}${number}`);
  if (!found) throw new Refusal(400, 'invalid_parameters', `there is no subaccount ${number}`);
  return found;
}

/** The owner's account and those below it, by number. */
export function family(exchange: Exchange, owner: Account): Account[] {
  const below = [...exchange.accounts.values()].filter((account) =>
    account.id.startsWith(`${owner.id}${SEPARATOR}`),
  );
  return [owner, ...below.sort((a, b) => subaccountNumber(a.id) - subaccountNumber(b.id))];
}

/** @throws {Refusal} at the maximum number */
export function openSubaccount(exchange: Exchange, owner: Account): Account {
  const number = family(exchange, owner).length;
  if (number > MOST) throw new Refusal(400, 'invalid_parameters', `at most ${MOST} subaccounts`);
  const id = `${owner.id}${SEPARATOR}${number}`;
  const account: Account = {
    id,
    purses: spreadCash(0n),
    positions: new Map(),
  };
  exchange.accounts.set(id, account);
  saveAccount(exchange, account);
  return account;
}

export type Transfer = {
  transferId: string;
  clientTransferId: string;
  from: number;
  to: number;
  cents: number;
  at: number;
};

/**
 * Moves cash between two accounts of one owner, once per client transfer id.
 * @throws {Refusal} when the cash is insufficient
 */
export function transfer(exchange: Exchange, owner: Account, request: Transfer): Transfer {
  const known = listTransfers(exchange, owner).find(
    (one) => one.clientTransferId === request.clientTransferId,
  );
  if (known) return known;
  const from = subaccountOf(exchange, owner, request.from);
  const to = subaccountOf(exchange, owner, request.to);
  const amountMicros = BigInt(request.cents) * 10_000n;
  // The only shard that subaccounts transfer on here.
  const [source, destination] = [purseOf(from, 0), purseOf(to, 0)];
  if (amountMicros > freeCash(source)) {
    throw new Refusal(400, 'insufficient_balance', 'The balance does not cover this transfer');
  }
  source.balanceMicros -= amountMicros;
  destination.balanceMicros += amountMicros;
  saveAccount(exchange, from);
  saveAccount(exchange, to);
  exchange.store.run(
    'insert into meta values (?, ?)',
    `${transferKey(owner)}${request.clientTransferId}`,
    JSON.stringify(request),
  );
  return request;
}

/** Newest first. */
export function listTransfers(exchange: Exchange, owner: Account): Transfer[] {
  const prefix = transferKey(owner);
  return exchange.store
    .all<{ value: string }>(
      'select value from meta where substr(key, 1, ?) = ?',
      prefix.length,
      prefix,
    )
    .map((row) => JSON.parse(row.value) as Transfer)
    .sort((a, b) => b.at - a.at);
}

function transferKey(owner: Account): string {
  return `transfer:${owner.id}:`;
}
