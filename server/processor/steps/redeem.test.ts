import { describe, expect, test } from 'vitest';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { Redemption, Settlement } from '#server/domain/settlement/settlementStore.ts';
import type { Facts, NeededFacts } from './facts.ts';
import { decideRedeem } from './redeem.ts';
import {
  ACCOUNT,
  facts,
  fails,
  fromNow,
  NOW,
  needs,
  operation,
  sell,
  submits,
  waits,
  whole,
} from './testing/given.ts';

const order = (change: Partial<OrderRow> = {}) =>
  sell({ stage: 'redeem', isRedemption: true, chainOrderId: null, ...change });

function settlement(state: Settlement['state']): { settlement: Settlement } {
  const settled = {
    ticker: 'RAIN',
    id: '00000000-0000-4000-8000-000000000003',
    marketKey: marketKeyOf('RAIN'),
    payoutYesMicros: 250_000n,
    state,
    finalizableAt: null,
    collateralUsdcMicros: null,
    transactionHash: null,
    settledAt: NOW,
    createdAt: NOW,
    finalAt: null,
    autoRedeemedAt: null,
  };
  return { settlement: settled };
}

function redeemedIn(change: Partial<Redemption> = {}): Redemption {
  return {
    transactionHash: '0xpaid',
    logIndex: 1,
    blockNumber: 7n,
    holder: ACCOUNT,
    marketKey: marketKeyOf('RAIN'),
    outcome: 0,
    contractMicros: 10_000_000n,
    payoutUsdcMicros: 2_500_000n,
    seenAt: NOW,
    ...change,
  };
}

const seen = (
  done: Redemption[],
  change: Partial<NeededFacts['redemptions']> = {},
): Pick<NeededFacts, 'redemptions'> => ({
  redemptions: { done, credited: [], isOrderedByOwner: false, ...change },
});
const held = { heldMicros: 10_000_000n };
const FINAL = settlement('final');
const completed = {
  set: {
    status: 'completed',
    transactionHash: '0xpaid',
    filledContractMicros: 10_000_000n,
    quoteUsdcMicros: 2_500_000n,
  },
  events: [{ type: 'completed', transactionHash: '0xpaid' }],
  next: { kind: 'end' },
};

type Row = [string, OrderRow, Facts, object];
const decide = (row: OrderRow, given: Facts) => whole(decideRedeem(row, given, NOW));

describe('a redemption for the user', () => {
  const redeemOf = (
    ...args: [Parameters<typeof operation>[1], Parameters<typeof operation>[2]?]
  ) => ({
    context: { operations: operation('redeem', ...args) },
  });
  const paid = redeemOf('succeeded', { transactionHash: '0xpaid' });
  test.each<Row>([
    ['nothing known, the settlement is read', order(), facts(), needs('settlement')],
    ['a settlement, the tokens are read', order(), facts(FINAL), needs('heldMicros')],
    [
      'a final settlement and the tokens, it is handed over unless cancelled',
      order(),
      facts({ ...FINAL, ...held }),
      {
        ...submits(['redeem', 1]),
        unlessCancelled: true,
        set: { status: 'executing' },
        events: [{ type: 'validated' }, { type: 'executing' }],
      },
    ],
    [
      'a settlement that is not final, it waits',
      order(),
      facts({ ...settlement('proposed'), ...held }),
      waits(1_000),
    ],
    ['no settlement yet, it waits', order(), facts({ settlement: null, ...held }), waits(1_000)],
    [
      'a settlement that is not final in its time, it ends',
      order({ expiresAt: fromNow(-1) }),
      facts({ ...settlement('proposed'), ...held }),
      fails('settlement_pending'),
    ],
    [
      'a cancellation, it ends',
      order({ cancelRequestedAt: NOW }),
      facts(FINAL),
      fails('cancelled'),
    ],
    [
      'too few tokens, it ends',
      order(),
      facts({ ...FINAL, heldMicros: 9_999_999n }),
      fails('insufficient_funds'),
    ],
    [
      'an operation under way, it waits',
      order(),
      facts({ ...FINAL, ...redeemOf('sent') }),
      waits(5_000),
    ],
    [
      'an operation that went through, the log is read',
      order(),
      facts({ ...FINAL, ...paid }),
      needs('redemptions'),
    ],
    [
      'its transaction in the log, it is completed',
      order(),
      facts({ ...FINAL, ...paid, ...seen([redeemedIn()]) }),
      completed,
    ],
    [
      'another transaction in the log alone, it waits',
      order(),
      facts({ ...FINAL, ...paid, ...seen([redeemedIn({ transactionHash: '0xother' })]) }),
      waits(5_000),
    ],
    [
      'an operation that went through without a settlement, it waits',
      order(),
      facts({ settlement: null, ...paid }),
      waits(5_000),
    ],
    [
      'a settlement that a fork took back, it is tried again',
      order(),
      facts({ ...FINAL, ...held, ...redeemOf('failed', { failure: 'MarketNotSettled' }) }),
      submits(['redeem', 2]),
    ],
    [
      'a refusal of the contracts, it ends',
      order(),
      facts({ ...FINAL, ...redeemOf('failed', { failure: 'VaultPaused' }) }),
      {
        ...fails('redemption_refused'),
        events: [{ type: 'redemption_refused', detail: 'VaultPaused' }, { type: 'failed' }],
      },
    ],
    [
      'tokens that are gone when it is tried, it ends',
      order(),
      facts({ ...FINAL, ...redeemOf('failed', { failure: 'ERC1155InsufficientBalance' }) }),
      fails('insufficient_funds'),
    ],
  ])('given %s', (_, row, given, decision) => {
    expect(decide(row, given)).toMatchObject(decision);
  });
});

