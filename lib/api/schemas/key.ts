import { z } from 'zod';
import {
  addressSchema,
  cursorSchema,
  idSchema,
  pageFields,
  plainTextSchema,
  timestampSchema,
} from './common.ts';
import { ipRangeSchema, originSchema } from './network.ts';

export const apiKeyScopeSchema = z.enum(['read', 'trade', 'withdraw']).meta({
  id: 'ApiKeyScope',
  description:
    'read: all read requests. trade: orders, grants and webhooks. withdraw: withdrawals.',
  example: 'read',
});

const nameSchema = plainTextSchema
  .min(1)
  .max(80)
  .meta({ description: 'Label of the key.', example: 'Market maker' });

const scopesSchema = z
  .array(apiKeyScopeSchema)
  .min(1)
  .max(3)
  .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once');

const ipRangesSchema = z.array(ipRangeSchema).max(50).meta({
  description: 'IP ranges that may use the key; any if empty.',
});

const originsSchema = z.array(originSchema).max(20).meta({
  description: 'Origins of web pages that may use the key; none if empty.',
});

const expiresAtSchema = timestampSchema.nullable().meta({
  description: 'When the key expires; null: never.',
});

export const apiKeyIdSchema = idSchema('Id of the key.', 'key_5cDWfC0BXdJh');

export const apiKeySchema = z
  .object({
    id: apiKeyIdSchema,
    name: nameSchema,
    kind: z.enum(['test', 'live']).meta({ description: 'test in the sandbox, otherwise live.' }),
    hint: z.string().meta({
      description: 'First and last characters of the secret.',
      example: 'cbk_test_5cD…x7Qa',
    }),
    ownerAddress: addressSchema.meta({ description: 'The wallet that manages the key.' }),
    scopes: z.array(apiKeyScopeSchema),
    ipRanges: z.array(z.string()),
    origins: z.array(z.string()),
    status: z.enum(['active', 'expired', 'revoked']),
    createdAt: timestampSchema,
    expiresAt: expiresAtSchema,
    lastUsedAt: timestampSchema.nullable().meta({
      description: 'Updated at most once a minute; null before the first use.',
    }),
    revokedAt: timestampSchema.nullable(),
    previousSecretExpiresAt: timestampSchema.nullable().meta({
      description: 'When the secret from before the last rotation expires.',
    }),
  })
  .meta({ id: 'ApiKey' });

export const apiKeyListQuerySchema = z.strictObject(pageFields(100, 50));

export const apiKeyListSchema = z
  .object({ keys: z.array(apiKeySchema), cursor: cursorSchema })
  .meta({ id: 'ApiKeyList' });

export const apiKeyUsageQuerySchema = z.strictObject({
  days: z.coerce.number().int().min(1).max(90).default(30).meta({
    description: 'Number of days, including today.',
  }),
});

export const apiKeyUsageSchema = z
  .object({
    days: z
      .array(
        z.object({
          day: z.iso.date().meta({ description: 'In UTC.', example: '2026-11-21' }),
          requests: z.int().meta({ description: 'Requests under /v1 made with the key.' }),
          refused: z.int().meta({
            description: 'Of these, requests that returned 400 or above.',
          }),
        }),
      )
      .meta({ description: 'Oldest first, including days without requests.' }),
  })
  .meta({ id: 'ApiKeyUsage' });

export const createApiKeyRequestSchema = z
  .strictObject({
    name: nameSchema,
    scopes: scopesSchema.default(['read']),
    ipRanges: ipRangesSchema.default([]),
    origins: originsSchema.default([]),
    expiresAt: expiresAtSchema.default(null),
  })
  .meta({ id: 'CreateApiKeyRequest' });

export const updateApiKeyRequestSchema = z
  .strictObject({
    name: nameSchema.optional(),
    scopes: scopesSchema.optional(),
    ipRanges: ipRangesSchema.optional(),
    origins: originsSchema.optional(),
    expiresAt: expiresAtSchema.optional(),
  })
  .meta({ id: 'UpdateApiKeyRequest', description: 'Omitted fields stay unchanged.' });

export const rotateApiKeyRequestSchema = z
  .strictObject({
    overlapSeconds: z.int().min(0).max(604_800).default(86_400).meta({
      description: 'How long the old secret stays valid; default one day.',
    }),
  })
  .meta({ id: 'RotateApiKeyRequest' });

export const apiKeyResponseSchema = z.object({ key: apiKeySchema }).meta({ id: 'ApiKeyAnswer' });

export const apiKeyCreatedSchema = z
  .object({
    key: apiKeySchema,
    secret: z.string().meta({
      description: 'For the header x-api-key. Shown only once; only its hash is stored.',
      example: 'cbk_test_…',
    }),
  })
  .meta({ id: 'ApiKeyCreated' });

export type ApiKey = z.infer<typeof apiKeySchema>;
export type ApiKeyUsageQuery = z.output<typeof apiKeyUsageQuerySchema>;
export type ApiKeyUsage = z.infer<typeof apiKeyUsageSchema>;
export type ApiKeyListQuery = z.output<typeof apiKeyListQuerySchema>;
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;
export type CreateApiKeyInput = z.input<typeof createApiKeyRequestSchema>;
export type CreateApiKeyRequest = z.output<typeof createApiKeyRequestSchema>;
export type UpdateApiKeyRequest = z.output<typeof updateApiKeyRequestSchema>;
export type RotateApiKeyInput = z.input<typeof rotateApiKeyRequestSchema>;
export type ApiKeyResponse = z.infer<typeof apiKeyResponseSchema>;
export type ApiKeyCreated = z.infer<typeof apiKeyCreatedSchema>;
