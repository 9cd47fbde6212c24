import { z } from 'zod';
import {
  addressSchema,
  cursorSchema,
  decimalSchema,
  marketTickerSchema,
  outcomeSideSchema,
  signedDecimalSchema,
  timestampSchema,
  transactionHashSchema,
} from './common.ts';
import { orderSourceSchema, orderStatusSchema } from './order.ts';

export const activityKindSchema = z
  .enum(['deposit', 'withdrawal', 'buy', 'sell', 'redeem', 'transfer_in', 'transfer_out'])
  .meta({
    id: 'ActivityKind',
    description:
      'deposit, withdrawal: USDC came or left, or tokens left by a withdrawal. buy, sell, redeem: ' +
      'trades and payouts. transfer_in, transfer_out: outcome tokens came or left otherwise.',
    example: 'buy',
  });

export const activityStateSchema = z.enum(['under_way', 'completed', 'failed']).meta({
  id: 'ActivityState',
  description:
    'completed: it is done, as all that the chain shows. failed: it was not carried out or was ' +
    'cancelled. under_way: an order or a withdrawal that is not over yet.',
  example: 'completed',
});

export const activityQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The owner wallet, or the smart account itself.' }),
  type: activityKindSchema.optional().meta({ description: 'Only this kind.' }),
  status: activityStateSchema.optional().meta({ description: 'Only what is so far.' }),
  marketId: marketTickerSchema.optional().meta({ description: 'Only in this market.' }),
  from: timestampSchema.optional().meta({ description: 'Only what happened since.' }),
  to: timestampSchema.optional().meta({ description: 'Only what happened before.' }),
  limit: z.coerce.number().int().min(1).max(500).default(50).meta({ description: 'Page size.' }),
  cursor: cursorSchema.optional(),
});

export const activityItemSchema = z
  .object({
    id: z.uuid(),
    kind: activityKindSchema,
    at: timestampSchema.meta({
      description:
        'The time of the block where it happened; for an intent that is under way or failed, when ' +
        'it was created.',
    }),
    orderId: z.uuid().nullable().meta({
      description: 'The order or withdrawal behind it, where you may see it.',
    }),
    marketId: marketTickerSchema.nullable(),
    side: outcomeSideSchema.nullable(),
    contracts: decimalSchema.nullable().meta({
      description: 'Outcome tokens moved; what was asked for until it is completed.',
    }),
    usdc: signedDecimalSchema.nullable().meta({
      description:
        'USDC that came, negative for what left, fees included; null for a trade that is not ' +
        'completed and where none moved.',
    }),
    transactionHash: transactionHashSchema.nullable().meta({
      description:
        'Null before there is one, and for the deposit that stands for what the account held when ' +
        'the service first met it.',
    }),
    status: orderStatusSchema,
    source: orderSourceSchema.nullable().meta({
      description:
        'Of an intent that is under way or failed: executed by the service, or sent on chain by ' +
        'the user’s own wallet.',
    }),
    terminationReason: z.string().nullable().meta({ description: 'Why it failed, else null.' }),
  })
  .meta({ id: 'ActivityItem' });

export const activityListSchema = z
  .object({
    items: z.array(activityItemSchema).meta({ description: 'Newest first.' }),
    cursor: cursorSchema,
  })
  .meta({ id: 'ActivityList' });

export type ActivityKind = z.infer<typeof activityKindSchema>;
export type ActivityItem = z.infer<typeof activityItemSchema>;
export type ActivityList = z.infer<typeof activityListSchema>;
export type ActivityQuery = z.output<typeof activityQuerySchema>;
