import { minMicros } from '#lib/money.ts';
import { roomOf, type VaultRoom } from '#server/chain/vaultRoom.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import type { TerminationReason } from '../terminationReasons.ts';

/** An order that needs room, and what it can take at most. */
export type Candidate = {
  id: string;
  tradeAction: TradeAction;
  usdcMicros: bigint;
  createdAt: Date;
  /** When it must have its room: after that too little time is left to place and deliver it. */
  waitsUntil: Date;
};

/** What orders of one direction hold: in all, and what of it is filled and will be used. */
export type Held = { usdcMicros: bigint; filledUsdcMicros: bigint };

export type RoomFacts = {
  room: VaultRoom;
  held: Record<TradeAction, Held>;
  /** Orders that wait, those that ask now included. */
  candidates: readonly Candidate[];
  now: Date;
};

export type RoomDecision = 'reserved' | 'wait' | { reason: TerminationReason };

/**
 * Who gets room, oldest first. Behind an order that waits nobody of its direction is served, so
 * that small orders cannot keep a larger one waiting until its time is over. An order waits only
 * for what it can get in its time: buckets leak, and what is reserved for orders that are not
 * filled yet may come free.
 */
export function decideRoom(facts: RoomFacts): Map<string, RoomDecision> {
  const decisions = new Map<string, RoomDecision>();
  for (const action of ['buy', 'sell'] as const) {
    let free = roomNow(facts, action) - facts.held[action].usdcMicros;
    let ahead = facts.held[action].filledUsdcMicros;
    let isBlocked = facts.room.isPaused;
    const candidates = facts.candidates.filter((one) => one.tradeAction === action).toSorted(byAge);
    for (const candidate of candidates) {
      const { id, usdcMicros } = candidate;
      const isReserved = !isBlocked && usdcMicros <= free;
      const reason = isReserved ? undefined : whyNever(facts, candidate, ahead);
      decisions.set(id, isReserved ? 'reserved' : reason ? { reason } : 'wait');
      if (reason) continue;
      free -= usdcMicros;
      ahead += usdcMicros;
      isBlocked ||= !isReserved;
    }
  }
  return decisions;
}

function byAge(a: Candidate, b: Candidate): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
}

function roomNow({ room, now }: RoomFacts, action: TradeAction): bigint {
  if (action === 'buy') return roomOf(room.mint, room.at, now);
  return minMicros(roomOf(room.payout, room.at, now), room.fundsUsdcMicros);
}

/** Why an order cannot get its room in time, behind those that take `ahead`; undefined if it can. */
function whyNever(
  { room, held, now }: RoomFacts,
  { tradeAction, usdcMicros, waitsUntil }: Candidate,
  ahead: bigint,
): TerminationReason | undefined {
  if (waitsUntil <= now) return 'no_delivery_room';
  const bucket = tradeAction === 'buy' ? room.mint : room.payout;
  if (ahead + usdcMicros > roomOf(bucket, room.at, waitsUntil)) return 'no_delivery_room';
  // Purchases under way bring the vault what sales are paid with.
  const funds = room.fundsUsdcMicros + held.buy.usdcMicros;
  return tradeAction === 'sell' && ahead + usdcMicros > funds ? 'payout_unfunded' : undefined;
}
