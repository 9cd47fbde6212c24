import { z } from 'zod';
import { addressSchema } from './common.ts';

export const nameParamsSchema = z.strictObject({
  name: z.string().min(1).max(255).meta({
    description: 'A name of ENS or Basenames, in any spelling.',
    example: 'alice.base.eth',
  }),
});

export const nameQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The address to look up.' }),
});

export const resolvedNameSchema = z
  .object({
    name: z.string().meta({
      description: 'The normalised name. Show this instead of what was typed.',
      example: 'alice.base.eth',
    }),
    address: addressSchema,
    source: z.enum(['chain', 'ethereum', 'sandbox']).meta({
      description:
        'chain: registered for this chain. ethereum: registered for Ethereum only; a smart wallet ' +
        'there may not exist on this chain. sandbox: a name of the sandbox.',
    }),
  })
  .meta({ id: 'ResolvedName' });

export const addressNameSchema = z
  .object({
    address: addressSchema,
    name: z.string().nullable().meta({
      description: 'The primary name, which resolves back to this address; null if none.',
    }),
  })
  .meta({ id: 'AddressName' });

export type ResolvedName = z.infer<typeof resolvedNameSchema>;
export type AddressName = z.infer<typeof addressNameSchema>;
