import { MICROS } from '#lib/money.ts';
import type { Operation } from '#server/chain/operations/latest.ts';
import type { Settlement, SettlementEvent } from './settlementStore.ts';

export type SettlementCallKind = 'register' | 'propose' | 'finalize';

export type SettlementFacts = {
  settlement: Pick<Settlement, 'state' | 'payoutYesMicros' | 'finalizableAt'>;
  event: SettlementEvent | undefined;
  /** Whether the vault knows the market, which settlement requires. */
  isRegistered: boolean;
  operations: Record<SettlementCallKind, Operation | undefined>;
  /** Orders that the exchange may have filled and the vault has not delivered. */
  undelivered: number;
  /** Existing outcome tokens of either side. */
  supplyContractMicros: bigint;
  now: Date;
};

export type SettlementStep =
  | { kind: 'wait' }
  | { kind: 'close' }
  | { kind: SettlementCallKind; attempt: number; previousFailure: string | null }
  | { kind: 'proposed'; finalizableAt: Date }
  | { kind: 'final'; event: SettlementEvent }
  | { kind: 'hold'; reason: 'vetoed' | 'other_payout' };

/**
 * The next step of a market's settlement. Decides by the vault's log, not by our record of a sent
 * transaction; a veto or a foreign proposal is left to an admin.
 */
export function nextSettlementStep(facts: SettlementFacts): SettlementStep {
  const { settlement, event } = facts;
  if (event?.kind === 'finalized') {
    return paysAsTheExchange(settlement, event)
      ? { kind: 'final', event }
      : { kind: 'hold', reason: 'other_payout' };
  }
  if (event?.kind === 'vetoed') return { kind: 'hold', reason: 'vetoed' };
  if (event?.kind === 'proposed') return afterProposal(facts, event);
  if (facts.undelivered > 0) return { kind: 'wait' };
  if (facts.supplyContractMicros === 0n) return { kind: 'close' };
  return sendOnce(facts.isRegistered ? 'propose' : 'register', facts);
}

const WAIT = { kind: 'wait' } as const;

function afterProposal(facts: SettlementFacts, event: SettlementEvent): SettlementStep {
  const { settlement } = facts;
  if (!paysAsTheExchange(settlement, event)) return { kind: 'hold', reason: 'other_payout' };
  const finalizableAt = new Date(Number(event.finalizableAt ?? 0n) * 1000);
  const isKnown =
    settlement.state === 'proposed' &&
    settlement.finalizableAt?.getTime() === finalizableAt.getTime();
  if (!isKnown) return { kind: 'proposed', finalizableAt };
  return facts.now < finalizableAt ? WAIT : sendOnce('finalize', facts);
}

function paysAsTheExchange(
  settlement: Pick<Settlement, 'payoutYesMicros'>,
  event: SettlementEvent,
): boolean {
  return (
    event.payoutYesMicros === settlement.payoutYesMicros &&
    event.payoutNoMicros === MICROS - settlement.payoutYesMicros
  );
}

/** Waits for an operation in flight, including one that is sent again after a fork. */
function sendOnce(kind: SettlementCallKind, { operations }: SettlementFacts): SettlementStep {
  const latest = operations[kind];
  if (latest !== undefined && latest.state !== 'failed') return WAIT;
  return { kind, attempt: (latest?.attempt ?? 0) + 1, previousFailure: latest?.failure ?? null };
}
