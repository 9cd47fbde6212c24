import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { reserveRoom } from '#server/domain/orders/lifecycle/room/reserveRoom.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import type { Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { placingBudgetMs } from './step.ts';

/** Between tries to get room at the vault. */
const ROOM_WAIT_MS = 3_000;

/** Reserves what the delivery of an order needs at the vault; answers what to do where there is none. */
export async function takeRoom(
  deps: StepDeps,
  order: TradeOrder,
): Promise<{ reason: TerminationReason } | { waitMs: number } | undefined> {
  const decision = await reserveRoom(deps, order, placingBudgetMs(deps) + ROOM_WAIT_MS);
  if (decision === 'reserved') return undefined;
  return decision === 'wait' ? { waitMs: ROOM_WAIT_MS } : decision;
}

/** An order that waits for something else keeps no room from others before the exchange is asked. */
export function leaveRoom(order: TradeOrder): Pick<Transition, 'set'> {
  const isUnused = order.roomReservedAt !== null && order.status !== 'executing';
  return isUnused ? { set: { roomReservedAt: null } } : {};
}
