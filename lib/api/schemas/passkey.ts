import { z } from 'zod';
import { addressSchema } from './common.ts';

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

export const passkeyRequestSchema = z
  .strictObject({ credentialId: credentialIdSchema, publicKey: publicKeySchema })
  .meta({ id: 'PasskeyRequest' });

export const passkeySchema = z
  .object({
    credentialId: credentialIdSchema,
    publicKey: publicKeySchema,
    address: addressSchema.meta({
      description: 'The wallet of the passkey: the owner of its smart account.',
    }),
  })
  .meta({ id: 'Passkey' });

export type PasskeyRequest = z.infer<typeof passkeyRequestSchema>;
export type Passkey = z.infer<typeof passkeySchema>;
