import { z } from 'zod';
import {
  addressSchema,
  chainIdSchema,
  clientIdSchema,
  cursorSchema,
  decimalSchema,
  hexSchema,
  pageFields,
  timestampSchema,
  transactionHashSchema,
} from './common.ts';
import {
  limitOrderActionSchema,
  limitOrderRecordFields,
  limitOrderRequestSchema,
} from './limitOrder.ts';
import { orderTypedDataSchema, signedOrderSchema } from './signedOrder.ts';
import { orderDirectionSchema, tokenReferenceSchema } from './tokenReference.ts';
import { findTriggerContradiction, triggerFields, triggerRecordSchema } from './trigger.ts';
import { withdrawalActionSchema } from './withdraw.ts';

const orderFields = {
  quoteToken: tokenReferenceSchema,
  baseToken: tokenReferenceSchema,
  orderType: orderDirectionSchema,
  baseQuantity: decimalSchema.meta({
    description: 'How many contracts, in steps of 0.01.',
    example: '10',
  }),
  minQuoteQuantityOut: decimalSchema.optional().meta({
    description: 'SELL: the least USDC to receive, after fees. Required for SELL.',
    example: '4.5',
  }),
  maxQuoteQuantityIn: decimalSchema.optional().meta({
    description: 'BUY: the most USDC to spend, fees included. Required for BUY.',
    example: '6.2',
  }),
  sizedBy: z
    .enum(['baseQuantity', 'maxQuoteQuantityIn'])
    .optional()
    .meta({
      description:
        'What the order is counted in; baseQuantity when left out. maxQuoteQuantityIn (BUY only) ' +
        'spends that amount, fees included and never more, as far as the book gives: the fill ' +
        'decides the number of contracts. baseQuantity is then what the whole amount buys at the ' +
        'worst price to accept, maxQuoteQuantityIn / baseQuantity.',
      example: 'baseQuantity',
    }),
  ...triggerFields,
  expiresAt: timestampSchema.optional().meta({
    description:
      'With triggerPrice: until when the order waits for its price, a minute to 89 days ahead; ' +
      '90 days at most when left out.',
  }),
};

export const marketOrderSchema = z.strictObject(orderFields).meta({ id: 'MarketOrder' });

export const orderRequestSchema = z
  .strictObject({
    orderType: z.literal('MarketOrder'),
    order: marketOrderSchema,
    chainId: chainIdSchema,
    clientId: clientIdSchema.optional(),
    includeTokenTransfer: z
      .boolean()
      .default(true)
      .meta({
        description:
          'Whether the batch includes an approval of exactly its input. With ' +
          'false an allowance must already exist.',
      }),
    userAddress: addressSchema.meta({
      description: 'The trader: the owner wallet, or the smart account itself.',
    }),
    receiverAddress: addressSchema.optional().meta({
      description: 'Who receives the tokens; the smart account when left out.',
    }),
    signed: signedOrderSchema.optional(),
  })
  .superRefine((request, context) => {
    const needed = request.order.orderType === 'BUY' ? 'maxQuoteQuantityIn' : 'minQuoteQuantityOut';
    if (request.order[needed] === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['order', needed],
        message: `is required for ${request.order.orderType}`,
      });
    }
    if (request.order.orderType === 'SELL' && request.order.sizedBy === 'maxQuoteQuantityIn') {
      context.addIssue({
        code: 'custom',
        path: ['order', 'sizedBy'],
        message: 'must be baseQuantity for SELL',
      });
    }
    const { triggerPrice, expiresAt } = request.order;
    if (triggerPrice === undefined && expiresAt !== undefined) {
      const message = 'is for orders with a triggerPrice only';
      context.addIssue({ code: 'custom', path: ['order', 'expiresAt'], message });
    }
    const found = findTriggerContradiction(request.order);
    if (found) {
      const { field, message } = found;
      context.addIssue({ code: 'custom', path: ['order', field], message });
    }
  })
  .meta({ id: 'OrderRequest' });

/** What the paths that take orders accept. */
export const anyOrderRequestSchema = z
  .discriminatedUnion('orderType', [orderRequestSchema, limitOrderRequestSchema])
  .meta({ id: 'AnyOrderRequest' });

export const orderToSignSchema = z
  .object({
    typedData: orderTypedDataSchema.nullable().meta({
      description:
        'Null if nothing is to be signed: no session key is named, or it is a redemption.',
    }),
    clientId: clientIdSchema.meta({
      description: 'What the signed order belongs to; send it too.',
    }),
    preparedAt: timestampSchema,
  })
  .meta({ id: 'OrderToSign' });

