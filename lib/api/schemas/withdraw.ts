import { z } from 'zod';
import {
  addressSchema,
  chainIdSchema,
  clientIdSchema,
  decimalSchema,
  hexSchema,
  sentTokenIdSchema,
  typedDomainSchema,
  typedFieldSchema,
} from './common.ts';

const tokenTypeSchema = z.enum(['erc20', 'erc1155']).meta({ example: 'erc20' });

const tokenIdSchema = sentTokenIdSchema.min(1).meta({
  description: 'Id of the outcome token, decimal or hex; required when tokenType is erc1155.',
});

const deadlineSchema = z.int().min(0).max(4_294_967_295).meta({
  description:
    'When the owner’s signature expires, in Unix seconds; from 30 seconds to 24 hours ahead.',
  example: 1_795_200_000,
});

const withdrawalFields = {
  intentType: z.literal('Withdraw'),
  destinationAddress: addressSchema.meta({ description: 'Recipient of the funds.' }),
  amount: decimalSchema.meta({ description: 'USDC or contracts.', example: '25' }),
  tokenType: tokenTypeSchema,
  tokenAddress: addressSchema.meta({ description: 'Contract of the token.' }),
  clientId: clientIdSchema.optional(),
  tokenId: tokenIdSchema.optional(),
};

type Need = { field: string; when: string };

/** Fields that are required together. */
function requireTogether(
  request: { tokenType: string; [field: string]: unknown },
  context: z.RefinementCtx,
): void {
  const needs: Need[] = [
    ...(request.tokenType === 'erc1155'
      ? [{ field: 'tokenId', when: 'when tokenType is erc1155' }]
      : []),
    ...(request.signature === undefined
      ? []
      : ['clientId', 'deadline'].map((field) => ({ field, when: 'with a signature' }))),
  ];
  for (const { field, when } of needs) {
    if (request[field] !== undefined) continue;
    context.addIssue({ code: 'custom', path: [field], message: `is required ${when}` });
  }
}

export const withdrawRequestSchema = z
  .strictObject({
    ...withdrawalFields,
    signature: hexSchema
      .max(20_000)
      .optional()
      .meta({
        description:
          'The owner’s EIP-712 signature of exactly this withdrawal (POST /v1/order/withdraw/typed-data ' +
          'returns what to sign). With it no trading permission is needed, and the destination ' +
          'can be any address. Requires clientId and deadline.',
      }),
    deadline: deadlineSchema.optional(),
  })
  .superRefine(requireTogether)
  .superRefine((request, context) => {
    if (request.deadline === undefined || request.signature !== undefined) return;
    context.addIssue({
      code: 'custom',
      path: ['signature'],
      message: 'is required with a deadline',
    });
  })
  .meta({ id: 'WithdrawRequest' });

export const prepareWithdrawalRequestSchema = z
  .strictObject({ ...withdrawalFields, deadline: deadlineSchema.optional() })
  .superRefine(requireTogether)
  .meta({ id: 'PrepareWithdrawalRequest' });

export const withdrawalToSignSchema = z
  .object({
    typedData: z
      .object({
        domain: typedDomainSchema(),
        types: z.object({
          EIP712Domain: z.array(typedFieldSchema),
          Withdrawal: z.array(typedFieldSchema),
        }),
        primaryType: z.literal('Withdrawal'),
        message: z.object({
          token: addressSchema,
          tokenId: z.string(),
          amount: z.string().meta({ description: 'In 1e-6 of USDC or of a contract.' }),
          to: addressSchema,
          ref: hexSchema.meta({
            description: 'Derived from the account and the client ID; the account pays it once.',
          }),
          deadline: z.string().meta({ description: 'Unix seconds.' }),
        }),
      })
      .meta({
        id: 'WithdrawalTypedData',
        description: 'Pass it unchanged to eth_signTypedData_v4.',
      }),
    withdrawal: withdrawRequestSchema.meta({
      description: 'The body for POST /v1/order/withdraw; add the signature.',
    }),
  })
  .meta({ id: 'WithdrawalToSign' });

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
export type PrepareWithdrawalInput = z.input<typeof prepareWithdrawalRequestSchema>;
export type PrepareWithdrawalRequest = z.output<typeof prepareWithdrawalRequestSchema>;
export type WithdrawalToSign = z.infer<typeof withdrawalToSignSchema>;
export type WithdrawalAction = z.infer<typeof withdrawalActionSchema>;
