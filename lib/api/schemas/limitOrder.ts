import { z } from 'zod';
import {
  addressSchema,
  chainIdSchema,
  clientIdSchema,
  decimalSchema,
  marketTickerSchema,
  timestampSchema,
} from './common.ts';
import { signedOrderSchema } from './signedOrder.ts';
import { orderDirectionSchema, tokenReferenceSchema } from './tokenReference.ts';
import { findTriggerContradiction, triggerFields } from './trigger.ts';

export const timeInForceSchema = z.enum(['GTC', 'GTD', 'IOC', 'FOK']).meta({
  id: 'TimeInForce',
  description:
    'GTC rests until it is filled or cancelled, 90 days at most. GTD rests until `expiresAt`. ' +
    'IOC takes what the book gives now and ends. FOK does the same for the whole quantity, or not at all.',
  example: 'GTC',
});

const limitOrderFields = {
  quoteToken: tokenReferenceSchema,
  baseToken: tokenReferenceSchema,
  orderType: orderDirectionSchema,
  baseQuantity: decimalSchema.optional().meta({
    description:
      'How many contracts, in steps of 0.01. Required unless maxQuoteQuantityIn is given.',
    example: '10',
  }),
  maxQuoteQuantityIn: decimalSchema.optional().meta({
    description:
      'BUY, in place of baseQuantity: the most USDC to lock. The quantity is what it buys at ' +
      'limitPrice with the highest fee.',
    example: '6.2',
  }),
  limitPrice: decimalSchema.meta({
    description:
      'The worst price per contract, in dollars, before fees: the highest of a BUY, the lowest of ' +
      'a SELL. On the grid of the market’s ticks.',
    example: '0.55',
  }),
  timeInForce: timeInForceSchema.default('GTC'),
  expiresAt: timestampSchema.optional().meta({
    description: 'GTD: when the order leaves the book. A minute to 89 days ahead.',
  }),
  postOnly: z.boolean().default(false).meta({
    description: 'Ends the order unfilled if it would match on arrival. GTC and GTD only.',
  }),
  reduceOnly: z
    .boolean()
    .default(false)
    .meta({
      description:
        'SELL of tokens that the account holds, or BUY of at most as many contracts as it holds of ' +
        'the other side. Ends when the account holds fewer.',
    }),
  ...triggerFields,
};

type Terms = {
  orderType: 'BUY' | 'SELL';
  baseQuantity?: string | undefined;
  maxQuoteQuantityIn?: string | undefined;
  timeInForce: z.infer<typeof timeInForceSchema>;
  expiresAt?: string | undefined;
  postOnly: boolean;
};

/** The field that contradicts the others, with what it must be; undefined when none does. */
function findContradiction(order: Terms): { field: keyof Terms; message: string } | undefined {
  const { orderType, baseQuantity, maxQuoteQuantityIn, timeInForce, expiresAt, postOnly } = order;
  if (orderType === 'SELL' && maxQuoteQuantityIn !== undefined) {
    return { field: 'maxQuoteQuantityIn', message: 'is for BUY only' };
  }
  if (baseQuantity === undefined && maxQuoteQuantityIn === undefined) {
    return { field: 'baseQuantity', message: 'is required' };
  }
  if (baseQuantity !== undefined && maxQuoteQuantityIn !== undefined) {
    return { field: 'maxQuoteQuantityIn', message: 'replaces baseQuantity; give one of them' };
  }
  if (timeInForce === 'GTD' && expiresAt === undefined) {
    return { field: 'expiresAt', message: 'is required for GTD' };
  }
  if (timeInForce !== 'GTD' && expiresAt !== undefined) {
    return { field: 'expiresAt', message: 'is for GTD only' };
  }
  const isImmediate = timeInForce === 'IOC' || timeInForce === 'FOK';
  return isImmediate && postOnly
    ? { field: 'postOnly', message: 'must be false: an IOC or FOK order never rests' }
    : undefined;
}

const limitOrderSchema = z.strictObject(limitOrderFields).meta({ id: 'LimitOrder' });

