import type { Hex } from 'viem';
import type { ClosedPosition, ClosedPositionList } from '#lib/api/schemas/portfolio.ts';
import { formatMicros, formatMicrosFixed, MICROS } from '#lib/money.ts';
import { findBlockTimes } from '../../chain/blockTimes.ts';
import { stableId } from '../../platform/stableId.ts';
import { holdersOf, resolveAccount } from '../accounts/accounts.ts';
import { getMarket } from '../markets/catalogue/catalogue.ts';
import { findOutcomesByTokenIds, type MarketOutcome } from '../markets/catalogue/outcomes.ts';
import type { PortfolioDeps } from './portfolio.ts';
import { type ClosedCost, closedCost, positionAfter } from './positionCost.ts';
import { type PlacedFlow, readPositionFlows } from './positionFlows.ts';

type Closed = ClosedCost & {
  holder: string;
  tokenId: string;
  outcome: MarketOutcome;
  blockNumber: bigint;
};

/**
 * Outcome tokens that an address has traded here and no longer holds, newest first, with their
 * profit, and the sum of everything realised. Includes an owner's smart account.
 *
 * @throws {ServiceError} `chain_unavailable`
 */
export async function listClosedPositions(
  deps: PortfolioDeps,
  input: { address: string; limit: number },
): Promise<ClosedPositionList> {
  const identity = await resolveAccount(deps, input.address);
  const found: Closed[] = [];
  let realisedUsdcMicros = 0n;
  const holders = holdersOf(identity, input.address);
  const read = { db: deps.database.orm, chain: deps.chain };
  for (const [holder, flows] of await readPositionFlows(read, holders)) {
    found.push(...(await closedOf(deps, holder, flows)));
    for (const placed of flows.values()) realisedUsdcMicros += realisedOf(placed);
  }
  found.sort((a, b) => Number(b.blockNumber - a.blockNumber));
  const shown = found.slice(0, input.limit);
  const blocks = shown.map((one) => one.blockNumber);
  const times = await findBlockTimes(deps.database.orm, blocks);
  const positions = shown.map((one) => describe(deps, one, times.get(one.blockNumber) ?? null));
  return {
    positions: await Promise.all(positions),
    realizedPnL: formatMicros(realisedUsdcMicros),
  };
}

function realisedOf(placed: PlacedFlow[]): bigint {
  return positionAfter(placed.map((one) => one.flow)).realisedUsdcMicros;
}

async function closedOf(
  deps: PortfolioDeps,
  holder: string,
  flows: Map<string, PlacedFlow[]>,
): Promise<Closed[]> {
  const outcomes = await findOutcomesByTokenIds(deps, [...flows.keys()] as Hex[]);
  return [...flows].flatMap(([tokenId, placed]) => {
    const cost = closedCost(placed.map((one) => one.flow));
    const outcome = outcomes.get(tokenId);
    const last = placed.at(-1);
    if (!cost || !outcome || !last) return [];
    return [{ ...cost, holder, tokenId, outcome, blockNumber: last.blockNumber }];
  });
}

async function describe(
  deps: PortfolioDeps,
  closed: Closed,
  at: Date | null,
): Promise<ClosedPosition> {
  const { ticker, side } = closed.outcome;
  const market = await getMarket(deps, ticker);
  const payoutYes = market.payoutYesMicros;
  const payout = side === 'yes' || payoutYes === null ? payoutYes : MICROS - payoutYes;
  return {
    id: stableId('closed', closed.tokenId, closed.holder),
    tokenId: BigInt(closed.tokenId).toString(),
    marketId: ticker,
    side,
    name: market.title,
    subtitle: market.subtitle,
    status: market.status,
    payoutDollars: payout === null ? null : formatMicrosFixed(payout, 4),
    contracts: formatMicros(closed.contractMicros),
    cost: formatMicros(closed.costUsdcMicros),
    proceeds: formatMicros(closed.proceedsUsdcMicros),
    realizedPnL: formatMicros(closed.proceedsUsdcMicros - closed.costUsdcMicros),
    closedAt: at?.toISOString() ?? null,
  };
}
