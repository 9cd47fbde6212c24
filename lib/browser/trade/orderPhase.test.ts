import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPhase, type OrderEvent, type OrderPhase, pressedQuote, START } from './orderPhase.ts';
import { quote } from './testing/quotes.ts';

const run = (...events: OrderEvent[]): OrderPhase => events.reduce(nextPhase, START);

describe('nextPhase', () => {
  it('given a review and its confirmation, reports the order and is ready for the next', () => {
    const placed = run({ kind: 'reviewed' }, { kind: 'placed', orderId: 'one' });
    expect(placed).toEqual({ at: 'editing', orderId: 'one' });
    expect(nextPhase(placed, { kind: 'changed' })).toEqual(placed);
    expect(nextPhase(placed, { kind: 'reviewed' })).toEqual({ at: 'confirming' });
    expect(nextPhase(placed, { kind: 'dismissed' })).toEqual(START);
  });

  it('given a worse price, asks to accept it', () => {
    const worse = run({ kind: 'reviewed' }, { kind: 'worsened', than: quote });
    expect(worse).toMatchObject({ at: 'worse', than: quote });
    expect(nextPhase(worse, { kind: 'accepted' })).toEqual({ at: 'confirming' });
    expect(nextPhase(worse, { kind: 'changed' })).toEqual(START);
  });

  it('given any change of the ticket, no confirmation of the old one remains', () => {
    const events = fc.array(
      fc.constantFrom<OrderEvent>(
        { kind: 'changed' },
        { kind: 'reviewed' },
        { kind: 'worsened', than: quote },
        { kind: 'accepted' },
        { kind: 'placed', orderId: 'one' },
        { kind: 'dismissed' },
      ),
    );
    fc.assert(
      fc.property(events, (before) => {
        expect(run(...before, { kind: 'changed' }).at).toBe('editing');
        // Only a review, or a worse price, leads to a confirmation.
        const asked = before.some(({ kind }) => kind === 'reviewed' || kind === 'worsened');
        if (!asked) expect(run(...before).at).toBe('editing');
      }),
    );
  });
});

it('given a price that was not on screen long enough, a press refers to the one before', () => {
  const newer = { ...quote, totalUsdcMicros: 4_600_000n };
  expect(pressedQuote({ key: 'yes 10', quote }, 'yes 10', newer)).toBe(quote);
  expect(pressedQuote({ key: 'yes 20', quote }, 'yes 10', newer)).toBe(newer);
  expect(pressedQuote(undefined, 'yes 10', newer)).toBe(newer);
});
