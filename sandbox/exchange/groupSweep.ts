import { removeOrder } from './orderEnds.ts';
import { dropGroup, type OrderGroup, ordersOf } from './orderGroups.ts';
import type { Exchange } from './state.ts';

/** Cancels the orders of triggered groups. */
export function sweepGroups(exchange: Exchange): void {
  for (const group of exchange.orderGroups.values()) {
    if (group.triggered) cancelOrdersOf(exchange, group);
  }
}

export function deleteGroup(exchange: Exchange, group: OrderGroup): void {
  cancelOrdersOf(exchange, group);
  dropGroup(exchange, group);
}

function cancelOrdersOf(exchange: Exchange, group: OrderGroup): void {
  for (const order of ordersOf(exchange, group)) removeOrder(exchange, order);
}
