import { describe, expect, test } from 'vitest';
import type { Operation } from '#server/chain/operations/latest.ts';
import { nextSettlementStep, type SettlementFacts } from './nextStep.ts';
import type { SettlementEvent } from './settlementStore.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const BEFORE = BigInt(NOW.getTime() / 1000 - 1);
const AFTER = BigInt(NOW.getTime() / 1000 + 60);

function event(changes: Partial<SettlementEvent>): SettlementEvent {
  return {
    transactionHash: '0x01',
    logIndex: 0,
    blockNumber: 1n,
    kind: 'proposed',
    marketKey: '0x02',
    payoutYesMicros: 250_000n,
    payoutNoMicros: 750_000n,
    finalizableAt: BEFORE,
    collateralUsdcMicros: null,
    ...changes,
  };
}

function operation(state: Operation['state'], attempt = 1): Operation {
  return {
    id: 'a',
    accountId: 'house',
    orderId: 'b',
    kind: 'propose',
    attempt,
    args: {},
    state,
    transactionId: null,
    failure: state === 'failed' ? 'ERC20InsufficientAllowance' : null,
    createdAt: NOW,
    resolvedAt: null,
    transactionHash: null,
  };
}

const NONE = { register: undefined, propose: undefined, finalize: undefined };

function step(changes: Partial<SettlementFacts>) {
  return nextSettlementStep({
    settlement: { state: 'due', payoutYesMicros: 250_000n, finalizableAt: null },
    event: undefined,
    isRegistered: true,
    operations: NONE,
    undelivered: 0,
    supplyContractMicros: 1n,
    now: NOW,
    ...changes,
  });
}

const proposedAt = (seconds: bigint) =>
  ({
    state: 'proposed',
    payoutYesMicros: 250_000n,
    finalizableAt: new Date(Number(seconds) * 1000),
  }) as const;

describe('nextSettlementStep', () => {
  test.each([
    ['proposes what the exchange decided', {}, { kind: 'propose', attempt: 1 }],
    ['lets what was filled be delivered first', { undelivered: 1 }, { kind: 'wait' }],
    ['registers a market first', { isRegistered: false }, { kind: 'register', attempt: 1 }],
    [
      'registers once',
      { isRegistered: false, operations: { ...NONE, register: operation('sent') } },
      { kind: 'wait' },
    ],
    ['settles nothing without holders', { supplyContractMicros: 0n }, { kind: 'close' }],
    ['proposes once', { operations: { ...NONE, propose: operation('sent') } }, { kind: 'wait' }],
    [
      'proposes again after a failure, and says which',
      { operations: { ...NONE, propose: operation('failed', 2) } },
      { kind: 'propose', attempt: 3, previousFailure: 'ERC20InsufficientAllowance' },
    ],
    [
      'notes a proposal with the end of its delay',
      { event: event({ finalizableAt: AFTER }) },
      { kind: 'proposed', finalizableAt: new Date(Number(AFTER) * 1000) },
    ],
    [
      'given a fork that moved the proposal, notes the later end of its delay',
      { settlement: proposedAt(BEFORE), event: event({ finalizableAt: AFTER }) },
      { kind: 'proposed', finalizableAt: new Date(Number(AFTER) * 1000) },
    ],
    [
      'waits for the delay',
      { settlement: proposedAt(AFTER), event: event({ finalizableAt: AFTER }) },
      { kind: 'wait' },
    ],
    [
      'finalizes after the delay',
      { settlement: proposedAt(BEFORE), event: event({}) },
      { kind: 'finalize', attempt: 1 },
    ],
    [
      'holds when another payout was proposed',
      { event: event({ payoutYesMicros: 1_000_000n, payoutNoMicros: 0n }) },
      { kind: 'hold', reason: 'other_payout' },
    ],
    [
      'holds when a pair would pay less than the exchange does',
      { event: event({ payoutNoMicros: 0n }) },
      { kind: 'hold', reason: 'other_payout' },
    ],
    [
      'holds after a veto',
      { event: event({ kind: 'vetoed' }) },
      { kind: 'hold', reason: 'vetoed' },
    ],
    [
      'continues when a held settlement is proposed correctly',
      { settlement: { ...proposedAt(BEFORE), state: 'held' as const }, event: event({}) },
      { kind: 'proposed' },
    ],
    [
      'ends once the vault has the collateral',
      {
        settlement: proposedAt(BEFORE),
        event: event({ kind: 'finalized', collateralUsdcMicros: 5n }),
      },
      { kind: 'final' },
    ],
    [
      'holds when the vault was made to pay something else',
      { settlement: proposedAt(BEFORE), event: event({ kind: 'finalized', payoutYesMicros: 0n }) },
      { kind: 'hold', reason: 'other_payout' },
    ],
  ])('%s', (_what, changes, expected) => {
    expect(step(changes)).toMatchObject(expected);
  });
});
