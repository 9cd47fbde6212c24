import { z } from 'zod';
import { tryParseMicros } from '#lib/money.ts';
import { dollarsSchema, marketTickerSchema, outcomeSideSchema, timestampSchema } from './common.ts';

export const tradeActionSchema = z
  .enum(['buy', 'sell'])
  .meta({ id: 'TradeAction', example: 'buy' });

export const quoteQuerySchema = z.strictObject({
  action: tradeActionSchema.default('buy'),
  contracts: z
    .string()
    .max(32)
    .regex(/^(0|[1-9]\d{0,12})(\.\d{1,6})?$/, {
      error: 'must be a plain decimal number such as 12.5',
      abort: true,
    })
    .refine((text) => tryParseMicros(text) !== undefined, 'is too large')
    .meta({
      description: 'How many contracts, in steps of 0.01.',
      override: { type: 'number', example: 10, pattern: undefined, maxLength: undefined },
    }),
  side: outcomeSideSchema,
});

export const quoteSchema = z
  .object({
    fillable: z.boolean().meta({ description: 'Whether the whole quantity can be filled now.' }),
    contracts: z.number().meta({ description: 'Contracts that would be filled now.' }),
    cost: z.number().meta({
      description: 'Cents, rounded: what a buy costs or a sale brings, fees included.',
    }),
    costDollars: dollarsSchema,
    fee: z.number().meta({ description: 'Cents, rounded: the fee within cost.' }),
    feeDollars: dollarsSchema,
    ticker: marketTickerSchema,
    action: tradeActionSchema,
    side: outcomeSideSchema,
    contractsRequested: z.number(),
    averagePriceDollars: dollarsSchema.nullable().meta({
      description: 'Per contract before fees; null if nothing can be filled.',
    }),
    bestPriceDollars: dollarsSchema.nullable().meta({
      description: 'The first price level; null when nothing can be filled.',
    }),
    worstPriceDollars: dollarsSchema.nullable().meta({
      description: 'The last price level the quantity reaches; null when nothing can be filled.',
    }),
    largestOrderDollars: dollarsSchema
      .nullable()
      .optional()
      .meta({
        description:
          'The largest order that can be delivered in this direction: for a buy its price limit, for a ' +
          'sale its contracts at a dollar each. Null if not known.',
      }),
    asOf: timestampSchema,
  })
  .meta({ id: 'Quote' });

export type TradeAction = z.infer<typeof tradeActionSchema>;
export type Quote = z.infer<typeof quoteSchema>;
