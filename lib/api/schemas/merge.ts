import { z } from 'zod';
import { addressSchema, chainIdSchema, decimalSchema, marketTickerSchema } from './common.ts';
import { calldataTransactionSchema } from './order.ts';

export const mergeRequestSchema = z
  .strictObject({
    userAddress: addressSchema.meta({
      description:
        'The wallet that sends the transactions: the owner, or the smart account itself.',
    }),
    chainId: chainIdSchema,
    merges: z
      .array(
        z.strictObject({
          marketId: marketTickerSchema,
          quantity: decimalSchema.meta({
            description: 'How many contracts of each side to merge, up to six decimals.',
            example: '4',
          }),
        }),
      )
      .min(1)
      .max(20)
      .refine(
        (merges) => new Set(merges.map((one) => one.marketId)).size === merges.length,
        'must name each market once',
      ),
  })
  .meta({ id: 'MergeRequest' });

export const mergeCalldataSchema = z
  .object({
    success: z.boolean(),
    transactions: z.array(calldataTransactionSchema).meta({
      description: 'To be sent in order by `userAddress`; any wallet may send them as one batch.',
    }),
    description: z.string().meta({ example: 'Merge 4 pairs of KXRAIN-26DEC01-SF into 4 USDC' }),
    holder: addressSchema.meta({ description: 'Whose contracts are merged, and who is paid.' }),
    quoteAmount: decimalSchema.meta({ description: 'USDC received: a dollar per pair, no fee.' }),
  })
  .meta({ id: 'MergeCalldata' });

export type MergeRequest = z.infer<typeof mergeRequestSchema>;
export type MergeCalldata = z.infer<typeof mergeCalldataSchema>;
