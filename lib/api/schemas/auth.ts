import { z } from 'zod';
import { addressSchema, hexSchema, timestampSchema } from './common.ts';

export const authMessageQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The wallet that signs in.' }),
});

export const authMessageSchema = z
  .object({
    message: z.string().meta({ description: 'EIP-4361 text to sign as it is (personal_sign).' }),
    nonce: z.string(),
    expiresAt: timestampSchema,
  })
  .meta({ id: 'AuthMessage' });

export const authTokenRequestSchema = z
  .strictObject({ message: z.string().min(1).max(4_096), signature: hexSchema.max(20_000) })
  .meta({ id: 'AuthTokenRequest' });

export const sessionIdSchema = z.uuid().meta({ description: 'Id of a session.' });

export const authTokenSchema = z
  .object({
    token: z.string().meta({ description: 'JWT for the header Authorization: Bearer.' }),
    expiresAt: timestampSchema,
    address: addressSchema.meta({ description: 'The owner wallet that is signed in.' }),
    sessionId: sessionIdSchema,
  })
  .meta({ id: 'AuthToken' });

export const sessionRecordSchema = z
  .object({
    id: sessionIdSchema,
    userAgent: z.string().meta({ description: 'What the program that signed in calls itself.' }),
    ip: z.string().meta({ description: 'The address it signed in from.' }),
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema.meta({ description: 'To the minute.' }),
    expiresAt: timestampSchema,
    isCurrent: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
  })
  .meta({ id: 'Session' });

const countSchema = z.int().min(0);

export const sessionListSchema = z
  .object({
    sessions: z.array(sessionRecordSchema),
    apiKeys: countSchema.meta({ description: 'API keys of the wallet that work.' }),
    webhooks: countSchema.meta({
      description: 'Webhooks of the wallet and of its API keys that are enabled.',
    }),
  })
  .meta({ id: 'SessionList' });

export const sessionsEndedSchema = z
  .object({ ended: countSchema.meta({ description: 'How many worked until now.' }) })
  .meta({ id: 'SessionsEnded' });

const flagSchema = z.enum(['true', 'false']).optional();

export const endAllSessionsQuerySchema = z.strictObject({
  apiKeys: flagSchema.meta({
    description: 'true also revokes every API key of the wallet; default false.',
  }),
  webhooks: flagSchema.meta({
    description:
      'true also disables every webhook of the wallet and of its API keys; default false.',
  }),
});

export const allSessionsEndedSchema = z
  .object({
    ended: countSchema.meta({ description: 'Sessions that worked until now.' }),
    apiKeysRevoked: countSchema
      .optional()
      .meta({ description: 'API keys that worked until now; where asked for.' }),
    webhooksDisabled: countSchema
      .optional()
      .meta({ description: 'Webhooks that were enabled until now; where asked for.' }),
  })
  .meta({ id: 'AllSessionsEnded' });

export const jwksSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'Jwks' });

export type AuthMessage = z.infer<typeof authMessageSchema>;
export type AuthTokenRequest = z.infer<typeof authTokenRequestSchema>;
export type SessionRecord = z.infer<typeof sessionRecordSchema>;
export type SessionList = z.infer<typeof sessionListSchema>;
export type SessionsEnded = z.infer<typeof sessionsEndedSchema>;
export type EndAllSessionsQuery = z.infer<typeof endAllSessionsQuerySchema>;
export type AllSessionsEnded = z.infer<typeof allSessionsEndedSchema>;
export type AuthToken = z.infer<typeof authTokenSchema>;
