import type { Address, Hex } from 'viem';
import { z } from 'zod';
import { MICROS } from '#lib/money.ts';
import { marketKeyOf, OUTCOME_INDEX, type OutcomeSide } from '#lib/outcomeToken.ts';
import type { RedemptionCall } from '#server/chain/operations/encode.ts';

/** The payout of one contract of a side. Yes and No share a dollar. */
export function payoutOfSide(side: OutcomeSide, payoutYesMicros: bigint): bigint {
  return side === 'yes' ? payoutYesMicros : MICROS - payoutYesMicros;
}

/** The vault's payout for tokens of a settled market in whole micro-dollars, rounded down. */
export function redemptionUsdcMicros(contractMicros: bigint, payoutMicros: bigint): bigint {
  return (contractMicros * payoutMicros) / MICROS;
}

const argsSchema = z.object({
  holder: z.string().transform((text) => text as Address),
  marketKey: z.string().transform((text) => text as Hex),
  outcome: z.number(),
  contractMicros: z.string().transform(BigInt),
});

type RedemptionOrder = {
  accountId: string;
  ticker: string;
  side: OutcomeSide;
  contractMicros: bigint;
};

export function redemptionOf(order: RedemptionOrder): RedemptionCall {
  return {
    holder: order.accountId as Address,
    marketKey: marketKeyOf(order.ticker),
    outcome: OUTCOME_INDEX[order.side],
    contractMicros: order.contractMicros,
  };
}

export function redemptionArgs(order: RedemptionOrder): z.input<typeof argsSchema> {
  const { contractMicros, ...redemption } = redemptionOf(order);
  return { ...redemption, contractMicros: contractMicros.toString() };
}

export function redemptionCallOf(operation: { args: unknown }): RedemptionCall {
  return argsSchema.parse(operation.args);
}
