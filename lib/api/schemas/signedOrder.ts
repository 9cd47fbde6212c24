import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  hexSchema,
  timestampSchema,
  typedDomainSchema,
  typedFieldSchema,
} from './common.ts';

/** The session key's part of an order. */
export const signedOrderSchema = z
  .strictObject({
    // Of version 4, as no id is that the service derives, and in the one form that is stored.
    id: z
      .string()
      .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      .meta({ description: 'The order’s ID, a random UUID: the bits of the signed `salt`.' }),
    preparedAt: timestampSchema.meta({
      description: 'As POST /v1/order/typed-data returned it, at most two minutes ago.',
    }),
    signature: hexSchema.max(258).meta({
      description:
        'secp256k1: r, s, v over the EIP-712 digest. P-256: r, s, x, y over the SHA-256 hash of the ' +
        'digest. The lower s.',
    }),
  })
  .meta({
    id: 'SignedOrder',
    description:
      'Required while the account’s permission names a session key, except for a redemption.',
  });

/** What the session key signs; null where nothing needs to be signed. */
export const orderTypedDataSchema = z
  .object({
    domain: typedDomainSchema(),
    types: z.object({
      EIP712Domain: z.array(typedFieldSchema),
      Order: z.array(typedFieldSchema),
    }),
    primaryType: z.literal('Order'),
    message: z.object({
      account: addressSchema,
      receiver: addressSchema,
      marketKey: bytes32Schema.meta({ description: 'The Keccak-256 hash of the ticker.' }),
      outcome: z.int().meta({ description: '0 is Yes, 1 is No.' }),
      isBuy: z.boolean(),
      quantity: z.string().meta({ description: 'In 1e-6 contracts.' }),
      quoteLimit: z.string().meta({
        description: 'BUY: the most to spend, SELL: the least to receive; in 1e-6 USDC, with fees.',
      }),
      expiry: z.string().meta({ description: 'Unix seconds: the last moment of a delivery.' }),
      clientRef: bytes32Schema.meta({ description: 'Stands for API key and client ID.' }),
      salt: z.string().meta({ description: 'The bits of the order’s ID; take your own UUID’s.' }),
    }),
  })
  .meta({ id: 'OrderTypedData', description: 'EIP-712 data of the order as the vault takes it.' });