export const limitOrderRequestSchema = z
  .strictObject({
    orderType: z.literal('LimitOrder'),
    order: limitOrderSchema,
    chainId: chainIdSchema,
    clientId: clientIdSchema.optional(),
    includeTokenTransfer: z.boolean().default(true).meta({
      description: 'As for a MarketOrder: whether a calldata batch includes the approval.',
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
    const found = findContradiction(request.order) ?? findTriggerContradiction(request.order);
    if (!found) return;
    const { field, message } = found;
    context.addIssue({ code: 'custom', path: ['order', field], message });
  })
  .meta({ id: 'LimitOrderRequest' });

export const limitOrderActionSchema = z
  .object({
    orderType: z.literal('LimitOrder'),
    order: z
      .object({
        ...limitOrderFields,
        baseQuantity: decimalSchema.meta({
          description: 'How many contracts; counted by the service where an amount was given.',
          example: '10',
        }),
        maxQuoteQuantityIn: decimalSchema.optional().meta({
          description: 'BUY: what the vault locks, the most the order can cost with fees.',
          example: '5.68',
        }),
        minQuoteQuantityOut: decimalSchema.optional().meta({
          description: 'SELL: the least that the whole order brings after fees.',
          example: '5.32',
        }),
      })
      .meta({ id: 'LimitOrderAnswer' }),
    chainId: chainIdSchema,
  })
  .meta({ id: 'LimitOrderAction' });

export const amendOrderRequestSchema = z
  .strictObject({
    limitPrice: decimalSchema.optional().meta({
      description: 'The new price, on the grid.',
      example: '0.54',
    }),
    baseQuantity: decimalSchema.optional().meta({
      description: 'The new size, filled contracts included: more than is filled.',
      example: '8',
    }),
    triggerPrice: decimalSchema.optional().meta({
      description: 'The new price that a stop order waits for, before it is reached.',
      example: '0.4',
    }),
    clientId: clientIdSchema.optional().meta({
      description: 'With `signed`: as POST /v1/order/{id}/typed-data returned it.',
    }),
    signed: signedOrderSchema.optional(),
  })
  .refine(
    ({ limitPrice, baseQuantity, triggerPrice }) =>
      [limitPrice, baseQuantity, triggerPrice].some((value) => value !== undefined),
    'must change limitPrice, baseQuantity or triggerPrice',
  )
  .meta({ id: 'AmendOrderRequest' });

export const cancelOrdersRequestSchema = z
  .strictObject({
    ticker: marketTickerSchema.optional().meta({ description: 'Only orders of this market.' }),
  })
  .meta({ id: 'CancelOrdersRequest' });

/** The terms of a limit order that its record shows beside those of every order; null otherwise. */
export const limitOrderRecordFields = {
  limitPrice: decimalSchema.nullable().meta({
    description: 'LimitOrder: the current price limit per contract; follows amendments.',
  }),
  timeInForce: timeInForceSchema.nullable(),
  postOnly: z.boolean().nullable(),
  reduceOnly: z.boolean().nullable(),
  restsUntil: timestampSchema.nullable().meta({
    description: 'When a resting order leaves the book, or a stop order stops waiting, by itself.',
  }),
  restingSince: timestampSchema.nullable().meta({
    description: 'When the exchange accepted the resting order.',
  }),
  remainingBaseQuantity: decimalSchema.nullable().meta({
    description:
      'Contracts that a limit order still wants: its size less what is filled; 0 once it has ended.',
  }),
  averagePrice: decimalSchema.nullable().meta({
    description:
      'USDC per contract filled so far, fees included, to six decimals; null before a fill.',
  }),
  deliveredBaseQuantity: decimalSchema.nullable().meta({
    description: 'Contracts of a resting order that have been delivered on chain so far.',
  }),
  deliveredQuoteAmount: decimalSchema.nullable().meta({
    description: 'USDC charged or paid out on chain for them, fees included.',
  }),
  queueAhead: decimalSchema.nullable().meta({
    description: 'Contracts ahead in the queue of its price, as last read from the exchange.',
  }),
  endReason: z
    .string()
    .nullable()
    .meta({
      description:
        'Why a resting order leaves or left the book: filled, cancelled, expired, market_closed, …; ' +
        'null while it rests.',
    }),
  replacedBy: z
    .uuid()
    .nullable()
    .meta({
      description:
        'The order that takes its place, after an amendment beyond what was locked for it. It exists ' +
        'once this one has ended.',
    }),
};

export type TimeInForce = z.infer<typeof timeInForceSchema>;
/** The request with all defaults filled in. */
export type LimitOrderRequest = z.output<typeof limitOrderRequestSchema>;
export type LimitOrderRequestInput = z.input<typeof limitOrderRequestSchema>;
export type AmendOrderRequest = z.infer<typeof amendOrderRequestSchema>;
export type CancelOrdersRequest = z.infer<typeof cancelOrdersRequestSchema>;
