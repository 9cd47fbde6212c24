import { z } from 'zod';
import { addressSchema, chainIdSchema, timestampSchema } from './common.ts';
import { orderStatusSchema } from './order.ts';

/** Parameters of the CSV exports. An export streams every match; there are no pages. */

const period = {
  from: timestampSchema.optional().meta({ description: 'Only entries created since this time.' }),
  to: timestampSchema.optional().meta({ description: 'Only entries created before this time.' }),
};

export const orderExportQuerySchema = z.strictObject({
  userAddress: addressSchema.optional().meta({ description: 'Only orders of this wallet.' }),
  status: orderStatusSchema.optional(),
  type: z.enum(['order', 'withdrawal', 'all']).default('all').meta({
    description: 'Orders, withdrawals, or both.',
  }),
  ...period,
});

export const activityExportQuerySchema = z.strictObject({
  userAddress: addressSchema.optional().meta({ description: 'Only activity of this wallet.' }),
  ...period,
});

export const portfolioExportQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The owner wallet, or the smart account itself.' }),
  chainId: z.coerce.number().pipe(chainIdSchema).default(8453).meta({ description: 'Chain id.' }),
});
