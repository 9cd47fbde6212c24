import { expect, test } from 'vitest';
import { causesOfDelay, type DelayCause, type UnminedFacts } from './transactionLife.ts';

const YOUNG: UnminedFacts = {
  nonce: 7n,
  nextNonce: 7n,
  nonceTakenForMs: undefined,
  broadcastResult: 'taken',
  firstAgeMs: 2_000,
  newestAgeMs: 2_000,
  isFirstConfirmation: true,
};

const cases: [string, Partial<UnminedFacts>, DelayCause[]][] = [
  ['waits in the pool', {}, []],
  ['was just seen with its nonce used', { nonceTakenForMs: 0 }, []],
  ['has its nonce used for less than the proof', { nonceTakenForMs: 3_999 }, []],
  ['has its nonce used for the proof', { nonceTakenForMs: 4_000 }, ['nonce_taken']],
  [
    'has its nonce used, however old and cheap it is',
    { nonceTakenForMs: 9_000, broadcastResult: 'underpriced', firstAgeMs: 90_000 },
    ['nonce_taken'],
  ],
  ['follows a nonce the chain has not seen', { nextNonce: 6n }, ['predecessor_missing']],
  ['is refused as too cheap', { broadcastResult: 'underpriced' }, ['underpriced']],
  ['has waited for exactly four seconds', { newestAgeMs: 4_000 }, []],
  ['has waited for longer', { newestAgeMs: 4_001 }, ['underpriced']],
  ['got no answer from the node', { broadcastResult: 'no_response' }, []],
  ['cannot be paid for', { broadcastResult: 'unfunded' }, []],
  [
    'is a minute old while its newest version is young',
    { firstAgeMs: 60_001, newestAgeMs: 1_000 },
    ['stuck'],
  ],
  [
    'was confirmed before a fork dropped it',
    { firstAgeMs: 60_001, newestAgeMs: 60_001, isFirstConfirmation: false },
    ['underpriced'],
  ],
  [
    'lacks a predecessor, is old and too cheap',
    { nextNonce: 5n, firstAgeMs: 60_001, newestAgeMs: 60_001 },
    ['predecessor_missing', 'underpriced', 'stuck'],
  ],
];

test.each(cases)('given a transaction that %s, its causes of delay follow', (_, facts, causes) => {
  expect(causesOfDelay({ ...YOUNG, ...facts })).toEqual(causes);
});
