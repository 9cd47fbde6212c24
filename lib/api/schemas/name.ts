import { z } from 'zod';
import { addressSchema } from './common.ts';

export const nameParamsSchema = z.strictObject({
  name: z.string().min(1).max(255).meta({
    description: 'A name of ENS or Basenames, in any spelling.',
    example: 'alice.base.eth',
  }),
});

export const nameQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'Whose name is asked for.' }),
});

export const resolvedNameSchema = z
  .object({
    name: z.string().meta({
      description: 'The one spelling of the name: show this, not what was typed.',
      example: 'alice.base.eth',
    }),
    address: addressSchema,
    source: z.enum(['chain', 'ethereum', 'sandbox']).meta({
      description:
        'chain: recorded for this chain. ethereum: recorded for Ethereum only; a smart wallet ' +
        'there need not exist here. sandbox: a name of the sandbox.',
    }),
  })
  .meta({ id: 'ResolvedName' });

export const addressNameSchema = z
  .object({
    address: addressSchema,
    name: z.string().nullable().meta({
      description: 'The name it goes by, which also leads back to it; null for none.',
    }),
  })
  .meta({ id: 'AddressName' });

export type ResolvedName = z.infer<typeof resolvedNameSchema>;
export type AddressName = z.infer<typeof addressNameSchema>;
