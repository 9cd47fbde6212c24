import { z } from 'zod';
import {
  addressSchema,
  chainIdSchema,
  decimalSchema,
  dollarsSchema,
  marketTickerSchema,
  outcomeSideSchema,
  signedDecimalSchema,
  timestampSchema,
} from './common.ts';
import { marketStatusSchema } from './market.ts';

export const portfolioQuerySchema = z.strictObject({
  chainId: z.coerce.number().int().positive().default(8453).meta({ description: 'Chain id.' }),
});

const tokenIdSchema = z.string().meta({ description: 'Token id, decimal.', example: '1' });

export const portfolioItemSchema = z
  .object({
    id: z.uuid(),
    chainId: chainIdSchema,
    address: addressSchema.meta({ description: 'The holder: a smart account or a wallet.' }),
    contractAddress: addressSchema,
    tokenId: tokenIdSchema,
    amount: decimalSchema.meta({ description: 'Contracts held, read from the chain.' }),
    averageFillCost: decimalSchema.nullable().meta({
      description: 'Dollars per contract, fees included; null when it was not bought here.',
    }),
    unrealizedPnL: signedDecimalSchema.nullable().meta({
      description:
        'Unrealized P&L in dollars at the current bid, or the payout; after trading ends and before the payout, at ' +
        'the last price. Null when cost or price is unknown.',
    }),
    realizedPnL: signedDecimalSchema.meta({
      description: 'Realized P&L in dollars, from contracts already sold or redeemed.',
    }),
    redeemable: z.boolean().meta({
      description: 'Whether the market is settled and the tokens can be redeemed now.',
    }),
    redeemableAmount: decimalSchema.nullable().meta({
      description: 'USDC from redeeming the whole position; null until it is redeemable.',
    }),
    updatedAt: timestampSchema,
  })
  .meta({ id: 'PortfolioItem' });

export const portfolioTokenSchema = z
  .object({
    id: z.uuid(),
    chainId: chainIdSchema,
    contractAddress: addressSchema,
    tokenId: tokenIdSchema,
    tokenType: z.literal('erc1155'),
    decimals: z.int().meta({ example: 6 }),
    tokenRepresentation: z.literal('venueMarket'),
    metadata: z.object({ marketId: marketTickerSchema, side: outcomeSideSchema }),
  })
  .meta({ id: 'PortfolioToken' });

export const portfolioMarketSchema = z
  .object({
    id: z.uuid(),
    tokenId: tokenIdSchema,
    marketId: marketTickerSchema,
    side: outcomeSideSchema,
    exchange: z.string().meta({ example: 'kalshi' }),
    name: z.string(),
    subtitle: z.string(),
    marketPrice: z.number().meta({ description: 'Last price of this side in cents.' }),
    bidPrice: z.number().meta({ description: 'Best bid for this side in cents.' }),
    askPrice: z.number().meta({ description: 'Best ask for this side in cents.' }),
    settledAt: timestampSchema.nullable(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    marketPriceDollars: dollarsSchema,
    bidPriceDollars: dollarsSchema,
    askPriceDollars: dollarsSchema,
    status: marketStatusSchema,
    payoutDollars: dollarsSchema.nullable().meta({
      description: 'Payout per contract; null until the market is settled.',
    }),
  })
  .meta({ id: 'PortfolioMarket' });

export const portfolioEntrySchema = z
  .object({
    portfolioItem: portfolioItemSchema,
    token: portfolioTokenSchema,
    venueMarket: portfolioMarketSchema,
  })
  .meta({ id: 'PortfolioEntry' });

export const portfolioSchema = z.array(portfolioEntrySchema).meta({ id: 'Portfolio' });

export const closedPositionsQuerySchema = z.strictObject({
  address: addressSchema.meta({ description: 'The owner wallet, or the smart account itself.' }),
  limit: z.coerce.number().int().min(1).max(200).default(100).meta({ description: 'At most.' }),
});

export const closedPositionSchema = z
  .object({
    id: z.uuid(),
    tokenId: tokenIdSchema,
    marketId: marketTickerSchema,
    side: outcomeSideSchema,
    name: z.string(),
    subtitle: z.string(),
    status: marketStatusSchema,
    payoutDollars: dollarsSchema.nullable().meta({
      description: 'Payout per contract; null until the market is settled.',
    }),
    contracts: decimalSchema.meta({
      description: 'Contracts bought, all of them sold or redeemed.',
    }),
    cost: decimalSchema.meta({ description: 'USDC paid for them, fees included.' }),
    proceeds: decimalSchema.meta({ description: 'Proceeds in USDC, after fees.' }),
    realizedPnL: signedDecimalSchema.meta({
      description: 'Realized P&L: proceeds minus cost, in USDC.',
    }),
    closedAt: timestampSchema.nullable().meta({
      description:
        'When the last of them was sold or redeemed; null until the block’s time is known.',
    }),
  })
  .meta({ id: 'ClosedPosition' });

export const closedPositionListSchema = z
  .object({
    positions: z.array(closedPositionSchema).meta({ description: 'Newest first.' }),
    realizedPnL: signedDecimalSchema.meta({
      description:
        'Realized P&L in dollars of everything sold or redeemed here, also of positions that are ' +
        'still held, were transferred away, or are beyond the limit of this list.',
    }),
  })
  .meta({ id: 'ClosedPositionList' });

export type ClosedPosition = z.infer<typeof closedPositionSchema>;
export type ClosedPositionList = z.infer<typeof closedPositionListSchema>;
export type ClosedPositionsQuery = z.output<typeof closedPositionsQuerySchema>;
export type PortfolioEntry = z.infer<typeof portfolioEntrySchema>;
export type Portfolio = z.infer<typeof portfolioSchema>;
