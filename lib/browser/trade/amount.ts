import { plainDecimal } from '#lib/format/decimalInput.ts';
import { CENT_MICROS, CONTRACT_STEP_MICROS, MICROS, tryParseMicros } from '#lib/money.ts';
import type { TicketContext } from './ticketState.ts';

/** The unit of the amount field. */
export type AmountUnit = 'contracts' | 'dollars';

export type ParsedAmount = { state: TicketContext['amount']; micros: bigint };

/** Reads the typed text; accepts a comma, blanks and a trailing point while typing. */
export function parseAmount(text: string, unit: AmountUnit): ParsedAmount {
  const cleaned = plainDecimal(text);
  if (cleaned === '') return { state: 'empty', micros: 0n };
  const micros = tryParseMicros(cleaned);
  if (micros === undefined) return { state: 'invalid', micros: 0n };
  if (micros === 0n) return { state: 'empty', micros: 0n };
  if (unit === 'contracts' && micros % CONTRACT_STEP_MICROS !== 0n) {
    return { state: 'not_a_step', micros };
  }
  if (unit === 'dollars' && micros < MICROS / 100n) return { state: 'too_small', micros };
  return { state: 'ok', micros };
}

/**
 * How many contracts a budget buys at a price per contract with fees, on the exchange's grid and
 * never over the budget.
 */
export function contractsForBudget(budgetMicros: bigint, allInPriceMicros: bigint): bigint {
  if (allInPriceMicros <= 0n) return 0n;
  const contracts = (budgetMicros * MICROS) / allInPriceMicros;
  return contracts - (contracts % CONTRACT_STEP_MICROS);
}

/** The largest amount payable from the cash whose price limit still fits, in whole cents. */
export function affordableMicros(cashMicros: bigint, slippageBps: number): bigint {
  const most = (cashMicros * 10_000n) / (10_000n + BigInt(slippageBps));
  return most - (most % CENT_MICROS);
}
