import { minMicros } from '#lib/money.ts';
import { roomOf, type VaultRoom } from '#server/chain/vaultRoom.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import type { TerminationReason } from '../terminationReasons.ts';

/** An order that needs room, and the most it can take. */
export type Candidate = {
  id: string;
  tradeAction: TradeAction;
  usdcMicros: bigint;
  createdAt: Date;
  /** Its deadline for room: later, too little time remains to place and deliver it. */
  waitsUntil: Date;
};

/** What orders of one direction hold in total, and the filled part, which will be used. */
export type Held = { usdcMicros: bigint; filledUsdcMicros: bigint };

export type RoomFacts = {
  room: VaultRoom;
  held: Record<TradeAction, Held>;
  /** Waiting orders, including those that request room now. */
  candidates: readonly Candidate[];
  now: Date;
};

export type RoomDecision = 'reserved' | 'wait' | { reason: TerminationReason };

/**
 * Assigns room, oldest first. While one order waits, no younger order of its direction is served,
 * so that small orders cannot starve a large one. An order waits only for room that can free up
 * before its deadline: buckets leak, and reservations of unfilled orders may be released.
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

/** Why an order cannot get room in time behind those that take `ahead`; undefined if it can. */
function whyNever(
  { room, held, now }: RoomFacts,
  { tradeAction, usdcMicros, waitsUntil }: Candidate,
  ahead: bigint,
): TerminationReason | undefined {
  if (waitsUntil <= now) return 'no_delivery_room';
  const bucket = tradeAction === 'buy' ? room.mint : room.payout;
  if (ahead + usdcMicros > roomOf(bucket, room.at, waitsUntil)) return 'no_delivery_room';
  // Pending purchases bring the vault the funds for sales.
  const funds = room.fundsUsdcMicros + held.buy.usdcMicros;
  return tradeAction === 'sell' && ahead + usdcMicros > funds ? 'payout_unfunded' : undefined;
}
