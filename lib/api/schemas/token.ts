import { z } from 'zod';
import { marketTickerSchema, outcomeSideSchema } from './common.ts';

export const tokenIdParameterSchema = z
  .string()
  .regex(
    /^(0x[0-9a-fA-F]{1,64}|[0-9a-fA-F]{64}|\d{1,78})$/,
    'must be a token id: decimal, 0x-hex, or 64 hex digits',
  )
  .meta({ description: 'ERC-1155 token id: decimal, 0x-hex, or 64 hex digits.' });

export const tokenByMarketQuerySchema = z.strictObject({
  exchange: z.string().min(1).max(40).default('kalshi').meta({ description: 'The exchange.' }),
});

export const tokenMetadataSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    image: z.url().meta({ description: 'An SVG picture of the token.' }),
    properties: z.object({
      decimals: z.int().meta({ example: 6 }),
      marketId: marketTickerSchema,
      outcome: outcomeSideSchema,
      tokenId: z.string().regex(/^0x[0-9a-f]{64}$/),
    }),
  })
  .meta({ id: 'TokenMetadata', description: 'ERC-1155 metadata of an outcome token.' });

export type TokenMetadata = z.infer<typeof tokenMetadataSchema>;
