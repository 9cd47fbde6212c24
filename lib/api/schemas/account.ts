import { z } from 'zod';
import { DEFAULT_LIMITS } from '../../account/defaultLimits.ts';
import {
  addressSchema,
  bytes32Schema,
  chainIdSchema,
  decimalSchema,
  hexSchema,
  timestampSchema,
  transactionHashSchema,
  typedDomainSchema,
  typedFieldSchema,
} from './common.ts';

export const accountQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The owner wallet, or the smart account itself.' }),
});

/** The key that signs every order under a grant. */
export const sessionKeySchema = z
  .object({
    kind: z.enum(['p256', 'secp256k1']),
    key: hexSchema.meta({
      description:
        'p256: the Keccak-256 hash of x and y. secp256k1: the address. Zero once the owner removed it; ' +
        'keys that the owner added to the grant go on.',
    }),
  })
  .meta({
    id: 'SessionKey',
    description:
      'The key that must sign every order (POST /v1/order/typed-data); null if the service alone ' +
      'opens orders.',
  });

export const accountGrantSchema = z
  .object({
    operator: addressSchema,
    validUntil: timestampSchema,
    withdrawAnywhere: z.boolean(),
    maxPerOrder: decimalSchema.meta({ description: 'USDC per order.' }),
    maxPerDay: decimalSchema.meta({ description: 'USDC per day.' }),
    maxWithdrawPerDay: decimalSchema.meta({ description: 'USDC per day to other addresses.' }),
    nonce: z.string(),
    sessionKey: sessionKeySchema.nullable(),
    sessionKeys: z
      .array(sessionKeySchema)
      .optional()
      .meta({
        description:
          'Every key that signs orders now: the one that the grant named, unless it was removed, and ' +
          'those that the owner added. Only when read with its account.',
      }),
    status: z.enum(['recorded', 'active', 'expired']).meta({
      description:
        'recorded: signed, and sent on chain with the first order that needs it. active: on chain. expired: no longer valid.',
    }),
    leftToday: z
      .object({
        order: decimalSchema.meta({ description: 'USDC for orders.' }),
        withdraw: decimalSchema.meta({ description: 'USDC to other addresses.' }),
      })
      .optional()
      .meta({
        description:
          'What is left of the daily limits, which reset at midnight UTC. Only for an active grant, and only when read with its account.',
      }),
  })
  .meta({ id: 'AccountGrant', description: 'The owner’s trading permission for the service.' });

export const accountSettingsSchema = z
  .strictObject({
    autoRedeem: z.boolean().meta({
      description: 'Redeem tokens of settled markets as soon as the payout opens.',
    }),
  })
  .meta({ id: 'AccountSettings', description: 'Account settings chosen by the owner.' });

export const accountSchema = z
  .object({
    owner: addressSchema,
    smartAccountAddress: addressSchema,
    deployed: z.boolean().meta({ description: 'Whether the smart account is deployed.' }),
    chainId: chainIdSchema,
    balances: z.object({
      usdc: decimalSchema.meta({ description: 'USDC of the smart account.' }),
      inOrders: decimalSchema.optional().meta({
        description:
          'Value locked in open orders, in USDC: the USDC of purchases, the tokens of sales at ' +
          'the best bid. Not included in `usdc`. Earlier versions leave it out.',
      }),
      ownerUsdc: decimalSchema.meta({ description: 'USDC of the owner wallet.' }),
      ownerNative: decimalSchema.meta({ description: 'ETH of the owner wallet, for gas.' }),
    }),
    grant: accountGrantSchema.nullable(),
    contracts: z.object({
      usdc: addressSchema,
      outcomeToken: addressSchema,
      swapVault: addressSchema,
      settlement: addressSchema.optional().meta({
        description: 'Pays out settled markets. Earlier versions leave it out.',
      }),
      accountFactory: addressSchema,
      passkeyFactory: addressSchema.optional().meta({
        description: 'Deploys the wallets of passkeys. Absent where no passkey owns an account.',
      }),
    }),
  })
  .meta({ id: 'Account' });

/**
 * A parameter that is left out keeps its value from the previous permission, or takes its default
 * if there is none.
 */
export const grantQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The owner wallet, or the smart account itself.' }),
  maxPerOrder: decimalSchema.optional().meta({
    description: `USDC per order; default ${DEFAULT_LIMITS.maxPerOrder}.`,
  }),
  maxPerDay: decimalSchema.optional().meta({
    description: `USDC per day; default ${DEFAULT_LIMITS.maxPerDay}.`,
  }),
  maxWithdrawPerDay: decimalSchema.optional().meta({
    description:
      'USDC per day to addresses other than the owner; default 0, and ' +
      `${DEFAULT_LIMITS.maxWithdrawPerDay} with withdrawAnywhere=true.`,
  }),
  withdrawAnywhere: z
    .enum(['true', 'false'])
    .optional()
    .meta({
      description:
        'true allows withdrawals to any address, up to maxWithdrawPerDay, without a separate ' +
        'signature; default false: to the owner only.',
    }),
  sessionKey: z
    .union([
      z.literal('none'),
      z.string().regex(/^0x(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{128})$/, 'must be an address or x and y'),
    ])
    .optional()
    .meta({
      description:
        'The key that signs every order: the address of a secp256k1 key, the 64 bytes of x and y ' +
        'of a P-256 public key, or none. With a key, withdrawals go to the owner only, unless the ' +
        'owner signs them.',
    }),
  validForSeconds: z.coerce.number().int().min(3_600).max(31_536_000).optional().meta({
    description: 'How long the grant is valid; default 30 days.',
  }),
});

