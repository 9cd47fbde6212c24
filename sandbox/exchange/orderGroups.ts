import { randomUUID } from 'node:crypto';
import type { Account } from './ledger.ts';
import { type Order, Refusal } from './order.ts';
import type { OrderGroupEvent } from './signals.ts';
import type { Exchange } from './state.ts';

/**
 * Orders that stop together: once the group has matched its limit of contracts within fifteen
 * seconds, all of its orders are taken off the book and none is accepted until it is reset.
 */
export type OrderGroup = {
  id: string;
  accountId: string;
  limitMicros: bigint;
  triggered: boolean;
  /** Recent matches; not kept across restarts. */
  matches: { at: number; contractMicros: bigint }[];
};

const WINDOW_MS = 15_000;

export function createGroup(exchange: Exchange, account: Account, limitMicros: bigint): OrderGroup {
  const group: OrderGroup = {
    id: randomUUID(),
    accountId: account.id,
    limitMicros,
    triggered: false,
    matches: [],
  };
  exchange.orderGroups.set(group.id, group);
  saveGroup(exchange, group, 'created');
  return group;
}

export function groupsOf(exchange: Exchange, account: Account): OrderGroup[] {
  return [...exchange.orderGroups.values()].filter((group) => group.accountId === account.id);
}

/** @throws {Refusal} */
export function groupOf(exchange: Exchange, account: Account, id: string): OrderGroup {
  const group = exchange.orderGroups.get(id);
  if (group?.accountId !== account.id) throw new Refusal(404, 'not_found', 'order group not found');
  return group;
}

/** Whether an order may join. @throws {Refusal} */
export function admitToGroup(exchange: Exchange, account: Account, id: string | undefined): void {
  if (id === undefined) return;
  if (groupOf(exchange, account, id).triggered) {
    throw new Refusal(409, 'order_group_triggered', 'The order group must be reset first');
  }
}

/** Counts a match; `sweepGroups` cancels the group's orders after all bookings. */
export function countForGroup(exchange: Exchange, order: Order, contractMicros: bigint): void {
  const group = exchange.orderGroups.get(order.orderGroupId ?? '');
  if (!group) return;
  const now = exchange.clock.now();
  group.matches.push({ at: now, contractMicros });
  group.matches = group.matches.filter((match) => match.at > now - WINDOW_MS);
  const total = group.matches.reduce((sum, match) => sum + match.contractMicros, 0n);
  if (total >= group.limitMicros && !group.triggered) trigger(exchange, group);
}

export function trigger(exchange: Exchange, group: OrderGroup): void {
  group.triggered = true;
  saveGroup(exchange, group, 'triggered');
}

export function reset(exchange: Exchange, group: OrderGroup): void {
  group.triggered = false;
  group.matches = [];
  saveGroup(exchange, group, 'reset');
}

export function changeLimit(exchange: Exchange, group: OrderGroup, limitMicros: bigint): void {
  group.limitMicros = limitMicros;
  saveGroup(exchange, group, 'limit_updated');
}

export function ordersOf(exchange: Exchange, group: OrderGroup): Order[] {
  return [...exchange.resting.values()].filter((order) => order.orderGroupId === group.id);
}

/** Deletes the group; its orders stay. */
export function dropGroup(exchange: Exchange, group: OrderGroup): void {
  exchange.orderGroups.delete(group.id);
  exchange.store.run('delete from meta where key = ?', keyOf(group.id));
  exchange.signals.emit({ kind: 'order_group', group, eventType: 'deleted' });
}

export function loadGroups(exchange: Exchange): void {
  const rows = exchange.store.all<{ value: string }>(
    `select value from meta where key like 'order_group:%'`,
  );
  for (const row of rows) {
    const stored = JSON.parse(row.value) as Omit<OrderGroup, 'limitMicros' | 'matches'> & {
      limitMicros: string;
    };
    const limitMicros = BigInt(stored.limitMicros);
    exchange.orderGroups.set(stored.id, { ...stored, limitMicros, matches: [] });
  }
}

function saveGroup(exchange: Exchange, group: OrderGroup, eventType: OrderGroupEvent): void {
  const { id, accountId, triggered } = group;
  const limitMicros = group.limitMicros.toString();
  exchange.store.run(
    'insert or replace into meta values (?, ?)',
    keyOf(id),
    JSON.stringify({ id, accountId, triggered, limitMicros }),
  );
  exchange.signals.emit({ kind: 'order_group', group, eventType });
}

function keyOf(id: string): string {
  return `order_group:${id}`;
}
