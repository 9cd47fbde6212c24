import { readAmountMicros } from '#lib/format/amountInput.ts';

export type DepositProblem = 'amount_missing' | 'amount_invalid' | 'amount_too_large';

/** Reads the amount to move from the wallet, or returns the problem with it. */
export function depositAmount(
  text: string,
  availableMicros: bigint,
): { micros: bigint } | { problem: DepositProblem } {
  const micros = readAmountMicros(text);
  if (text.trim() === '' || micros === 0n) return { problem: 'amount_missing' };
  if (micros === undefined) return { problem: 'amount_invalid' };
  return micros > availableMicros ? { problem: 'amount_too_large' } : { micros };
}

export const DEPOSIT_WORDS: Record<DepositProblem, string> = {
  amount_missing: 'Enter an amount',
  amount_invalid: 'Enter a number with up to six decimals',
  amount_too_large: 'Not enough USDC in your wallet',
};
