import { describe, expect, it } from 'vitest';
import { checkSequence } from './channels.ts';

describe('checkSequence', () => {
  it('distinguishes the next message from a repeated one and a gap', () => {
    const sequences = new Map<number, number>();
    const outcomes = [1, 2, 2, 1, 3, 5, 6].map((seq) => checkSequence(sequences, { sid: 1, seq }));
    expect(outcomes).toEqual(['next', 'next', 'repeated', 'repeated', 'next', 'gap', 'next']);
  });

  it('given a reply between two messages, sees no gap', () => {
    const sequences = new Map<number, number>();
    const outcomes = ['orderbook_snapshot', 'ok', 'orderbook_snapshot'].map((type, index) =>
      checkSequence(sequences, { type, sid: 1, seq: index + 1 }),
    );
    expect(outcomes).toEqual(['next', 'next', 'next']);
  });

  it('counts per subscription and ignores unnumbered messages', () => {
    const sequences = new Map([[1, 7]]);
    expect(checkSequence(sequences, { sid: 2, seq: 40 })).toBe('next');
    expect(checkSequence(sequences, { type: 'subscribed' })).toBe('next');
  });
});
