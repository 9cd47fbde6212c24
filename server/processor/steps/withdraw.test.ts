import { expect, test } from 'vitest';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { Facts } from './facts.ts';
import {
  ACCOUNT,
  account,
  CONFIRMS,
  facts,
  fails,
  fromNow,
  NOW,
  needs,
  operation,
  recordedGrant,
  submits,
  waits,
  whole,
  withdrawal,
} from './testing/given.ts';
import { decideWithdraw } from './withdraw.ts';

const signed = (change: Partial<OrderRow> = {}) =>
  withdrawal({ withdrawSignature: '0x05', expiresAt: fromNow(60_000), ...change });
const elsewhere = withdrawal({ destinationAddress: '0x00000000000000000000000000000000000000B1' });
const unpaid = { withdrawnIn: null };
const held = { ...unpaid, heldMicros: 5_000_000n };
const permitted = { ...held, account: account(), recordedGrant: null };
const regranted = {
  account: account({ grant: undefined, nextGrantNonce: 0n }),
  recordedGrant: recordedGrant(0n, 'relayed'),
  isGrantUnderWay: false,
};
const limited = account();
if (limited.grant) limited.grant.maxWithdrawPerDay = 4_999_999n;
const failed = (failure: string, attempt = 1) => ({
  ...unpaid,
  context: {
    operations: operation('withdraw', 'failed', { failure, attempt, transactionHash: '0xbad' }),
  },
});
const completed = (transactionHash: string) => ({
  set: { status: 'completed', stage: 'done', isComplete: true, transactionHash },
  stamp: ['completedAt', 'txnFilledAt'],
  events: [{ type: 'completed', transactionHash }],
  postings: [{ name: 'withdraw' }],
  next: { kind: 'end' },
});
const handedOff = {
  ...submits(['withdraw', 1]),
  unlessCancelled: true,
  set: { status: 'executing' },
  events: [{ type: 'validated' }, { type: 'executing' }],
};

test.each<[string, OrderRow, Facts, object]>([
  [
    'nothing handed over, it asks whether the account has paid',
    withdrawal(),
    facts(),
    needs('withdrawnIn'),
  ],
  [
    'a payment that was forgotten, it is completed',
    withdrawal(),
    facts({ withdrawnIn: '0xpaid' }),
    completed('0xpaid'),
  ],
  ['no payment, what the account holds is read', withdrawal(), facts(unpaid), needs('heldMicros')],
  ['enough to withdraw, the account is read', withdrawal(), facts(held), needs('account')],
  [
    'a withdrawal to the owner under a grant, it is handed over',
    withdrawal(),
    facts(permitted),
    handedOff,
  ],
  [
    'a withdrawal elsewhere within the grant, it is handed over',
    elsewhere,
    facts(permitted),
    handedOff,
  ],
  [
    'a withdrawal elsewhere beyond the grant, it is read once more',
    elsewhere,
    facts({ ...permitted, account: limited }),
    CONFIRMS,
  ],
  [
    'a withdrawal elsewhere beyond the grant at the second reading, it ends',
    elsewhere,
    facts({ ...permitted, account: limited, isConfirmed: true }),
    fails('withdrawal_not_allowed'),
  ],
  ['a withdrawal that the owner signed, no grant is needed', signed(), facts(held), handedOff],
  [
    'a signature past its deadline, it ends',
    signed({ expiresAt: NOW }),
    facts(held),
    fails('signature_expired'),
  ],
  [
    'too little, it is read once more',
    withdrawal(),
    facts({ ...unpaid, heldMicros: 4_999_999n }),
    CONFIRMS,
  ],
  [
    'too little at the second reading, it ends',
    withdrawal(),
    facts({ ...unpaid, heldMicros: 4_999_999n, isConfirmed: true }),
    fails('insufficient_funds'),
  ],
  [
    'a cancellation, it ends',
    withdrawal({ cancelRequestedAt: NOW }),
    facts(unpaid),
    fails('cancelled'),
  ],
  [
    'a restored database, nothing is begun',
    withdrawal(),
    facts({ ...unpaid, context: { mayPredateRestore: true } }),
    fails('service_interrupted'),
  ],
  [
    'an operation under way, it waits',
    withdrawal(),
    facts({ context: { operations: operation('withdraw', 'sent') } }),
    waits(5_000),
  ],
  [
    'an operation that went through, it is completed',
    withdrawal(),
    facts({
      context: { operations: operation('withdraw', 'succeeded', { transactionHash: '0xpaid' }) },
    }),
    completed('0xpaid'),
  ],
  [
    'a failure after which the account had paid, it is completed',
    withdrawal(),
    facts({ ...failed('RefUsed'), withdrawnIn: '0xpaid' }),
    completed('0xpaid'),
  ],
  [
    'a reference that the account has paid before, it waits for the log',
    withdrawal(),
    facts(failed('RefUsed')),
    waits(5_000),
  ],
  [
    'a transaction that only created the account, a signed one is repeated',
    signed(),
    facts(failed('not_in_receipt', 3)),
    submits(['withdraw', 4]),
  ],
  [
    'a transaction without effect four times, a signed one ends',
    signed(),
    facts(failed('not_in_receipt', 4)),
    fails('withdrawal_reverted'),
  ],
  [
    'a transaction without effect after the deadline, a signed one ends',
    signed({ expiresAt: NOW }),
    facts(failed('not_in_receipt')),
    fails('withdrawal_reverted'),
  ],
  [
    'a transaction without effect, one under a grant reads the account',
    withdrawal(),
    facts(failed('not_in_receipt')),
    needs('account'),
  ],
  [
    'a transaction without effect and a grant that a fork removed, the grant goes first',
    withdrawal(),
    facts({ ...permitted, ...regranted, ...failed('not_in_receipt') }),
    submits(['grant', 1]),
  ],
  [
    'a transaction without effect and a grant, it is repeated',
    withdrawal(),
    facts({ ...permitted, ...failed('not_in_receipt') }),
    submits(['withdraw', 2]),
  ],
  [
    'a transaction without effect four times, one under a grant ends',
    withdrawal(),
    facts({ ...permitted, ...failed('not_in_receipt', 4) }),
    fails('withdrawal_reverted'),
  ],
  [
    'a refusal of the account, it ends for that reason',
    signed(),
    facts(failed('InvalidSignature')),
    {
      ...fails('signature_refused'),
      set: { status: 'failed', transactionHash: '0xbad' },
      events: [
        { type: 'withdrawal_refused', detail: 'InvalidSignature', transactionHash: '0xbad' },
        { type: 'failed' },
      ],
    },
  ],
])('given %s', (_, order, given, decision) => {
  expect(whole(decideWithdraw(order, given, NOW))).toMatchObject(decision);
});

test('given a completed withdrawal, the ledger moves it from the account to its destination', () => {
  const decision = whole(decideWithdraw(withdrawal(), facts({ withdrawnIn: '0xpaid' }), NOW));
  expect(decision).toMatchObject({
    postings: [
      {
        lines: [
          { account: `user:${ACCOUNT}`, asset: 'usdc', amountMicros: -5_000_000n },
          { asset: 'usdc', amountMicros: 5_000_000n },
        ],
      },
    ],
  });
});
