import { z } from 'zod';
import {
  addressSchema,
  chainIdSchema,
  marketTickerSchema,
  outcomeSideSchema,
  sentTokenIdSchema,
} from './common.ts';

const venueTokenReferenceSchema = z
  .strictObject({
    type: z.literal('venue'),
    data: z.strictObject({ marketId: marketTickerSchema, side: outcomeSideSchema }),
  })
  .meta({ id: 'VenueTokenReference', description: 'An outcome token, by market and side.' });

const chainTokenReferenceSchema = z
  .strictObject({
    type: z.literal('chain'),
    data: z.strictObject({
      tokenId: sentTokenIdSchema.meta({
        description: 'Token id of an ERC-1155; "0" for an ERC-20.',
        example: '0',
      }),
      chainId: chainIdSchema,
      contractAddress: addressSchema,
    }),
  })
  .meta({ id: 'ChainTokenReference', description: 'A token, by its contract on the chain.' });

export const tokenReferenceSchema = z
  .discriminatedUnion('type', [venueTokenReferenceSchema, chainTokenReferenceSchema])
  .meta({ id: 'TokenReference' });

export const orderDirectionSchema = z.enum(['BUY', 'SELL']).meta({
  id: 'OrderDirection',
  description: 'BUY spends the quote token for the base token; SELL does the reverse.',
  example: 'BUY',
});
