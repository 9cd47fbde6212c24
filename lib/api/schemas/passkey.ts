import { z } from 'zod';
import { addressSchema, timestampSchema } from './common.ts';
import { batchTermsSchema } from './relay.ts';

export const credentialIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{16,1400}$/, 'must be a credential id in base64url')
  .meta({
    description: 'The credential id, in base64url, as the browser returns it.',
    example: 'AQIDBAUGBwgJCgsMDQ4PEA',
  });

const publicKeySchema = z
  .string()
  .regex(/^0x[0-9a-f]{128}$/, 'must be 64 bytes in lower-case hex')
  .meta({ description: 'The P-256 public key: x and y, 32 bytes each.' });

const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .meta({ description: 'The name under which the passkey manager lists it.' });

const firstKeySchema = publicKeySchema.meta({
  description:
    'The key that the wallet’s address follows from. It stays the same when this key is no longer ' +
    'an owner.',
});

export const passkeyRequestSchema = z
  .strictObject({
    credentialId: credentialIdSchema,
    publicKey: publicKeySchema,
    firstKey: firstKeySchema.optional().meta({
      description:
        'The first key of the wallet that this passkey is to own, if it is not the first itself.',
    }),
    name: nameSchema.optional(),
  })
  .meta({ id: 'PasskeyRequest' });

export const passkeySchema = z
  .object({
    credentialId: credentialIdSchema,
    publicKey: publicKeySchema,
    firstKey: firstKeySchema,
    address: addressSchema.meta({
      description: 'The wallet of the passkey: the owner of its smart account.',
    }),
    isOwner: z.boolean().meta({
      description: 'Whether the wallet accepts its signatures now. False once it was removed.',
    }),
  })
  .meta({ id: 'Passkey' });

export const walletOwnersQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The passkey’s wallet, or its smart account.' }),
});

const walletOwnerSchema = z
  .object({
    id: z.string().meta({ description: 'The id by which the wallet removes it, 32 bytes.' }),
    type: z.enum(['passkey', 'wallet']),
    address: addressSchema.nullable().meta({ description: 'Of a wallet.' }),
    publicKey: publicKeySchema
      .nullable()
      .meta({ description: 'Of a passkey; null for one that the service did not store.' }),
    name: nameSchema.nullable(),
    createdAt: timestampSchema.nullable(),
  })
  .meta({ id: 'WalletOwner' });

export const walletOwnersSchema = z
  .object({
    wallet: addressSchema.meta({ description: 'The passkey’s wallet.' }),
    isDeployed: z.boolean(),
    firstKey: firstKeySchema.nullable().meta({ description: 'Null until it is deployed.' }),
    owners: z.array(walletOwnerSchema).meta({
      description: 'As the chain has them; none until the wallet is deployed.',
    }),
    batch: batchTermsSchema,
  })
  .meta({ id: 'WalletOwners' });

export type PasskeyRequest = z.infer<typeof passkeyRequestSchema>;
export type Passkey = z.infer<typeof passkeySchema>;
export type WalletOwner = z.infer<typeof walletOwnerSchema>;
export type WalletOwners = z.infer<typeof walletOwnersSchema>;
