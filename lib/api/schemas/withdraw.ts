import { z } from 'zod';
import { addressSchema, chainIdSchema, clientIdSchema, decimalSchema } from './common.ts';

const tokenTypeSchema = z.enum(['erc20', 'erc1155']).meta({ example: 'erc20' });

const tokenIdSchema = z.string().min(1).max(80).meta({
  description: 'Id of the outcome token, decimal or hex; required when tokenType is erc1155.',
});

export const withdrawRequestSchema = z
  .strictObject({
    intentType: z.literal('Withdraw'),
    destinationAddress: addressSchema.meta({ description: 'Where the funds go.' }),
    amount: decimalSchema.meta({ description: 'USDC or contracts.', example: '25' }),
    tokenType: tokenTypeSchema,
    tokenAddress: addressSchema.meta({ description: 'Contract of the token.' }),
    clientId: clientIdSchema.optional(),
    tokenId: tokenIdSchema.optional(),
  })
  .superRefine((request, context) => {
    if (request.tokenType === 'erc1155' && request.tokenId === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['tokenId'],
        message: 'is required when tokenType is erc1155',
      });
    }
  })
  .meta({ id: 'WithdrawRequest' });

export const withdrawalActionSchema = z
  .object({
    orderType: z.literal('Withdraw'),
    withdrawal: z
      .object({
        destinationAddress: addressSchema,
        amount: decimalSchema,
        tokenType: tokenTypeSchema,
        tokenAddress: addressSchema,
        tokenId: tokenIdSchema.optional(),
      })
      .meta({ id: 'Withdrawal' }),
    chainId: chainIdSchema,
  })
  .meta({ id: 'WithdrawalAction' });

export type WithdrawRequestInput = z.input<typeof withdrawRequestSchema>;
export type WithdrawRequest = z.output<typeof withdrawRequestSchema>;
export type WithdrawalAction = z.infer<typeof withdrawalActionSchema>;
