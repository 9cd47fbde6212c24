import type { Hex } from 'viem';
import { z } from 'zod';
import type { OperationCall } from '../chain/operations/encode.ts';
import type { ChainOperation } from '../chain/operations/store.ts';

const argsSchema = z.object({
  marketKey: z.string(),
  payoutYesMicros: z.string().transform(BigInt),
  payoutNoMicros: z.string().transform(BigInt),
});

/** What a `propose` or `finalize` operation carries, as it is stored. */
export type SettlementArgs = z.input<typeof argsSchema>;

/** The call of a stored `propose` or `finalize` operation. */
export function settlementCallOf(operation: ChainOperation): OperationCall {
  const { marketKey, ...payouts } = argsSchema.parse(operation.args);
  const key = marketKey as Hex;
  return operation.kind === 'propose'
    ? { kind: 'propose', marketKey: key, ...payouts }
    : { kind: 'finalize', marketKey: key };
}
