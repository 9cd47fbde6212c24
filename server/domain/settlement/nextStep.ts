import { MICROS } from '#lib/money.ts';
import type { Operation } from '#server/chain/operations/latest.ts';
import type { Settlement, SettlementEvent } from './settlementStore.ts';

export type SettlementCallKind = 'register' | 'propose' | 'finalize';

/** Everything a decision about one market's settlement rests on. */
export type SettlementFacts = {
  settlement: Pick<Settlement, 'state' | 'payoutYesMicros' | 'finalizableAt'>;
  /** The last the vault has logged about it. */
  event: SettlementEvent | undefined;
  /** The vault knows the market: only such a one can be settled. */
  isRegistered: boolean;
  /** The latest try of what is to be done next, if there was one. */
  operations: Record<SettlementCallKind, Operation | undefined>;
  /** Orders that the exchange may have filled and the vault has not delivered. */
  undelivered: number;
  /** Outcome tokens of either side in existence. */
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
 * What comes next in the settlement of a market. The vault's log decides, not our memory of having
 * sent something; a veto, or a proposal that is not ours, is left to a person.
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
  return facts.isRegistered ? handOff('propose', facts) : handOff('register', facts);
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
  return facts.now < finalizableAt ? WAIT : handOff('finalize', facts);
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

/** One that is under way is waited for, also where a fork has taken it back and it is sent again. */
function handOff(kind: SettlementCallKind, { operations }: SettlementFacts): SettlementStep {
  const latest = operations[kind];
  if (latest !== undefined && latest.state !== 'failed') return WAIT;
  return { kind, attempt: (latest?.attempt ?? 0) + 1, previousFailure: latest?.failure ?? null };
}
