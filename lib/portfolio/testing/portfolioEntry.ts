import type { PortfolioEntry } from '#lib/api/schemas/portfolio.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const CONTRACT = '0x00000000000000000000000000000000000000c1';
const THEN = '2026-11-21T10:00:00.000Z';

/** A complete position for tests: ten Yes of an open market, with overrides. */
export function portfolioEntry(part: {
  item?: Partial<PortfolioEntry['portfolioItem']>;
  tokenId?: string;
  market?: Partial<PortfolioEntry['venueMarket']>;
}): PortfolioEntry {
  const { item, tokenId = '1', market } = part;
  const { marketId = 'RAIN', side = 'yes' } = market ?? {};
  const token = { id: ID, chainId: 8453, contractAddress: CONTRACT, tokenId };
  return {
    portfolioItem: {
      ...token,
      address: '0x00000000000000000000000000000000000000a1',
      amount: '10',
      averageFillCost: '0.42',
      unrealizedPnL: null,
      realizedPnL: '0',
      redeemable: false,
      redeemableAmount: null,
      updatedAt: THEN,
      ...item,
    },
    token: {
      ...token,
      tokenType: 'erc1155',
      decimals: 6,
      tokenRepresentation: 'venueMarket',
      metadata: { marketId, side },
    },
    venueMarket: {
      id: ID,
      tokenId,
      marketId,
      side,
      exchange: 'kalshi',
      name: 'Rain',
      subtitle: '',
      marketPrice: 41,
      bidPrice: 40,
      askPrice: 42,
      settledAt: null,
      createdAt: THEN,
      updatedAt: THEN,
      marketPriceDollars: '0.4100',
      bidPriceDollars: '0.4000',
      askPriceDollars: '0.4200',
      status: 'open',
      payoutDollars: null,
      ...market,
    },
  };
}
