import { z } from 'zod';
import { uintSchema } from './account.ts';
import {
  addressSchema,
  decimalSchema,
  hexSchema,
  idSchema,
  timestampSchema,
  transactionHashSchema,
} from './common.ts';

/** The most calls in one batch. */
const MOST_CALLS = 16;
const MOST_HEX = 20_000;

/** Text that is no number is refused by the form alone. */
const uint64Schema = uintSchema.refine(
  (text) => !/^\d+$/.test(text) || BigInt(text) < 2n ** 64n,
  'is too large',
);
const bytes32Schema = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex');

const relayedCallSchema = z.strictObject({
  to: addressSchema,
  value: uint64Schema.meta({ description: 'Wei; 0 for every call that the service sends.' }),
  data: hexSchema.max(MOST_HEX),
});

const batchMessageSchema = z
  .strictObject({
    calls: z
      .array(relayedCallSchema)
      .max(MOST_CALLS)
      .meta({
        description:
          'All or none. By the smart account: calls to vault, settlement, outcome token and USDC, ' +
          'and `revoke`, `setGrant`, `addSessionKey` and `removeSessionKey` of the account itself. ' +
          'By a passkey’s wallet: transfers of USDC and outcome tokens, and `addKey`, `addAddress` ' +
          'and `removeOwner` of the wallet itself. None at all ends every batch signed earlier with ' +
          'this nonce.',
      }),
    gas: uint64Schema.meta({ description: 'The least gas that the calls must get.' }),
    nonce: uint64Schema.meta({
      description:
        '`batch.nonce` of GET /v1/relay; of a passkey’s wallet, of GET /v1/account/owners.',
    }),
    deadline: uint64Schema.meta({ description: 'Unix seconds, at most an hour from now.' }),
  })
  .meta({ id: 'BatchMessage', description: 'The EIP-712 message `Batch` that the owner signs.' });

const depositMessageSchema = z
  .strictObject({
    from: addressSchema.meta({ description: 'The owner wallet.' }),
    to: addressSchema.meta({ description: 'Its smart account.' }),
    value: uint64Schema.meta({ description: 'In 1e-6 USDC.' }),
    validAfter: uint64Schema.meta({ description: 'Unix seconds.' }),
    validBefore: uint64Schema.meta({ description: 'Unix seconds, at most an hour from now.' }),
    nonce: bytes32Schema.meta({ description: '32 random bytes.' }),
  })
  .meta({
    id: 'DepositMessage',
    description: 'The message `TransferWithAuthorization` of USDC (EIP-3009) that the owner signs.',
  });

const permitMessageSchema = z
  .strictObject({
    owner: addressSchema.meta({ description: 'The owner wallet.' }),
    spender: addressSchema.meta({ description: 'The account factory.' }),
    value: uint64Schema.meta({ description: 'In 1e-6 USDC.' }),
    nonce: uint64Schema.meta({ description: '`permit.nonce` of GET /v1/relay.' }),
    deadline: uint64Schema.meta({ description: 'Unix seconds, at most an hour from now.' }),
  })
  .meta({
    id: 'PermitMessage',
    description: 'The message `Permit` of USDC (EIP-2612) that the owner signs.',
  });

const common = {
  address: addressSchema.meta({ description: 'The owner wallet.' }),
  signature: hexSchema.max(MOST_HEX),
};

const relayedBatchSchema = z
  .strictObject({ type: z.literal('batch'), ...common, message: batchMessageSchema })
  .meta({ id: 'RelayBatchRequest' });
const relayedWalletBatchSchema = z
  .strictObject({ type: z.literal('walletBatch'), ...common, message: batchMessageSchema })
  .meta({
    id: 'RelayWalletBatchRequest',
    description:
      'Calls that a passkey’s wallet makes itself. The signature is one of its owners’, wrapped ' +
      'with the deployment of the wallet (ERC-6492).',
  });
const relayedDepositSchema = z
  .strictObject({ type: z.literal('deposit'), ...common, message: depositMessageSchema })
  .meta({ id: 'RelayDepositRequest' });

const relayedPermitSchema = z
  .strictObject({ type: z.literal('permit'), ...common, message: permitMessageSchema })
  .meta({ id: 'RelayPermitRequest' });

export const relayRequestSchema = z
  .discriminatedUnion('type', [
    relayedBatchSchema,
    relayedWalletBatchSchema,
    relayedDepositSchema,
    relayedPermitSchema,
  ])
  .meta({ id: 'RelayRequest' });

export const relayIdSchema = idSchema(
  'Id of the relayed message.',
  '0f5f9a04-6c1d-8a0e-9d3b-0a4b6f4f3a11',
);

export const relaySchema = z
  .object({
    id: relayIdSchema,
    type: z.enum(['batch', 'walletBatch', 'deposit', 'permit']),
    account: addressSchema.meta({ description: 'The smart account.' }),
    status: z.enum(['pending', 'completed', 'failed']).meta({
      description:
        'pending: stored, sent or not yet confirmed. completed: its effect is on chain, whoever ' +
        'sent it. failed: it had no effect and is not sent again.',
    }),
    reason: z
      .enum(['expired', 'already_used', 'refused'])
      .nullable()
      .meta({
        description:
          'Why it failed. expired: its time ended first. already_used: another message took its ' +
          'nonce. refused: a call would revert.',
      }),
    transactionHash: transactionHashSchema.nullable(),
    createdAt: timestampSchema,
  })
  .meta({ id: 'Relay' });

export const relayCreatedSchema = z
  .object({ success: z.boolean(), relay: relaySchema })
  .meta({ id: 'RelayCreated' });

export const relayTermsQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The owner wallet, or the smart account itself.' }),
});

export const batchTermsSchema = z.object({
  nonce: uint64Schema.meta({ description: 'The nonce that the next batch must carry.' }),
  isAccepted: z.boolean().meta({
    description: 'False until the account is deployed or holds a dollar of USDC.',
  }),
});

export const relayTermsSchema = z
  .object({
    account: addressSchema.meta({ description: 'The smart account.' }),
    batch: batchTermsSchema,
    permit: z.object({
      nonce: uint64Schema.meta({ description: 'The nonce that the next permit must carry.' }),
      spender: addressSchema.meta({ description: 'The account factory.' }),
    }),
    minimumDeposit: decimalSchema.meta({ description: 'USDC.' }),
    remainingToday: z.object({
      messages: z.int().nonnegative(),
      usd: decimalSchema.meta({ description: 'Network fees that the service still pays today.' }),
    }),
    networkFee: z.literal('paid_by_service'),
  })
  .meta({ id: 'RelayTerms', description: 'What the service sends for a wallet, and how often.' });

export type RelayRequest = z.output<typeof relayRequestSchema>;
export type RelayRequestInput = z.input<typeof relayRequestSchema>;
export type Relay = z.infer<typeof relaySchema>;
export type RelayCreated = z.infer<typeof relayCreatedSchema>;
export type RelayTerms = z.infer<typeof relayTermsSchema>;