describe('a redemption that the user sends', () => {
  const calldata = (change: Partial<OrderRow> = {}) => order({ kind: 'calldata', ...change });
  const late = fromNow(-30_000);
  test.each<Row>([
    ['a settlement, the log is read', calldata(), facts(FINAL), needs('redemptions')],
    [
      'its redemption in the log, it is completed',
      calldata(),
      facts({ ...FINAL, ...seen([redeemedIn()]) }),
      completed,
    ],
    [
      'a redemption that another order has, it waits',
      calldata(),
      facts({ ...FINAL, ...seen([redeemedIn()], { credited: ['0xpaid'] }) }),
      waits(1_000),
    ],
    [
      'a redemption of another amount, it waits',
      calldata(),
      facts({ ...FINAL, ...seen([redeemedIn({ contractMicros: 1n })]) }),
      waits(1_000),
    ],
    [
      'a redemption from before the order, it waits',
      calldata(),
      facts({ ...FINAL, ...seen([redeemedIn({ seenAt: fromNow(-60_001) })]) }),
      waits(1_000),
    ],
    [
      "an order without its owner's token, the owner's own comes first",
      calldata({ withoutToken: true }),
      facts({ ...FINAL, ...seen([redeemedIn()], { isOrderedByOwner: true }) }),
      waits(1_000),
    ],
    [
      'no redemption in its time, it ends',
      calldata({ expiresAt: late }),
      facts({ ...FINAL, ...seen([]) }),
      fails('not_submitted'),
    ],
    [
      'a cancellation, the tokens are read',
      calldata({ cancelRequestedAt: NOW }),
      facts({ ...FINAL, ...seen([]) }),
      needs('heldMicros'),
    ],
    [
      'a cancellation and the tokens where they were, it ends',
      calldata({ cancelRequestedAt: NOW }),
      facts({ ...FINAL, ...seen([]), ...held }),
      fails('cancelled'),
    ],
    [
      'a cancellation and tokens that are gone, it waits for the log',
      calldata({ cancelRequestedAt: NOW }),
      facts({ ...FINAL, ...seen([]), heldMicros: 0n }),
      waits(1_000),
    ],
    [
      'a cancellation and tokens that are permanently gone, it ends',
      calldata({ cancelRequestedAt: NOW, expiresAt: late }),
      facts({ ...FINAL, ...seen([]), heldMicros: 0n }),
      fails('cancelled'),
    ],
  ])('given %s', (_, row, given, decision) => {
    expect(decide(row, given)).toMatchObject(decision);
  });
});
