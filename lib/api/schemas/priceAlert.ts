import { z } from 'zod';
import { MICROS, tryParseMicros } from '../../money.ts';
import {
  decimalSchema,
  idSchema,
  marketTickerSchema,
  outcomeSideSchema,
  timestampSchema,
} from './common.ts';
import { triggerDirectionSchema, triggerSourceSchema } from './trigger.ts';

/** Waiting alerts of one wallet. */
export const MOST_PRICE_ALERTS = 50;

export const priceAlertIdSchema = idSchema('Id of the price alert.', 'pa_5cDWfC0BXdJh');

const priceSchema = decimalSchema.meta({
  description: 'Dollars per contract of the side, between 0 and 1.',
  example: '0.6',
});

const isBetweenZeroAndOne = (text: string) => {
  const micros = tryParseMicros(text);
  return micros !== undefined && micros > 0n && micros < MICROS;
};

export const createPriceAlertRequestSchema = z
  .strictObject({
    ticker: marketTickerSchema,
    side: outcomeSideSchema,
    price: priceSchema.refine(isBetweenZeroAndOne, 'must be between 0 and 1'),
    direction: triggerDirectionSchema,
    source: triggerSourceSchema.optional().meta({
      description: 'Default: the bid for above, the ask for below.',
    }),
    expiresAt: timestampSchema.optional().meta({
      description: 'When the alert ends without effect; at the close of the market by default.',
    }),
  })
  .meta({ id: 'CreatePriceAlertRequest' });

export const priceAlertSchema = z
  .object({
    id: priceAlertIdSchema,
    ticker: marketTickerSchema,
    side: outcomeSideSchema,
    price: priceSchema,
    direction: triggerDirectionSchema,
    source: triggerSourceSchema,
    status: z.enum(['waiting', 'triggered', 'expired']).meta({
      description: 'expired: its time is over, or its market has closed.',
    }),
    createdAt: timestampSchema,
    expiresAt: timestampSchema.nullable(),
    triggeredAt: timestampSchema.nullable(),
    triggeredPrice: priceSchema.nullable().meta({
      description: 'The price that triggered it.',
    }),
  })
  .meta({ id: 'PriceAlert' });

export const priceAlertCreatedSchema = z
  .object({ priceAlert: priceAlertSchema })
  .meta({ id: 'PriceAlertCreated' });

export const priceAlertListSchema = z
  .object({
    priceAlerts: z.array(priceAlertSchema).meta({
      description: 'All that wait and those that ended in the last 30 days, newest first.',
    }),
  })
  .meta({ id: 'PriceAlertList' });

export const priceAlertDeletedSchema = z
  .object({ success: z.boolean(), id: priceAlertIdSchema })
  .meta({ id: 'PriceAlertDeleted' });

export type PriceAlert = z.infer<typeof priceAlertSchema>;
export type CreatePriceAlertRequest = z.infer<typeof createPriceAlertRequestSchema>;
export type PriceAlertCreated = z.infer<typeof priceAlertCreatedSchema>;
export type PriceAlertList = z.infer<typeof priceAlertListSchema>;
export type PriceAlertDeleted = z.infer<typeof priceAlertDeletedSchema>;