export const uintSchema = z
  .string()
  .max(78)
  .regex(/^(0|[1-9]\d*)$/, 'must be a whole number as a string')
  .meta({ example: '10000000000' });

export const grantMessageSchema = z
  .strictObject({
    operator: addressSchema,
    validUntil: uintSchema.meta({ description: 'Unix seconds.' }),
    withdrawAnywhere: z.boolean(),
    maxPerOrder: uintSchema.meta({ description: 'In 1e-6 USDC.' }),
    maxPerDay: uintSchema.meta({ description: 'In 1e-6 USDC.' }),
    maxWithdrawPerDay: uintSchema.meta({ description: 'In 1e-6 USDC.' }),
    nonce: uintSchema,
    keyKind: z.int().min(0).max(2).meta({ description: '0 none, 1 P-256, 2 secp256k1.' }),
    key: bytes32Schema.meta({ description: '32 bytes; zero without a key.' }),
  })
  .meta({ id: 'GrantMessage', description: 'The EIP-712 message that the owner signs.' });

export const grantTypedDataSchema = z
  .object({
    typedData: z
      .object({
        domain: typedDomainSchema(),
        types: z.object({
          EIP712Domain: z.array(typedFieldSchema),
          Grant: z.array(typedFieldSchema),
        }),
        primaryType: z.literal('Grant'),
        message: grantMessageSchema,
      })
      .meta({ id: 'GrantTypedData', description: 'Pass it unchanged to eth_signTypedData_v4.' }),
  })
  .meta({ id: 'GrantToSign' });

export const recordGrantRequestSchema = z
  .strictObject({
    address: addressSchema.optional().meta({
      description:
        'The owner. Defaults to the signed-in wallet, or the wallet this grant was issued to.',
    }),
    grant: grantMessageSchema,
    signature: hexSchema.max(20_000),
  })
  .meta({ id: 'RecordGrantRequest' });

export const grantRecordedSchema = z
  .object({ success: z.boolean(), account: addressSchema, grant: accountGrantSchema })
  .meta({ id: 'GrantRecorded' });

export const faucetRequestSchema = z
  .strictObject({ address: addressSchema.meta({ description: 'The owner wallet.' }) })
  .meta({ id: 'FaucetRequest' });

export const faucetResponseSchema = z
  .object({
    success: z.boolean(),
    smartAccountAddress: addressSchema,
    usdc: decimalSchema.meta({ description: 'Test USDC sent to the smart account.' }),
    native: decimalSchema.meta({ description: 'Test ether sent to the owner for gas.' }),
    transactionHash: transactionHashSchema,
  })
  .meta({ id: 'FaucetAnswer' });

export type Account = z.infer<typeof accountSchema>;
export type SessionKey = z.infer<typeof sessionKeySchema>;
export type AccountGrant = z.infer<typeof accountGrantSchema>;
export type GrantQuery = z.output<typeof grantQuerySchema>;
export type GrantMessage = z.infer<typeof grantMessageSchema>;
export type GrantToSign = z.infer<typeof grantTypedDataSchema>;
export type RecordGrantRequest = z.infer<typeof recordGrantRequestSchema>;
export type GrantRecorded = z.infer<typeof grantRecordedSchema>;
export type FaucetResponse = z.infer<typeof faucetResponseSchema>;
export type AccountSettings = z.infer<typeof accountSettingsSchema>;

export const termsStateSchema = z
  .object({
    version: z
      .string()
      .nullable()
      .meta({ description: 'Version that must be accepted; null if none.' }),
    url: z.string().nullable().meta({ description: 'URL of the terms.' }),
    acceptedVersion: z.string().nullable(),
    acceptedAt: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'TermsState',
    description: 'The current terms, and which version the wallet has accepted.',
  });

export const acceptTermsSchema = z
  .strictObject({ version: z.string().min(1).max(40) })
  .meta({ id: 'AcceptTermsRequest', description: 'The version you have read.' });

const row = z.record(z.string(), z.unknown());

export const personalDataSchema = z
  .object({
    ownerAddress: z.string(),
    exportedAt: z.iso.datetime(),
    accounts: z.array(row),
    grants: z.array(row),
    apiKeys: z.array(row),
    apiKeyUsage: z.array(row),
    sessions: z.array(row),
    sessionKeys: z.array(row).optional(),
    webhooks: z.array(row),
    notifiedBrowsers: z.array(row),
    saved: z.array(row).optional(),
    terms: z.array(row),
  })
  .meta({
    id: 'PersonalData',
    description: 'All stored personal data of a wallet, except on-chain data and orders.',
  });

export type TermsState = z.infer<typeof termsStateSchema>;
