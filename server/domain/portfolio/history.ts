import type { Address, Hex } from 'viem';
import type {
  PortfolioHistory,
  PortfolioHistoryQuery,
  PortfolioHistoryRange,
  PortfolioPoint,
} from '#lib/api/schemas/portfolioHistory.ts';
import { formatMicros } from '#lib/money.ts';
import { HISTORY_SPANS_MS } from '#lib/portfolio/historySpans.ts';
import { findBlockTimes, timeNoLater } from '#server/chain/blockTimes.ts';
import { listTokenMovements, type TokenMovement } from '#server/chain/holdings.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { type AccountDeps, holdersOf, resolveAccount } from '../accounts/accounts.ts';
import { findMarkets } from '../markets/catalogue/catalogue.ts';
import { findOutcomesByTokenIds } from '../markets/catalogue/outcomes.ts';
import { knownTokenId } from '../markets/tokens/knownTokenId.ts';
import { listLockedInputs, type PastLockedInput } from '../orders/lifecycle/lockedInputs.ts';
import { readCashHistory } from '../transfers/cashHistory.ts';
import { type FlowsByToken, readPositionFlows } from './positionFlows.ts';
import { type Moment, readPastWorth } from './valuation.ts';
import {
  amountsAt,
  type CashSeries,
  type Change,
  happened,
  profitOverTime,
  type TimedFlow,
  timesBetween,
  type ValuePoint,
  valueOverTime,
} from './valueOverTime.ts';

/** One token of one holder. */
type Position = { holder: Address; tokenId: Hex; changes: Change[] };

/**
 * An account's value over time, from recorded chain and exchange data only: nothing is estimated.
 * The last point uses current prices.
 *
 * @throws {ServiceError} `chain_unavailable`
 */
export async function getPortfolioHistory(
  deps: AccountDeps,
  { address, range }: PortfolioHistoryQuery,
): Promise<PortfolioHistory> {
  const identity = await resolveAccount(deps, address);
  const db = deps.database.orm;
  const holders = holdersOf(identity, address);
  const [recorded, movements, flows, inputs] = await Promise.all([
    readCashHistory(db, identity.account),
    listTokenMovements(db, holders),
    readPositionFlows({ db, chain: deps.chain }, holders),
    listLockedInputs(db, identity.account),
  ]);
  const now = new Date();
  const cashThroughBlock = recorded?.throughBlock ?? 0n;
  const locked = await lockedOverTime(db, inputs, { cashThroughBlock, now });
  const positions = positionsOf(movements, now);
  const cash = recorded && {
    ...recorded,
    changes: recorded.changes.map((change) => placed(change, now)),
  };
  const times = timesOf(range, cash, positions, now);
  const tokens = [...positions, ...locked.positions];
  const amounts = tokens.map(({ changes }) => amountsAt(times, changes));
  const worth = await readWorth(deps, times, tokens, amounts);
  const traded = await timedFlows(deps, flows, now);
  const worthOf = (index: number) => worth[index] ?? [];
  const overTime = amounts.map((contractMicros, index) => ({
    contractMicros,
    worthEachMicros: worthOf(index),
  }));
  const points = valueOverTime(times, cash, overTime.slice(0, positions.length), {
    usdc: locked.usdc,
    positions: overTime.slice(positions.length),
  });
  const profits = profitOverTime(
    times,
    positions.map(({ holder, tokenId }, index) => ({
      flows: traded(holder, tokenId),
      worthEachMicros: worthOf(index),
    })),
  );
  return {
    address,
    range,
    points: points.map((point, index) => pointOf(point, profits[index] ?? 0n)),
  };
}

async function timedFlows(
  deps: AccountDeps,
  flows: Map<Address, FlowsByToken>,
  now: Date,
): Promise<(holder: Address, tokenId: Hex) => TimedFlow[]> {
  const all = [...flows.values()].flatMap((byToken) => [...byToken.values()].flat());
  const blocks = all.map((one) => one.blockNumber);
  const timeOf = timeNoLater(await findBlockTimes(deps.database.orm, blocks));
  return (holder, tokenId) =>
    (flows.get(holder)?.get(tokenId) ?? []).map(({ flow, blockNumber }) => ({
      flow,
      at: happened(timeOf(blockNumber), now),
    }));
}

function positionsOf(movements: readonly TokenMovement[], now: Date): Position[] {
  const positions = new Map<string, Position>();
  for (const { tokenId, holder, contractMicros, at } of movements) {
    const key = `${tokenId} ${holder}`;
    const position = positions.get(key) ?? { holder, tokenId: tokenId as Hex, changes: [] };
    position.changes.push(placed({ at, micros: contractMicros }, now));
    positions.set(key, position);
  }
  return [...positions.values()];
}

