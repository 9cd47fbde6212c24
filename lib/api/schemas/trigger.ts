import { z } from 'zod';
import { decimalSchema, timestampSchema } from './common.ts';

export const triggerDirectionSchema = z.enum(['above', 'below']).meta({
  id: 'TriggerDirection',
  description: 'Whether the watched price must rise to the trigger price, or fall to it.',
  example: 'below',
});

export const triggerSourceSchema = z.enum(['bid', 'ask', 'last']).meta({
  id: 'TriggerSource',
  description: 'The watched price of the outcome: its best bid, its best offer or its last trade.',
  example: 'bid',
});

/** What makes an order a stop order. */
export const triggerFields = {
  triggerPrice: decimalSchema.optional().meta({
    description:
      'Makes the order a stop order: its funds are locked now, and it goes to the exchange once ' +
      'the watched price of its outcome reaches this price. On the grid of the market’s ticks.',
    example: '0.4',
  }),
  direction: triggerDirectionSchema.optional().meta({
    description:
      'Required with triggerPrice. below is a stop-loss of a SELL, above its take-profit.',
  }),
  triggerSource: triggerSourceSchema.optional().meta({
    description: 'Which price is watched; bid for a SELL and ask for a BUY when left out.',
  }),
};

type TriggerTerms = {
  triggerPrice?: string | undefined;
  direction?: string | undefined;
  triggerSource?: string | undefined;
};

/** The field of a trigger that contradicts the others; undefined when none does. */
export function findTriggerContradiction(
  order: TriggerTerms,
): { field: keyof TriggerTerms; message: string } | undefined {
  const { triggerPrice, direction, triggerSource } = order;
  if (triggerPrice !== undefined) {
    return direction === undefined
      ? { field: 'direction', message: 'is required with triggerPrice' }
      : undefined;
  }
  const message = 'is for orders with a triggerPrice only';
  if (direction !== undefined) return { field: 'direction', message };
  return triggerSource === undefined ? undefined : { field: 'triggerSource', message };
}

/** The trigger of a stop order, in its record. */
export const triggerRecordSchema = z
  .object({
    price: decimalSchema,
    direction: triggerDirectionSchema,
    source: triggerSourceSchema,
    triggeredAt: timestampSchema.nullable().meta({
      description: 'When the price was reached and the order released; null while it waits.',
    }),
    seenPrice: decimalSchema.nullable().meta({ description: 'The price that released it.' }),
  })
  .meta({ id: 'OrderTrigger' });
