import { z } from 'zod';
import { addressSchema, decimalSchema, dollarsSchema, timestampSchema } from './common.ts';
import { anyOrderRequestSchema, orderSourceSchema } from './order.ts';
import { fieldProblemSchema } from './problem.ts';

/** Orders of one request. */
export const MOST_PREVIEWS = 20;

export const orderPreviewRequestSchema = z
  .union([anyOrderRequestSchema, z.array(anyOrderRequestSchema).min(1).max(MOST_PREVIEWS)])
  .meta({
    id: 'OrderPreviewRequest',
    description: `An order as POST /v1/order takes it, or a list of up to ${MOST_PREVIEWS}.`,
  });

export const orderPreviewQuerySchema = z.strictObject({
  source: orderSourceSchema.optional().meta({
    description:
      'Who sends the order: the service (`api`, POST /v1/order) or the user’s own wallet ' +
      '(`calldata`, POST /v1/order/calldata). With a bearer token `api` when left out, else ' +
      '`calldata`.',
  }),
});

export const orderBlockerSchema = z
  .object({
    code: z.string().meta({
      description:
        'Error code if `outcome` is `refused`, else termination reason, or an error code that ' +
        'names what the transaction lacks.',
      example: 'insufficient_funds',
    }),
    outcome: z.enum(['refused', 'reverts', 'ends']).meta({
      description:
        'refused: the request is answered with this error. reverts: the transaction of the ' +
        'user’s own wallet fails. ends: the order is accepted and ends with this ' +
        'terminationReason, its funds returned.',
    }),
    detail: z.string().meta({ example: 'Insufficient balance. No funds moved.' }),
    errors: z.array(fieldProblemSchema),
    retryAfterSeconds: z.number().optional(),
  })
  .meta({ id: 'OrderBlocker', description: 'One reason why the order is not carried out now.' });

const amount = decimalSchema.nullable();

export const orderEstimateSchema = z
  .object({
    fillable: z.boolean().meta({
      description: 'Whether the book fills the whole order within its price limit now.',
    }),
    filledBaseQuantity: decimalSchema.meta({ description: 'Contracts bought or sold.' }),
    quoteAmount: decimalSchema.meta({
      description: 'USDC charged for a BUY or paid out for a SELL, fees included.',
    }),
    feeQuoteAmount: decimalSchema.meta({ description: 'The fee within quoteAmount, in USDC.' }),
    returnedQuoteAmount: decimalSchema.meta({ description: 'USDC that would come back at once.' }),
    returnedBaseQuantity: decimalSchema.meta({
      description: 'Contracts that would come back at once.',
    }),
    averagePriceDollars: dollarsSchema.nullable().meta({
      description: 'Per contract before fees; null if nothing is filled.',
    }),
    limitPriceDollars: dollarsSchema.nullable().meta({
      description: 'The worst price of one contract that the order takes; null for a redemption.',
    }),
    remainingBaseQuantity: amount.meta({
      description: 'LimitOrder: contracts that would rest in the book; null if none would.',
    }),
    queueAhead: amount.meta({
      description:
        'Contracts that rest at the limit price or a better one already; null with ' +
        'remainingBaseQuantity.',
    }),
    restsUntil: timestampSchema.nullable().meta({
      description: 'When they leave the book by themselves; null with remainingBaseQuantity.',
    }),
    asOf: timestampSchema.meta({ description: 'The time of the book.' }),
  })
  .meta({
    id: 'OrderEstimate',
    description: 'What the order would do at the current book, in the fields of its record.',
  });

export const orderFundingSchema = z
  .object({
    accountAddress: addressSchema.meta({ description: 'The account whose funds the order uses.' }),
    receiverAddress: addressSchema,
    lockedQuoteAmount: amount.meta({
      description:
        'USDC that the vault locks: the most that a BUY can be charged. Null for a SELL.',
    }),
    lockedBaseQuantity: amount.meta({
      description: 'Contracts that the vault locks, or redeems. Null for a BUY.',
    }),
    leastQuoteAmount: amount.meta({
      description: 'The least USDC that a SELL brings if it is filled whole. Null for a BUY.',
    }),
    highestFeeQuoteAmount: amount.meta({
      description:
        'LimitOrder: the highest fee of the whole order, before the exchange rounds the fee of ' +
        'each fill. Null for a MarketOrder.',
    }),
  })
  .meta({ id: 'OrderFunding', description: 'Which funds the order moves, and where to.' });

export const orderSigningSchema = z
  .object({
    grant: z.enum(['not_needed', 'in_force', 'to_sign']).meta({
      description:
        'to_sign: the owner must sign a grant first (GET /v1/account/grant), with at least the ' +
        'limits below.',
    }),
    leastMaxPerOrder: amount.meta({
      description: 'The least maxPerOrder of a grant for this order; null if none is needed.',
    }),
    leastMaxPerDay: amount.meta({
      description: 'The least maxPerDay, including what was used today; null if none is needed.',
    }),
    transactions: z.int().meta({
      description:
        'Transactions that the user’s own wallet sends; 0 if the service sends the order.',
    }),
    approvedQuoteAmount: amount.meta({
      description: 'USDC that these transactions approve for the vault; null without an approval.',
    }),
  })
  .meta({ id: 'OrderSigning', description: 'What is signed and sent, and by whom.' });

export const orderPreviewSchema = z
  .object({
    source: orderSourceSchema,
    placeable: z.boolean().meta({ description: 'True if nothing blocks the order now.' }),
    blockers: z.array(orderBlockerSchema).meta({
      description: 'Every blocker, in the order in which the order would meet them.',
    }),
    estimate: orderEstimateSchema.nullable().meta({
      description: 'Null while quantity, limit or market allow no price, and for stop orders.',
    }),
    funding: orderFundingSchema.nullable().meta({
      description: 'Null if quantity, limit or token are not valid.',
    }),
    signing: orderSigningSchema.nullable().meta({ description: 'Null with funding.' }),
  })
  .meta({ id: 'OrderPreview' });

export const orderPreviewsSchema = z
  .object({
    previews: z.array(orderPreviewSchema).meta({
      description: 'One for each order of the request, in its order, each as if it were alone.',
    }),
  })
  .meta({ id: 'OrderPreviews' });

export type OrderPreviewRequestInput = z.input<typeof orderPreviewRequestSchema>;
export type OrderPreviewQuery = z.output<typeof orderPreviewQuerySchema>;
export type OrderBlocker = z.infer<typeof orderBlockerSchema>;
export type OrderPreview = z.infer<typeof orderPreviewSchema>;
export type OrderPreviews = z.infer<typeof orderPreviewsSchema>;
