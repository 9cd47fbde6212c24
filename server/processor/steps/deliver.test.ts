import { expect, test } from 'vitest';
import type { VaultRoom } from '#server/chain/vaultRoom.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { decideDeliver } from './deliver.ts';
import type { Facts } from './facts.ts';
import {
  ACCOUNT,
  buy,
  event,
  facts,
  fromNow,
  LOCKED,
  NOW,
  needs,
  operation,
  returns,
  sell,
  submits,
  waits,
  whole,
} from './testing/given.ts';

const traded = {
  stage: 'deliver',
  status: 'executing',
  filledContractMicros: 4_000_000n,
  quoteUsdcMicros: 2_000_000n,
} as const;
const purchase = buy(traded);
const sale = sell(traded);
const FILLED = event('filled', { filledContractMicros: 4_000_000n, quoteUsdcMicros: 2_000_000n });
const ATTESTED = operation('attest', 'succeeded');

const given = (
  operations: Facts['context']['operations'],
  more: Parameters<typeof facts>[0] = {},
) => facts({ ...more, context: { events: LOCKED, operations } });
const failedFill = (failure: string, more: Parameters<typeof facts>[0] = {}) =>
  given({ ...ATTESTED, ...operation('fill', 'failed', { failure }) }, more);
const room = (usdcMicros: bigint, fundsUsdcMicros = 100_000_000n): VaultRoom => ({
  blockNumber: 7n,
  blockHash: '0x07',
  at: NOW,
  isPaused: false,
  mint: { roomUsdcMicros: usdcMicros, perHourUsdcMicros: 100_000_000n },
  payout: { roomUsdcMicros: usdcMicros, perHourUsdcMicros: 100_000_000n },
  fundsUsdcMicros,
});
const raised = { kind: 'raise_alert', alert: { kind: 'delivery_failing' } };
const resolved = { kind: 'resolve_alert', alert: { kind: 'delivery_failing' } };
const retried = (...operations: Parameters<typeof submits>) => ({
  ...submits(...operations),
  events: [{ type: 'settlement_retried' }],
  writes: [raised],
});
const gaveUp = { ...returns('settled_too_late'), writes: [resolved] };
const completed = {
  set: { status: 'completed', stage: 'done', isComplete: true, transactionHash: '0xfilled' },
  stamp: ['completedAt'],
  postings: [{ name: 'lock' }, { name: 'deliver' }],
  next: { kind: 'end' },
};
const delivered = (deliveredTo: string | null, operations: Facts['context']['operations'] = {}) =>
  facts({ context: { events: { ...LOCKED, ...FILLED }, operations }, deliveredTo });

