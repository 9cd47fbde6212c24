import { MICROS } from '#lib/money.ts';
import type { Operation } from '../orders/facts.ts';
import type { Settlement, SettlementEvent } from './settlementStore.ts';

/** Everything a decision about one market's settlement rests on. */
export type SettlementFacts = {
  settlement: Pick<Settlement, 'state' | 'payoutYesMicros' | 'finalizableAt'>;
  /** The last the vault has logged about it. */
  event: SettlementEvent | undefined;
  /** The latest try of what is to be done next, if there was one. */
  operations: { propose: Operation | undefined; finalize: Operation | undefined };
  /** Orders that the exchange may have filled and the vault has not delivered. */
  undelivered: number;
  /** Outcome tokens of either side in existence. */
  supplyContractMicros: bigint;
  now: Date;
};

export type SettlementStep =
  | { kind: 'wait' }
  | { kind: 'close' }
  | { kind: 'propose'; attempt: number; previousFailure: string | null }
  | { kind: 'proposed'; finalizableAt: Date }
  | { kind: 'finalize'; attempt: number; previousFailure: string | null }
  | { kind: 'final'; event: SettlementEvent }
  | { kind: 'hold'; reason: 'vetoed' | 'other_payout' };

/**
 * What comes next in the settlement of a market. The vault's log decides, not our memory of having
 * sent something; a veto, or a proposal that is not ours, is left to a person.
 */
export function nextSettlementStep(facts: SettlementFacts): SettlementStep {
  const { settlement, event, operations } = facts;
  if (event?.kind === 'finalized') {
    return paysAsTheExchange(settlement, event)
      ? { kind: 'final', event }
      : { kind: 'hold', reason: 'other_payout' };
  }
  if (event?.kind === 'vetoed') return { kind: 'hold', reason: 'vetoed' };
  if (event?.kind === 'proposed') return afterProposal(facts, event);
  if (facts.undelivered > 0) return { kind: 'wait' };
  if (facts.supplyContractMicros === 0n) return { kind: 'close' };
  return isDue(operations.propose) ? { kind: 'propose', ...nextTry(operations.propose) } : WAIT;
}

const WAIT = { kind: 'wait' } as const;

function afterProposal(facts: SettlementFacts, event: SettlementEvent): SettlementStep {
  const { settlement, operations } = facts;
  if (!paysAsTheExchange(settlement, event)) return { kind: 'hold', reason: 'other_payout' };
  const finalizableAt = new Date(Number(event.finalizableAt ?? 0n) * 1000);
  const isKnown =
    settlement.state === 'proposed' &&
    settlement.finalizableAt?.getTime() === finalizableAt.getTime();
  if (!isKnown) return { kind: 'proposed', finalizableAt };
  if (facts.now < finalizableAt || !isDue(operations.finalize)) return WAIT;
  return { kind: 'finalize', ...nextTry(operations.finalize) };
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
function isDue(operation: Operation | undefined): boolean {
  return operation === undefined || operation.state === 'failed';
}

function nextTry(operation: Operation | undefined) {
  return { attempt: (operation?.attempt ?? 0) + 1, previousFailure: operation?.failure ?? null };
}
