import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minMicros } from '#lib/money.ts';
import type { VaultRoom } from '#server/chain/vaultRoom.ts';
import { type Candidate, decideRoom, type RoomFacts } from './decideRoom.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const USDC = 1_000_000n;

const later = (ms: number) => new Date(NOW.getTime() + ms);
const bucket = (room: bigint, perHour: bigint) => ({
  roomUsdcMicros: room * USDC,
  perHourUsdcMicros: perHour * USDC,
});

const FULL: VaultRoom = {
  blockNumber: 1n,
  blockHash: '0x1',
  at: NOW,
  isPaused: false,
  mint: bucket(10n, 10n),
  payout: bucket(10n, 10n),
  fundsUsdcMicros: 100n * USDC,
};

const roomWith = (more: Partial<VaultRoom> = {}): VaultRoom => ({ ...FULL, ...more });

const NOTHING = { usdcMicros: 0n, filledUsdcMicros: 0n };

function factsWith(more: Partial<RoomFacts>): RoomFacts {
  return {
    room: roomWith(),
    held: { buy: NOTHING, sell: NOTHING },
    candidates: [],
    now: NOW,
    ...more,
  };
}

function order(id: string, dollars: bigint, more: Partial<Candidate> = {}): Candidate {
  return {
    id,
    tradeAction: 'buy',
    usdcMicros: dollars * USDC,
    createdAt: NOW,
    waitsUntil: later(535_000),
    ...more,
  };
}

describe('decideRoom', () => {
  test('reserves what fits and nothing beyond it', () => {
    const decisions = decideRoom(factsWith({ candidates: [order('a', 6n), order('b', 5n)] }));
    expect([...decisions]).toEqual([
      ['a', 'reserved'],
      ['b', { reason: 'no_delivery_room' }],
    ]);
  });

  test('given a cap of ten with nine used, refunds an order for eight at once', () => {
    const room = roomWith({ mint: bucket(1n, 10n) });
    const decisions = decideRoom(factsWith({ room, candidates: [order('a', 8n)] }));
    expect(decisions.get('a')).toEqual({ reason: 'no_delivery_room' });
  });

  test('waits for room that the bucket frees before the order’s deadline', () => {
    const room = roomWith({ mint: bucket(1n, 12n) });
    const candidates = [order('a', 2n)];
    expect(decideRoom(factsWith({ room, candidates })).get('a')).toBe('wait');
    expect(decideRoom(factsWith({ room, candidates, now: later(300_000) })).get('a')).toBe(
      'reserved',
    );
  });

  test('waits for room held by unfilled orders, not by filled ones', () => {
    const held = { usdcMicros: 9n * USDC, filledUsdcMicros: 0n };
    const candidates = [order('a', 8n)];
    const unfilled = factsWith({ held: { buy: held, sell: NOTHING }, candidates });
    expect(decideRoom(unfilled).get('a')).toBe('wait');
    const filled = { ...held, filledUsdcMicros: 9n * USDC };
    expect(
      decideRoom(factsWith({ held: { buy: filled, sell: NOTHING }, candidates })).get('a'),
    ).toEqual({ reason: 'no_delivery_room' });
  });

  test('serves the oldest first, and no younger order behind one that waits', () => {
    const room = roomWith({ mint: bucket(3n, 12n) });
    const old = order('old', 4n, { createdAt: later(-60_000) });
    const decisions = decideRoom(factsWith({ room, candidates: [order('young', 1n), old] }));
    expect(decisions.get('old')).toBe('wait');
    expect(decisions.get('young')).not.toBe('reserved');
  });

  test('skips an order that can never fit', () => {
    const room = roomWith({ mint: bucket(3n, 12n) });
    const old = order('old', 11n, { createdAt: later(-60_000) });
    const decisions = decideRoom(factsWith({ room, candidates: [order('young', 1n), old] }));
    expect(decisions.get('old')).toEqual({ reason: 'no_delivery_room' });
    expect(decisions.get('young')).toBe('reserved');
  });

  test('refunds an order close to its deadline instead of letting it wait', () => {
    const held = { usdcMicros: 9n * USDC, filledUsdcMicros: 0n };
    const candidates = [order('a', 8n, { waitsUntil: NOW })];
    expect(
      decideRoom(factsWith({ held: { buy: held, sell: NOTHING }, candidates })).get('a'),
    ).toEqual({ reason: 'no_delivery_room' });
  });

  test('reserves nothing in a paused vault', () => {
    const room = roomWith({ isPaused: true });
    expect(decideRoom(factsWith({ room, candidates: [order('a', 1n)] })).get('a')).toBe('wait');
  });

  test('requires funds for a sale; pending purchases may provide them', () => {
    const room = roomWith({ fundsUsdcMicros: 3n * USDC });
    const candidates = [order('a', 5n, { tradeAction: 'sell' })];
    expect(decideRoom(factsWith({ room, candidates })).get('a')).toEqual({
      reason: 'payout_unfunded',
    });
    const buy = { usdcMicros: 2n * USDC, filledUsdcMicros: 0n };
    expect(decideRoom(factsWith({ room, candidates, held: { buy, sell: NOTHING } })).get('a')).toBe(
      'wait',
    );
  });

  test('given any orders, never reserves more than there is', () => {
    const amount = fc.bigInt({ min: 1n, max: 20n });
    const orders = fc.array(
      fc.record({ amount, age: fc.integer({ min: 0, max: 9 }), isBuy: fc.boolean() }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(orders, amount, amount, amount, amount, (some, mint, payout, funds, used) => {
        const room = roomWith({
          mint: bucket(mint, 20n),
          payout: bucket(payout, 20n),
          fundsUsdcMicros: funds * USDC,
        });
        const held = { usdcMicros: used * USDC, filledUsdcMicros: 0n };
        const candidates = some.map(({ amount: dollars, age, isBuy }, n) =>
          order(`${n}`, dollars, {
            createdAt: later(-age * 1_000),
            tradeAction: isBuy ? 'buy' : 'sell',
          }),
        );
        const decisions = decideRoom(
          factsWith({ room, held: { buy: held, sell: held }, candidates }),
        );
        for (const [action, most] of [
          ['buy', mint],
          ['sell', minMicros(payout, funds)],
        ] as const) {
          const reserved = candidates
            .filter((one) => one.tradeAction === action && decisions.get(one.id) === 'reserved')
            .reduce((sum, one) => sum + one.usdcMicros, 0n);
          if (reserved > 0n) expect(reserved + held.usdcMicros).toBeLessThanOrEqual(most * USDC);
        }
      }),
    );
  });
});
