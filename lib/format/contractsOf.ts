import { MICROS } from '#lib/money.ts';
import { contractsRounded } from './money.ts';

/** "1 contract" or "1,250.5 contracts". */
export function contractsOf(contractMicros: bigint): string {
  return `${contractsRounded(contractMicros)} ${contractMicros === MICROS ? 'contract' : 'contracts'}`;
}