test.each<[string, OrderRow, Facts, object]>([
  [
    'a purchase, attestation and fill are handed over',
    purchase,
    given({}),
    { ...submits(['attest', 1], ['fill', 1]), events: [{ type: 'settling' }], writes: [] },
  ],
  [
    'a sale, its fill is handed over',
    sale,
    given({}),
    { ...submits(['fill', 1]), events: [{ type: 'settling' }] },
  ],
  [
    'an attestation under way, it waits',
    purchase,
    given(operation('attest', 'sent')),
    waits(15_000),
  ],
  [
    'an attestation that failed, it is tried again under an alert',
    purchase,
    given(operation('attest', 'failed', { failure: 'nonce' })),
    retried(['attest', 2]),
  ],
  [
    'an attestation alone, the fill is handed over',
    purchase,
    given(ATTESTED),
    { ...submits(['fill', 1]), events: [] },
  ],
  [
    'a fill under way, it waits',
    purchase,
    given({ ...ATTESTED, ...operation('fill', 'sent') }),
    waits(15_000),
  ],
  [
    'a fill that went through and is not logged yet, it waits',
    sale,
    given(operation('fill', 'succeeded')),
    waits(15_000),
  ],
  [
    'a fill that failed, it is tried again under an alert',
    purchase,
    failedFill('transaction_reverted'),
    retried(['fill', 2]),
  ],
  [
    'an attestation that is too old, both are tried again',
    purchase,
    failedFill('BackingStale'),
    retried(['attest', 2], ['fill', 2]),
  ],
  [
    'a vault that can never fill it, it is given back',
    purchase,
    failedFill('OrderExpired'),
    gaveUp,
  ],
  [
    'a market that has settled on chain, it is given back',
    purchase,
    failedFill('MarketSettled'),
    gaveUp,
  ],
  [
    'a cap that was used up, room is read',
    purchase,
    failedFill('BucketOverflow'),
    needs('vaultRoom'),
  ],
  [
    'a cap that is still used up, it waits under an alert',
    purchase,
    failedFill('BucketOverflow', { vaultRoom: room(1_999_999n) }),
    { ...waits(5_000), writes: [raised] },
  ],
  [
    'a cap that has room again, it is tried again',
    purchase,
    failedFill('BucketOverflow', { vaultRoom: room(2_000_000n) }),
    retried(['fill', 2]),
  ],
  [
    'a treasury that is still short, a sale waits',
    sale,
    given(operation('fill', 'failed', { failure: 'ERC20InsufficientAllowance' }), {
      vaultRoom: room(9_000_000n, 1_999_999n),
    }),
    { ...waits(5_000), writes: [raised] },
  ],
  [
    'a used-up cap and an order past its expiry, it is still tried',
    buy({ ...traded, expiresAt: fromNow(-1) }),
    failedFill('BucketOverflow'),
    retried(['fill', 2]),
  ],
  [
    'a refund on chain, it is given back',
    purchase,
    facts({ context: { events: { ...LOCKED, ...event('refunded') } } }),
    gaveUp,
  ],
  [
    'a refund on chain and a fill that no signer has taken, that is withdrawn',
    purchase,
    facts({
      context: {
        events: { ...LOCKED, ...event('refunded') },
        operations: operation('fill', 'ready'),
      },
    }),
    {
      ...returns('settled_too_late'),
      writes: [{ kind: 'withdraw_operation', operation: 'fill' }, resolved],
    },
  ],
  [
    'a lock that a fork took back, it waits for it',
    purchase,
    facts({ context: { operations: operation('request', 'sent') } }),
    waits(5_000),
  ],
  [
    'a lock that is lost, it is given back',
    purchase,
    facts({
      context: { operations: operation('request', 'failed', { failure: 'MarketSettled' }) },
      isKnownToVault: false,
    }),
    gaveUp,
  ],
  [
    'its fill on chain, the receiver is read',
    purchase,
    facts({ context: { events: FILLED } }),
    needs('deliveredTo'),
  ],
  [
    'its fill on chain, it is completed',
    purchase,
    delivered(ACCOUNT),
    { ...completed, events: [{ type: 'completed' }], writes: [] },
  ],
  [
    'a receiver that cannot be read, it is completed',
    sale,
    delivered(null),
    { ...completed, events: [{ type: 'completed' }] },
  ],
  [
    'a delivery that had failed before, its alert ends',
    purchase,
    delivered(ACCOUNT, operation('fill', 'succeeded', { attempt: 2 })),
    { ...completed, writes: [resolved] },
  ],
  [
    'a receiver that refused, the account has it and the log says so',
    buy({ ...traded, receiverAddress: '0xelsewhere' }),
    delivered(ACCOUNT),
    {
      events: [{ type: 'receiver_refused', detail: 'delivered_to_account' }, { type: 'completed' }],
    },
  ],
  [
    'receivers that all refused, it can be claimed and the log says so',
    sale,
    delivered('claimable'),
    { events: [{ type: 'receiver_refused', detail: 'claimable' }, { type: 'completed' }] },
  ],
])('given %s', (_, order, known, decision) => {
  expect(whole(decideDeliver(order, known, NOW))).toMatchObject(decision);
});
