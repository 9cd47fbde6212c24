import { MICROS } from '#lib/money.ts';
import { contracts, contractsRounded } from './money.ts';

const noun = (contractMicros: bigint) => (contractMicros === MICROS ? 'contract' : 'contracts');

/** "1 contract" or "1,250.5 contracts". */
export function contractsOf(contractMicros: bigint): string {
  return `${contractsRounded(contractMicros)} ${noun(contractMicros)}`;
}

/** "0.333333 contracts": with every digit, where it is what moves. */
export function contractsOfExact(contractMicros: bigint): string {
  return `${contracts(contractMicros)} ${noun(contractMicros)}`;
}

/** "1 pair", "4.5 pairs", of Yes and No of one market. */
export function pairsOfBoth(contractMicros: bigint): string {
  return `${contractsRounded(contractMicros)} ${contractMicros === MICROS ? 'pair' : 'pairs'}`;
}