function placed(change: { at: Date | null; micros: bigint }, now: Date): Change {
  return { micros: change.micros, at: happened(change.at, now) };
}

function timesOf(
  range: PortfolioHistoryRange,
  cash: CashSeries | undefined,
  positions: readonly Position[],
  now: Date,
): Date[] {
  const known = positions.flatMap((one) => one.changes.map((change) => change.at.getTime()));
  if (cash) known.push(cash.since.getTime());
  if (known.length === 0) return [];
  const first = known.reduce((a, b) => Math.min(a, b));
  return timesBetween(new Date(Math.max(first, now.getTime() - HISTORY_SPANS_MS[range])), now);
}

/** For each position, the value of one contract at each time with a holding. */
async function readWorth(
  deps: AccountDeps,
  times: readonly Date[],
  positions: readonly Pick<Position, 'tokenId'>[],
  amounts: readonly (readonly bigint[])[],
): Promise<(bigint | null)[][]> {
  const tokenIds = positions.map((one) => one.tokenId);
  const outcomes = await findOutcomesByTokenIds(deps, tokenIds);
  const tickers = [...new Set([...outcomes.values()].map((outcome) => outcome.ticker))];
  const marketOf = await findMarkets(deps, tickers);
  const worth = positions.map((): (bigint | null)[] => times.map(() => null));
  const cells: (Moment & { set: (micros: bigint | null) => void })[] = [];
  for (const [position, { tokenId }] of positions.entries()) {
    const outcome = outcomes.get(tokenId);
    const market = outcome && marketOf.get(outcome.ticker);
    const row = worth[position];
    if (!market || !row) continue;
    for (const [index, at] of times.entries()) {
      if ((amounts[position]?.[index] ?? 0n) <= 0n) continue;
      const set = (micros: bigint | null) => {
        row[index] = micros;
      };
      cells.push({ market, side: outcome.side, at, isNow: index === times.length - 1, set });
    }
  }
  const found = await readPastWorth(deps, cells);
  for (const [index, cell] of cells.entries()) cell.set(found[index] ?? null);
  return worth;
}

function pointOf(point: ValuePoint, profitMicros: bigint): PortfolioPoint {
  const { at, cashMicros, positionsMicros, inOrdersMicros, unpriced } = point;
  return {
    at: at.toISOString(),
    cash: cashMicros === null ? null : formatMicros(cashMicros),
    positions: formatMicros(positionsMicros),
    inOrders: formatMicros(inOrdersMicros),
    total: cashMicros === null ? null : formatMicros(cashMicros + positionsMicros + inOrdersMicros),
    profit: formatMicros(profitMicros),
    unpriced,
  };
}

type LockedChanges = { usdc: Change[]; positions: Pick<Position, 'tokenId' | 'changes'>[] };

/**
 * What orders had locked in the vault. A change happens at the time of the block in which the input
 * left the account or the output arrived, so that every amount is counted exactly once.
 * @param cashThroughBlock the last block with known USDC of the account; later departures are still
 *   in it
 */
async function lockedOverTime(
  db: Queryable,
  all: readonly PastLockedInput[],
  { cashThroughBlock, now }: { cashThroughBlock: bigint; now: Date },
): Promise<LockedChanges> {
  const inputs = all.filter(
    ({ tradeAction, fromBlock }) => tradeAction === 'sell' || fromBlock <= cashThroughBlock,
  );
  const blocks = inputs.flatMap(({ fromBlock, untilBlock }) =>
    untilBlock === null ? [fromBlock] : [fromBlock, untilBlock],
  );
  const timeOf = timeNoLater(await findBlockTimes(db, blocks));
  const changesOf = ({ micros, fromBlock, untilBlock }: PastLockedInput): Change[] => [
    { at: happened(timeOf(fromBlock), now), micros },
    ...(untilBlock === null ? [] : [{ at: happened(timeOf(untilBlock), now), micros: -micros }]),
  ];
  const usdc = inputs.filter((input) => input.tradeAction === 'buy').flatMap(changesOf);
  const sold = Map.groupBy(
    inputs.filter((input) => input.tradeAction === 'sell'),
    knownTokenId,
  );
  const positions = [...sold].map(([tokenId, of]) => ({ tokenId, changes: of.flatMap(changesOf) }));
  return { usdc, positions };
}
