import { z } from 'zod';
import { addressSchema, hexSchema, timestampSchema } from './common.ts';

export const authMessageQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The wallet that signs in.' }),
});

export const authMessageSchema = z
  .object({
    message: z.string().meta({ description: 'EIP-4361 text. Sign it unchanged (personal_sign).' }),
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
    address: addressSchema.meta({ description: 'The signed-in owner wallet.' }),
    sessionId: sessionIdSchema,
  })
  .meta({ id: 'AuthToken' });

export const browserSessionSchema = authTokenSchema
  .extend({
    expiresIn: z.int().min(1).meta({ description: 'Seconds for which the token is valid.' }),
    renewableUntil: timestampSchema.meta({
      description: 'When the session ends unless it is renewed before.',
    }),
  })
  .meta({ id: 'BrowserSession' });

export const sessionRecordSchema = z
  .object({
    id: sessionIdSchema,
    userAgent: z.string().meta({ description: 'User agent of the program that signed in.' }),
    ip: z.string().meta({ description: 'IP address of the sign-in.' }),
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema.meta({ description: 'Accurate to the minute.' }),
    expiresAt: timestampSchema,
    isCurrent: z.boolean().meta({ description: 'Whether this is the session making the request.' }),
  })
  .meta({ id: 'Session' });

const countSchema = z.int().min(0);

export const sessionListSchema = z
  .object({
    sessions: z.array(sessionRecordSchema),
    apiKeys: countSchema.meta({ description: 'Active API keys of the wallet.' }),
    webhooks: countSchema.meta({
      description: 'Enabled webhooks of the wallet and of its API keys.',
    }),
  })
  .meta({ id: 'SessionList' });

export const sessionsEndedSchema = z
  .object({ ended: countSchema.meta({ description: 'How many were active.' }) })
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
    ended: countSchema.meta({ description: 'Sessions that were active.' }),
    apiKeysRevoked: countSchema
      .optional()
      .meta({ description: 'API keys that were active; only if requested.' }),
    webhooksDisabled: countSchema
      .optional()
      .meta({ description: 'Webhooks that were enabled; only if requested.' }),
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
export type BrowserSession = z.infer<typeof browserSessionSchema>;
export type AuthToken = z.infer<typeof authTokenSchema>;