export const orderActionSchema = z
  .object({
    orderType: z.literal('MarketOrder'),
    order: z.object(orderFields).meta({ id: 'MarketOrderAnswer' }),
    chainId: chainIdSchema,
  })
  .meta({ id: 'OrderAction' });

export const intentActionSchema = z
  .discriminatedUnion('orderType', [
    orderActionSchema,
    limitOrderActionSchema,
    withdrawalActionSchema,
  ])
  .meta({ id: 'IntentAction' });

const intentFields = {
  id: z.uuid().meta({ description: 'Intent id, also called order id.' }),
  clientId: z.string().meta({ example: 'order-2026-11-21-0001' }),
  createdAt: timestampSchema,
};

export const orderIntentSchema = z
  .object({
    ...intentFields,
    action: z.discriminatedUnion('orderType', [orderActionSchema, limitOrderActionSchema]),
  })
  .meta({ id: 'OrderIntent' });

export const withdrawalIntentSchema = z
  .object({ ...intentFields, action: withdrawalActionSchema })
  .meta({ id: 'WithdrawalIntent' });

export const orderStatusSchema = z
  .enum(['pending', 'validated', 'executing', 'completed', 'failed'])
  .meta({
    id: 'OrderStatus',
    description:
      'pending: stored. validated: the funds are locked on chain. executing: at the exchange or ' +
      'being delivered. completed: delivered. failed: ended, and all funds returned.',
    example: 'completed',
  });

export const orderSourceSchema = z.enum(['api', 'calldata']);

export const orderEventSchema = z
  .object({
    type: z.string().meta({ example: 'validated' }),
    at: timestampSchema,
    detail: z.string().optional(),
    transactionHash: transactionHashSchema.optional(),
    baseQuantity: decimalSchema.optional().meta({
      description: 'Contracts of this delivery, of a partially filled order.',
    }),
    quoteAmount: decimalSchema.optional().meta({
      description: 'USDC charged or paid out for them, fee included.',
    }),
    feeQuoteAmount: decimalSchema.optional().meta({ description: 'The fee within quoteAmount.' }),
  })
  .meta({ id: 'OrderEvent', description: 'One entry of the order’s log, oldest first.' });

const amount = decimalSchema.nullable();

export const orderRecordSchema = z
  .object({
    ...intentFields,
    action: intentActionSchema,
    status: orderStatusSchema,
    balanceValidatedAt: timestampSchema.nullable(),
    txnFilledAt: timestampSchema.nullable(),
    transactionHash: transactionHashSchema.nullable(),
    isComplete: z.boolean().meta({ description: 'True once the order is final.' }),
    terminationReason: z.string().nullable().meta({ description: 'Why it failed, else null.' }),
    source: orderSourceSchema.meta({
      description: 'Executed by the service, or sent on chain by the user’s own wallet.',
    }),
    isRedemption: z.boolean().meta({
      description: 'A SELL in a settled market: the vault pays for it, nothing is traded.',
    }),
    accountAddress: addressSchema.meta({ description: 'The account whose tokens move.' }),
    userAddress: addressSchema.meta({ description: 'The address given in the request.' }),
    receiverAddress: addressSchema,
    filledBaseQuantity: amount.meta({ description: 'Contracts bought or sold.' }),
    quoteAmount: amount.meta({
      description: 'USDC charged for a BUY or paid out for a SELL, fees included.',
    }),
    feeQuoteAmount: amount.meta({ description: 'The fee within quoteAmount, in USDC.' }),
    returnedQuoteAmount: amount.meta({ description: 'USDC sent back to the account.' }),
    returnedBaseQuantity: amount.meta({ description: 'Contracts sent back to the account.' }),
    expiresAt: timestampSchema.nullable().meta({
      description: 'After this time anyone can return the locked funds on chain.',
    }),
    updatedAt: timestampSchema,
    ...limitOrderRecordFields,
    trigger: triggerRecordSchema.nullable().meta({
      description: 'Of a stop order: the price that it waits for, or has waited for.',
    }),
  })
  .meta({ id: 'OrderRecord' });

export const orderRecordWithEventsSchema = orderRecordSchema
  .extend({ events: z.array(orderEventSchema) })
  .meta({ id: 'OrderRecordWithEvents' });

export const orderCreatedSchema = z
  .object({ success: z.boolean(), intent: orderIntentSchema })
  .meta({ id: 'OrderCreated' });

