import { z } from 'zod';
import { sessionKeySchema } from './account.ts';
import { timestampSchema } from './common.ts';

const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .meta({ description: 'Your name of the device or program.', example: 'Chrome on Android' });

export const sessionKeyParamsSchema = z.strictObject({
  key: z
    .string()
    .regex(/^0x(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, 'must be 20 or 32 bytes in hex')
    .meta({ description: 'As `key` of the list.' }),
});

export const nameSessionKeyRequestSchema = z
  .strictObject({ name: nameSchema })
  .meta({ id: 'NameSessionKeyRequest' });

export const sessionKeyRecordSchema = sessionKeySchema
  .extend({
    name: nameSchema.nullable(),
    status: z.enum(['active', 'removed']).meta({
      description: 'removed: for good, as long as the permission.',
    }),
    addedAt: timestampSchema.nullable().meta({
      description:
        'The block that put it on chain, or before that when the permission was signed. Null if the ' +
        'service has not read that.',
    }),
    removedAt: timestampSchema.nullable(),
    lastUsedAt: timestampSchema.nullable().meta({
      description: 'When the service last took an order that it signed, to the minute.',
    }),
  })
  .meta({ id: 'SessionKeyRecord', description: 'A session key of the trading permission.' });

export const sessionKeyListSchema = z
  .object({ keys: z.array(sessionKeyRecordSchema) })
  .meta({ id: 'SessionKeyList' });

export type SessionKeyRecord = z.infer<typeof sessionKeyRecordSchema>;
export type SessionKeyList = z.infer<typeof sessionKeyListSchema>;
export type NameSessionKeyRequest = z.infer<typeof nameSessionKeyRequestSchema>;
