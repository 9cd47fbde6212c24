import { describe, expect, test } from 'vitest';
import type { HttpResponseBody } from './httpClient.ts';
import {
  isAllocated,
  readBalances,
  readShardStatuses,
  shardOf,
  transferOutcome,
} from './shards.ts';

const answered = (status: number, body: Record<string, unknown>): HttpResponseBody => ({
  kind: 'answered',
  status,
  body,
  isJson: true,
  date: undefined,
});
const error = (code: string) => ({ error: { code, message: 'why', details: '' } });

describe('balances', () => {
  test('given a breakdown, are those of each shard', () => {
    const balance_breakdown = [
      { exchange_index: 0, balance: '12.3456' },
      { exchange_index: 2, balance: '0.000100' },
    ];
    expect(readBalances({ balance: 1234, balance_dollars: '12.3457', balance_breakdown })).toEqual([
      { shard: 0, balanceMicros: 12_345_600n },
      { shard: 2, balanceMicros: 100n },
    ]);
  });

  test('given none, are on the default shard', () => {
    const all = [{ shard: 0, balanceMicros: 12_340_000n }];
    expect(readBalances({ balance_dollars: '12.34' })).toEqual(all);
    expect(readBalances({ balance: 1234 })).toEqual(all);
  });

  test('given an unreadable one, are not guessed', () => {
    const balance_breakdown = [{ exchange_index: 1, balance: 'many' }];
    expect(() => readBalances({ balance_dollars: '1', balance_breakdown })).toThrow(TypeError);
    expect(() => readBalances({})).toThrow(TypeError);
  });
});

test('given targets of the exchange, it allocates our cash', () => {
  const resting_margin_reservation = 'max';
  const allocations = [{ exchange_index: 0, percent: 100 }];
  expect(isAllocated({ allocations, resting_margin_reservation })).toBe(true);
  expect(isAllocated({ allocations: [], resting_margin_reservation })).toBe(false);
});

test('given statuses of shards, reads what each does now', () => {
  const wire = (index: number, change: object) => ({
    exchange_index: index,
    description: 'Crypto',
    exchange_active: true,
    trading_active: true,
    intra_exchange_transfers_active: true,
    ...change,
  });
  const statuses = [
    wire(0, {}),
    wire(1, { trading_active: false }),
    wire(2, { exchange_active: false }),
    wire(3, { intra_exchange_transfers_active: undefined }),
    { description: 'no index' },
  ];
  const read = readShardStatuses({ exchange_index_statuses: statuses });
  expect(
    read.map((one) => [one.shard, one.exchangeActive, one.tradingActive, one.transfersActive]),
  ).toEqual([
    [0, true, true, true],
    [1, true, false, true],
    [2, false, false, false],
    [3, true, true, true],
  ]);
  expect(readShardStatuses({})).toEqual([]);
});

test.each([
  [{ exchange_index: 3 }, 3],
  [{ exchange_index: '2' }, 2],
  [{}, 0],
  [{ exchange_index: null }, 0],
  [{ exchange_index: -1 }, 0],
])('given %j, the shard is %i', (wire, shard) => {
  expect(shardOf(wire)).toBe(shard);
});

describe('the response to a transfer', () => {
  test.each<[string, HttpResponseBody, object]>([
    [
      'an id, it is accepted',
      answered(200, { transfer_id: 't1' }),
      { kind: 'accepted', exchangeTransferId: 't1' },
    ],
    ['success without an id, the outcome is unknown', answered(200, {}), { kind: 'unknown' }],
    [
      'no response, the outcome is unknown',
      { kind: 'unheard', code: 'timeout' },
      { kind: 'unknown' },
    ],
    ['a server error, the outcome is unknown', answered(503, {}), { kind: 'unknown' }],
    [
      'an unknown conflict, the outcome is unknown',
      answered(409, error('odd')),
      { kind: 'unknown' },
    ],
    [
      'a pause, it certainly moved nothing',
      answered(409, error('exchange_is_paused')),
      { kind: 'refused', code: 'exchange_is_paused' },
    ],
    [
      'too little cash, it certainly moved nothing',
      answered(400, error('insufficient_balance')),
      { kind: 'refused', code: 'insufficient_balance' },
    ],
    ['too many requests, it certainly moved nothing', answered(429, {}), { kind: 'refused' }],
  ])('given %s', (_, response, outcome) => {
    expect(transferOutcome(response)).toMatchObject(outcome);
  });
});
