import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanced, type LedgerLine, move } from './ledger.ts';

describe('balanced', () => {
  test('given any number of movements, keeps their sum at zero', () => {
    const accounts = ['user:0x1', 'escrow', 'house', 'exchange'] as const;
    const movement = fc.tuple(
      fc.constantFrom(...accounts),
      fc.constantFrom(...accounts),
      fc.bigInt({ min: 0n, max: 10n ** 15n }),
    );
    fc.assert(
      fc.property(fc.array(movement, { maxLength: 20 }), (movements) => {
        const lines = balanced(
          movements.flatMap(([from, to, amount]) => move('usdc', from, to, amount)),
        );
        const sum = lines.reduce((total, line) => total + line.amountMicros, 0n);
        const accountsSeen = new Set(lines.map((line) => line.account));
        return sum === 0n && accountsSeen.size === lines.length;
      }),
    );
  });

  test('refuses lines that do not balance per asset', () => {
    const lines: LedgerLine[] = [
      { account: 'escrow', asset: 'usdc', amountMicros: 5n },
      { account: 'house', asset: 'token:A:yes', amountMicros: -5n },
    ];
    expect(() => balanced(lines)).toThrow(RangeError);
  });
});
