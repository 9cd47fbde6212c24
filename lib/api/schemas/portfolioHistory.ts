import { z } from 'zod';
import { addressSchema, decimalSchema, signedDecimalSchema, timestampSchema } from './common.ts';

export const portfolioHistoryRangeSchema = z
  .enum(['1d', '1w', '1m', 'all'])
  .meta({ id: 'PortfolioHistoryRange', example: '1w' });

export const portfolioHistoryQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The owner wallet, or the smart account itself.' }),
  range: portfolioHistoryRangeSchema.default('1w').meta({ description: 'How far back to go.' }),
});

export const portfolioPointSchema = z
  .object({
    at: timestampSchema,
    cash: decimalSchema.nullable().meta({
      description: 'USDC of the smart account; null before the service first saw it.',
    }),
    positions: decimalSchema.meta({
      description:
        'Value of the outcome tokens: at the last recorded bid, or at the payout once the ' +
        'market was settled. For an owner, includes those of the smart account.',
    }),
    inOrders: decimalSchema.meta({
      description:
        'Value locked in open orders: the USDC of purchases, the tokens of sales at the ' +
        'prices used for `positions`.',
    }),
    total: decimalSchema.nullable().meta({ description: 'Total value; null if `cash` is null.' }),
    profit: signedDecimalSchema.meta({
      description:
        'P&L in USDC on what was bought here, fees included: realized by selling and ' +
        'redeeming, and unrealized at the same prices. Deposits, withdrawals and transfers of tokens ' +
        'do not change it.',
    }),
    unpriced: z.int().min(0).meta({
      description: 'Positions not included in any sum because they had no recorded bid.',
    }),
  })
  .meta({
    id: 'PortfolioPoint',
    description: 'Account value at a point in time.',
  });

export const portfolioHistorySchema = z
  .object({
    address: addressSchema,
    range: portfolioHistoryRangeSchema,
    points: z.array(portfolioPointSchema).meta({
      description: 'At most 200, oldest first, ending now; empty if nothing is recorded.',
    }),
  })
  .meta({ id: 'PortfolioHistory' });

export type PortfolioHistoryRange = z.infer<typeof portfolioHistoryRangeSchema>;
export type PortfolioHistoryQuery = z.output<typeof portfolioHistoryQuerySchema>;
export type PortfolioPoint = z.infer<typeof portfolioPointSchema>;
export type PortfolioHistory = z.infer<typeof portfolioHistorySchema>;
