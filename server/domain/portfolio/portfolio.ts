import { type Address, getAddress } from 'viem';
import type { Portfolio, PortfolioEntry } from '#lib/api/schemas/portfolio.ts';
import { ofSide, worthNowMicros } from '#lib/market/worthNow.ts';
import { centsNumber, formatMicros, formatMicrosFixed, MICROS } from '#lib/money.ts';
import { type OutcomeSide, tokenIdHex } from '#lib/outcomeToken.ts';
import type { Chain } from '../../chain/client.ts';
import type { Holding } from '../../chain/holdings.ts';
import type { Database } from '../../platform/database/client.ts';
import { ServiceError } from '../../platform/errors.ts';
import { stableId } from '../../platform/stableId.ts';
import { fromChain, holdersOf, resolveAccount } from '../accounts/accounts.ts';
import type { MarketRecord } from '../markets/catalogue/types.ts';
import { redemptionUsdcMicros } from '../orders/create/redemption.ts';
import { type BatchedReads, batchedReads } from './batchedReads.ts';
import type { PositionCost } from './positionCost.ts';
import { averageCostMicros, unrealizedMicros } from './valuation.ts';

export type PortfolioDeps = { database: Database; chain: Chain; exchange: string };

const DECIMALS = 6;

type Position = {
  holding: Holding;
  market: MarketRecord;
  side: OutcomeSide;
  cost: PositionCost | undefined;
  /** Whether the vault pays it out now. */
  redeemable: boolean;
};

/**
 * The outcome tokens at an address, read from the chain. Includes the tokens of an owner's smart
 * account.
 *
 * @throws {ServiceError} `unsupported_chain`, `chain_unavailable`
 */
export async function getPortfolio(
  deps: PortfolioDeps,
  input: { address: string; chainId: number },
): Promise<Portfolio> {
  if (input.chainId !== deps.chain.id) {
    throw new ServiceError('unsupported_chain', `Only chain ${deps.chain.id} is supported.`, {
      errors: [{ pointer: '/query/chainId', detail: `must be ${deps.chain.id}` }],
    });
  }
  const address = getAddress(input.address);
  const reads = batchedReads(deps);
  const identity = (await reads.account(address)) ?? (await resolveAccount(deps, address));
  const readAt = new Date();
  const positions = await Promise.all(
    holdersOf(identity, address).map((holder) => positionsOf(reads, holder)),
  );
  return positions
    .flat()
    .sort((a, b) => a.market.ticker.localeCompare(b.market.ticker) || a.side.localeCompare(b.side))
    .map((position) => entryOf(deps, position, readAt));
}

async function positionsOf(reads: BatchedReads, holder: Address): Promise<Position[]> {
  const [holdings, costs] = await Promise.all([
    fromChain(() => reads.holdings(holder)),
    reads.costs(holder),
  ]);
  const positions = await Promise.all(
    (holdings ?? []).map(async (holding): Promise<Position | undefined> => {
      const tokenId = tokenIdHex(holding.tokenId);
      const outcome = await reads.outcome(tokenId);
      if (!outcome) return undefined;
      const [market, paying] = await Promise.all([
        reads.market(outcome.ticker),
        reads.paying(outcome.ticker),
      ]);
      if (!market) return undefined;
      const { side } = outcome;
      return { holding, market, side, cost: costs?.get(tokenId), redeemable: paying === true };
    }),
  );
  return positions.filter((position) => position !== undefined);
}

function pricesOf({ market, side }: Position) {
  const ofThis = (yesMicros: bigint | null) =>
    yesMicros === null ? null : ofSide(yesMicros, side);
  return {
    last: ofThis(market.lastPriceMicros),
    bid: side === 'yes' ? market.yesBidMicros : market.noBidMicros,
    ask: side === 'yes' ? market.yesAskMicros : market.noAskMicros,
    payout: ofThis(market.payoutYesMicros),
  };
}

function entryOf(deps: PortfolioDeps, position: Position, readAt: Date): PortfolioEntry {
  const { holding, market, side } = position;
  const token = {
    chainId: deps.chain.id,
    contractAddress: deps.chain.contracts.outcomeToken,
    tokenId: holding.tokenId.toString(),
  };
  const { payout } = pricesOf(position);
  const average = averageCostMicros(position.cost);
  const worth = worthNowMicros(market, side);
  const unrealized = unrealizedMicros(holding.contractMicros, position.cost, worth);
  const identity = [token.chainId, token.contractAddress, token.tokenId] as const;
  return {
    portfolioItem: {
      id: stableId('holding', ...identity, holding.holder),
      ...token,
      address: holding.holder,
      amount: formatMicros(holding.contractMicros),
      averageFillCost: average === null ? null : formatMicros(average),
      unrealizedPnL: unrealized === null ? null : formatMicros(unrealized),
      realizedPnL: formatMicros(position.cost?.realisedUsdcMicros ?? 0n),
      redeemable: position.redeemable,
      redeemableAmount:
        position.redeemable && payout !== null
          ? formatMicros(redemptionUsdcMicros(holding.contractMicros, payout))
          : null,
      updatedAt: readAt.toISOString(),
    },
    token: {
      id: stableId('token', ...identity),
      ...token,
      tokenType: 'erc1155',
      decimals: DECIMALS,
      tokenRepresentation: 'venueMarket',
      metadata: { marketId: market.ticker, side },
    },
    venueMarket: marketOf(deps, position),
  };
}

function marketOf(deps: PortfolioDeps, position: Position): PortfolioEntry['venueMarket'] {
  const { holding, market, side } = position;
  const prices = pricesOf(position);
  const bid = prices.bid ?? 0n;
  const ask = prices.ask ?? MICROS;
  const price = prices.payout ?? prices.last ?? 0n;
  const dollars = (micros: bigint) => formatMicrosFixed(micros, 4);
  return {
    id: stableId('market', deps.exchange, market.ticker, side),
    tokenId: holding.tokenId.toString(),
    marketId: market.ticker,
    side,
    exchange: deps.exchange,
    name: market.title,
    subtitle: market.subtitle,
    marketPrice: centsNumber(price, 'nearest'),
    bidPrice: centsNumber(bid, 'nearest'),
    askPrice: centsNumber(ask, 'nearest'),
    settledAt: market.settledAt?.toISOString() ?? null,
    createdAt: market.createdAt.toISOString(),
    updatedAt: market.updatedAt.toISOString(),
    marketPriceDollars: dollars(price),
    bidPriceDollars: dollars(bid),
    askPriceDollars: dollars(ask),
    status: market.status,
    payoutDollars: prices.payout === null ? null : dollars(prices.payout),
  };
}