export const withdrawalCreatedSchema = z
  .object({ success: z.boolean(), intent: withdrawalIntentSchema })
  .meta({ id: 'WithdrawalCreated' });

export const orderCancelledSchema = z
  .object({ success: z.boolean(), order: orderRecordWithEventsSchema })
  .meta({ id: 'OrderCancelled' });

export const ordersCancelledSchema = z
  .object({
    success: z.boolean(),
    /** Those that were asked to end now; their records show when they have. */
    ids: z.array(z.uuid()),
  })
  .meta({ id: 'OrdersCancelled' });

export const orderAmendedSchema = z
  .object({ success: z.boolean(), order: orderRecordWithEventsSchema })
  .meta({ id: 'OrderAmended' });

export const redeemRequestSchema = z
  .strictObject({
    userAddress: addressSchema.meta({
      description: 'The owner wallet, or the smart account itself.',
    }),
    chainId: chainIdSchema,
  })
  .meta({ id: 'RedeemRequest' });

export const ordersCreatedSchema = z
  .object({ success: z.boolean(), intents: z.array(orderIntentSchema) })
  .meta({ id: 'OrdersCreated' });

export const calldataTransactionSchema = z
  .object({
    to: addressSchema,
    value: z.string().meta({ description: 'Wei, decimal.', example: '0' }),
    data: hexSchema,
  })
  .meta({ id: 'CalldataTransaction' });

export const calldataResultSchema = z
  .object({
    success: z.boolean(),
    transactions: z.array(calldataTransactionSchema),
    description: z
      .string()
      .meta({ example: 'Buy 10 Yes of KXRAIN-26DEC01-SF for at most 6.2 USDC' }),
    // Id or client id of the order to follow once the batch is sent.
    intent: orderIntentSchema,
  })
  .meta({ id: 'CalldataResult' });

export const orderListQuerySchema = z.strictObject({
  userAddress: addressSchema.optional().meta({ description: 'Only orders of this wallet.' }),
  status: orderStatusSchema.optional(),
  type: z.enum(['order', 'withdrawal', 'all']).default('order').meta({
    description: 'Orders, withdrawals, or both.',
  }),
  ...pageFields(1000, 50),
});

export const orderOwnerQuerySchema = z.strictObject({
  userAddress: addressSchema.optional().meta({
    description: 'The wallet or smart account that owns the order.',
  }),
});

export const orderListSchema = z
  .object({ orders: z.array(orderRecordSchema), cursor: cursorSchema })
  .meta({ id: 'OrderList' });

/** The request as a caller sends it: fields with defaults are optional. */
export type OrderRequestInput = z.input<typeof orderRequestSchema>;
/** The request with all defaults filled in. */
export type OrderRequest = z.output<typeof orderRequestSchema>;
/** A request of either order type, as a caller sends it. */
export type AnyOrderRequestInput = z.input<typeof anyOrderRequestSchema>;
/** The same with all defaults filled in. */
export type AnyOrderRequest = z.output<typeof anyOrderRequestSchema>;
export type OrderToSign = z.infer<typeof orderToSignSchema>;
export type OrderAction = z.infer<typeof orderActionSchema>;
export type IntentAction = z.infer<typeof intentActionSchema>;
export type OrderIntent = z.infer<typeof orderIntentSchema>;
export type WithdrawalIntent = z.infer<typeof withdrawalIntentSchema>;
export type OrderEvent = z.infer<typeof orderEventSchema>;
export type OrderRecord = z.infer<typeof orderRecordSchema>;
export type OrderRecordWithEvents = z.infer<typeof orderRecordWithEventsSchema>;
export type RedeemRequest = z.infer<typeof redeemRequestSchema>;
export type OrdersCreated = z.infer<typeof ordersCreatedSchema>;
export type OrderCreated = z.infer<typeof orderCreatedSchema>;
export type OrdersCancelled = z.infer<typeof ordersCancelledSchema>;
export type OrderAmended = z.infer<typeof orderAmendedSchema>;
export type OrderCancelled = z.infer<typeof orderCancelledSchema>;
export type WithdrawalCreated = z.infer<typeof withdrawalCreatedSchema>;
export type CalldataTransaction = z.infer<typeof calldataTransactionSchema>;
export type CalldataResult = z.infer<typeof calldataResultSchema>;
export type OrderListQuery = z.output<typeof orderListQuerySchema>;
export type OrderList = z.infer<typeof orderListSchema>;
