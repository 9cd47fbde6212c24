import type { PortfolioEntry } from '#lib/api/schemas/portfolio.ts';
import { costMicros, formatMicros, parseMicros } from '#lib/money.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const CONTRACT = '0x00000000000000000000000000000000000000c1';
const THEN = '2026-11-21T10:00:00.000Z';

/** As the service computes it, of contracts that were all bought here. */
function unrealizedPnL(
  amount: string,
  average: string,
  market: Partial<PortfolioEntry['venueMarket']>,
): string | null {
  const { status, payoutDollars = null, bidPriceDollars = '0.4000' } = market;
  const last = status === 'closed' ? (market.marketPriceDollars ?? '0.4100') : '0';
  const bid = parseMicros(bidPriceDollars) === 0n ? last : bidPriceDollars;
  const price = parseMicros(payoutDollars ?? bid);
  if (price === 0n && payoutDollars === null) return null;
  const held = parseMicros(amount);
  const cost = costMicros(held, parseMicros(average), 'nearest');
  return formatMicros(costMicros(held, price, 'down') - cost);
}

/** A complete position for tests: ten Yes of an open market, with overrides. */
export function portfolioEntry(part: {
  item?: Partial<PortfolioEntry['portfolioItem']>;
  tokenId?: string;
  market?: Partial<PortfolioEntry['venueMarket']>;
}): PortfolioEntry {
  const { item, tokenId = '1', market } = part;
  const { marketId = 'RAIN', side = 'yes' } = market ?? {};
  const amount = item?.amount ?? '10';
  const average = item?.averageFillCost === undefined ? '0.42' : item.averageFillCost;
  const token = { id: ID, chainId: 8453, contractAddress: CONTRACT, tokenId };
  return {
    portfolioItem: {
      ...token,
      address: '0x00000000000000000000000000000000000000a1',
      amount,
      averageFillCost: average,
      unrealizedPnL: average === null ? null : unrealizedPnL(amount, average, market ?? {}),
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
