import { z } from 'zod';
import {
  addressSchema,
  cursorSchema,
  decimalSchema,
  marketTickerSchema,
  outcomeSideSchema,
  pageFields,
  signedDecimalSchema,
  timestampSchema,
  transactionHashSchema,
} from './common.ts';
import { orderSourceSchema, orderStatusSchema } from './order.ts';
import { triggerRecordSchema } from './trigger.ts';

export const activityKindSchema = z
  .enum(['deposit', 'withdrawal', 'buy', 'sell', 'redeem', 'merge', 'transfer_in', 'transfer_out'])
  .meta({
    id: 'ActivityKind',
    description:
      'deposit, withdrawal: USDC came or left, or tokens left by a withdrawal. buy, sell, redeem: ' +
      'trades and payouts. merge: pairs of Yes and No became dollars; `contracts` of each side, and ' +
      'no `side`. transfer_in, transfer_out: outcome tokens came or left otherwise.',
    example: 'buy',
  });

export const activityStateSchema = z.enum(['under_way', 'completed', 'failed']).meta({
  id: 'ActivityState',
  description:
    'completed: done; everything read from the chain is completed. failed: it failed or was ' +
    'cancelled. under_way: an order or a withdrawal in progress.',
  example: 'completed',
});

export const activityQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The owner wallet, or the smart account itself.' }),
  type: activityKindSchema.optional().meta({ description: 'Only entries of this kind.' }),
  status: activityStateSchema.optional().meta({ description: 'Only entries with this status.' }),
  marketId: marketTickerSchema.optional().meta({ description: 'Only entries of this market.' }),
  from: timestampSchema.optional().meta({ description: 'Only entries since this time.' }),
  to: timestampSchema.optional().meta({ description: 'Only entries before this time.' }),
  ...pageFields(500, 50),
});

export const activityItemSchema = z
  .object({
    id: z.uuid(),
    kind: activityKindSchema,
    at: timestampSchema.meta({
      description:
        'The block’s time; for an intent that is under way or failed, when ' + 'it was created.',
    }),
    orderId: z.uuid().nullable().meta({
      description: 'The order or withdrawal behind it, if it is visible to you.',
    }),
    marketId: marketTickerSchema.nullable(),
    side: outcomeSideSchema.nullable(),
    contracts: decimalSchema.nullable().meta({
      description: 'Outcome tokens moved; the requested quantity until it completes.',
    }),
    usdc: signedDecimalSchema.nullable().meta({
      description:
        'USDC received, negative for USDC sent, fees included; null for a trade that is not ' +
        'completed and where no USDC moved.',
    }),
    fee: decimalSchema.nullable().meta({
      description:
        'The part of `usdc` that is the fee, of a completed trade that is visible to you.',
    }),
    transactionHash: transactionHashSchema.nullable().meta({
      description:
        'Null until there is one, and for the deposit that represents the balance when ' +
        'the service first saw the account.',
    }),
    status: orderStatusSchema,
    source: orderSourceSchema.nullable().meta({
      description:
        'For an intent that is under way or failed: executed by the service, or sent on chain by ' +
        'the user’s own wallet.',
    }),
    terminationReason: z.string().nullable().meta({ description: 'Why it failed, else null.' }),
    trigger: triggerRecordSchema.nullable().meta({
      description:
        'For a stop order that is under way: the price that it waits for, or has waited for.',
    }),
    limitPrice: decimalSchema.nullable().meta({
      description: 'For a limit order that is under way: per contract, before fees.',
    }),
    restingSince: timestampSchema.nullable().meta({
      description: 'For an order that is under way: since when it rests at the exchange.',
    }),
    replacedBy: z.uuid().nullable().meta({
      description: 'For an order that is not completed: the order that takes its place.',
    }),
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
