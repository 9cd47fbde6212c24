import { describe, expect, test } from 'vitest';
import type { AccountGrant } from '#server/chain/accountReads.ts';
import { decideGrant, grantProblem } from './grant.ts';
import {
  account,
  buy,
  facts,
  fails,
  NOW,
  needs,
  operation,
  recordedGrant,
  submits,
  waits,
  whole,
} from './testing/given.ts';

const vault = '0x00000000000000000000000000000000000000A3';
const grant: AccountGrant = {
  operator: vault,
  validUntil: BigInt(NOW.getTime() / 1000 + 3_600),
  withdrawAnywhere: true,
  maxPerOrder: 100n,
  maxPerDay: 1_000n,
  maxWithdrawPerDay: 50n,
  nonce: 0n,
};

describe('grantProblem', () => {
  test.each([
    ['an order within the cap', grant, { orderUsdcMicros: 100n }, undefined],
    ['no grant', undefined, { orderUsdcMicros: 1n }, 'grant_required'],
    [
      'another operator',
      { ...grant, operator: '0x00000000000000000000000000000000000000b1' as const },
      { orderUsdcMicros: 1n },
      'grant_required',
    ],
    ['an expired grant', { ...grant, validUntil: 1n }, { orderUsdcMicros: 1n }, 'grant_expired'],
    ['an order beyond the cap', grant, { orderUsdcMicros: 101n }, 'grant_exceeded'],
    [
      'a withdrawal to the owner beyond the cap',
      grant,
      { withdrawal: 'to_owner' as const },
      undefined,
    ],
    [
      'a withdrawal elsewhere within the cap',
      grant,
      { withdrawal: { elsewhereMicros: 50n } },
      undefined,
    ],
    [
      'a withdrawal elsewhere beyond the cap',
      grant,
      { withdrawal: { elsewhereMicros: 51n } },
      'withdrawal_not_allowed',
    ],
    [
      'a withdrawal elsewhere that is not granted',
      { ...grant, withdrawAnywhere: false },
      { withdrawal: { elsewhereMicros: 1n } },
      'withdrawal_not_allowed',
    ],
  ])('given %s', (_what, given, need, problem) => {
    expect(grantProblem(given, vault, need, NOW)).toBe(problem);
  });
});

describe('decideGrant', () => {
  const NEED = { orderUsdcMicros: 1n };
  const unrecorded = { account: account(), recordedGrant: recordedGrant(1n, 'recorded') };
  const failed = (attempt: number) =>
    operation('grant', 'failed', { attempt, failure: 'InvalidSignature' });

  test.each([
    ['nothing is known, the account is read', {}, needs('account')],
    [
      'the account is known, the signed grant is read',
      { account: account() },
      needs('recordedGrant'),
    ],
    [
      'a signed grant is not on chain, it asks whether one is under way',
      unrecorded,
      needs('isGrantUnderWay'),
    ],
    [
      'a grant of the account is under way for another order, it waits',
      { ...unrecorded, isGrantUnderWay: true },
      waits(15_000),
    ],
    [
      'its own grant is under way, it waits',
      { ...unrecorded, context: { operations: operation('grant', 'sent') } },
      waits(15_000),
    ],
    [
      'a signed grant is not on chain and none is under way, it is handed over',
      { ...unrecorded, isGrantUnderWay: false },
      { ...submits(['grant', 1]), events: [{ type: 'preparing_account' }] },
    ],
    [
      'recording the grant has failed twice, it is tried once more',
      { ...unrecorded, isGrantUnderWay: false, context: { operations: failed(2) } },
      { ...submits(['grant', 3]), events: [] },
    ],
    [
      'recording the grant has failed three times, the order ends',
      { ...unrecorded, isGrantUnderWay: false, context: { operations: failed(3) } },
      fails('grant_required'),
    ],
    [
      'the chain has taken the signed grant, that is marked',
      { account: account(), recordedGrant: recordedGrant(0n, 'recorded') },
      needs('isGrantMarked', { nonce: 0n }),
    ],
    [
      'the owner has permitted nothing, the order ends',
      { account: account({ grant: undefined }), recordedGrant: null },
      fails('grant_required'),
    ],
  ])('given that %s', (_, given, decision) => {
    const made = decideGrant(buy(), facts(given), NOW, NEED);
    expect(made && whole(made)).toMatchObject(decision);
  });

  test.each([
    ['none is signed', null],
    ['the signed one is marked', recordedGrant(0n, 'relayed')],
  ])(
    'given a grant on chain that covers the order and %s, nothing more is needed',
    (_, recorded) => {
      const given = facts({ account: account(), recordedGrant: recorded });
      expect(decideGrant(buy(), given, NOW, NEED)).toBeUndefined();
    },
  );
});
