import { z } from 'zod';
import { addressSchema, decimalSchema, signedDecimalSchema, timestampSchema } from './common.ts';

export const portfolioHistoryRangeSchema = z
  .enum(['1d', '1w', '1m', 'all'])
  .meta({ id: 'PortfolioHistoryRange', example: '1w' });

export const portfolioHistoryQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The owner wallet, or the smart account itself.' }),
  range: portfolioHistoryRangeSchema.default('1w').meta({ description: 'How far back from now.' }),
});

export const portfolioPointSchema = z
  .object({
    at: timestampSchema,
    cash: decimalSchema.nullable().meta({
      description: 'USDC of the smart account; null for the time before the service met it.',
    }),
    positions: decimalSchema.meta({
      description:
        'What the outcome tokens were worth: at the bid recorded last, or at the payout once the ' +
        'market was settled. For an owner those of the smart account are included.',
    }),
    inOrders: decimalSchema.meta({
      description:
        'What orders under way had locked: the USDC of purchases, the tokens of sales at the ' +
        'prices that `positions` has.',
    }),
    total: decimalSchema.nullable().meta({ description: 'All together; null without cash.' }),
    profit: signedDecimalSchema.meta({
      description:
        'USDC made or lost by then with what was bought here, fees included: taken by selling and ' +
        'redeeming, and open at the same prices. Deposits, withdrawals and tokens that were sent ' +
        'change nothing of it.',
    }),
    unpriced: z.int().min(0).meta({
      description: 'Positions that are in no sum, as no bid for them was recorded by then.',
    }),
  })
  .meta({
    id: 'PortfolioPoint',
    description: 'What was held at a moment.',
  });

export const portfolioHistorySchema = z
  .object({
    address: addressSchema,
    range: portfolioHistoryRangeSchema,
    points: z.array(portfolioPointSchema).meta({
      description: 'At most 200, oldest first, the last one for now; none where nothing is known.',
    }),
  })
  .meta({ id: 'PortfolioHistory' });

export type PortfolioHistoryRange = z.infer<typeof portfolioHistoryRangeSchema>;
export type PortfolioHistoryQuery = z.output<typeof portfolioHistoryQuerySchema>;
export type PortfolioPoint = z.infer<typeof portfolioPointSchema>;
export type PortfolioHistory = z.infer<typeof portfolioHistorySchema>;
