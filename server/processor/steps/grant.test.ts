import { describe, expect, test } from 'vitest';
import { decideGrant } from './grant.ts';
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

describe('decideGrant', () => {
  const NEED = { orderUsdcMicros: 1n, isSigned: false };
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
