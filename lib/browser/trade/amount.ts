import { readAmount } from '#lib/format/amountInput.ts';
import { CENT_MICROS, CONTRACT_STEP_MICROS, MICROS, snap } from '#lib/money.ts';
import type { TicketContext } from './ticketState.ts';

/** The unit of the amount field. */
export type AmountUnit = 'contracts' | 'dollars';

export type ParsedAmount = { state: TicketContext['amount']; micros: bigint };

/** Reads the typed text; a share is one of `wholeMicros`, the cash or the holding. */
export function parseAmount(text: string, unit: AmountUnit, wholeMicros = 0n): ParsedAmount {
  const typed = readAmount(text);
  if (typed.kind === 'empty' || typed.kind === 'invalid') return { state: typed.kind, micros: 0n };
  const step = unit === 'contracts' ? CONTRACT_STEP_MICROS : CENT_MICROS;
  const micros =
    typed.kind === 'number'
      ? typed.micros
      : snap((wholeMicros * typed.shareMicros) / MICROS, step, 'down');
  if (micros === 0n) return { state: 'empty', micros };
  if (unit === 'contracts' && micros % CONTRACT_STEP_MICROS !== 0n) {
    return { state: 'not_a_step', micros };
  }
  if (unit === 'dollars' && micros < CENT_MICROS) return { state: 'too_small', micros };
  return { state: 'ok', micros };
}

/** All of the cash, in whole cents: an amount of dollars is never exceeded, so nothing is kept back. */
export function spendableMicros(cashMicros: bigint): bigint {
  return snap(cashMicros, CENT_MICROS, 'down');
}
