import { costMicros } from '#lib/money.ts';
import { applyFlow, NOTHING_HELD, type PositionFlow } from './positionCost.ts';
import { unrealizedMicros } from './valuation.ts';

/** A change of an amount and its time; negative for an outflow. */
export type Change = { at: Date; micros: bigint };

/** A block whose time is not read yet counts as of now, because it has already happened. */
export function happened(at: Date | null, now: Date): Date {
  return at && at < now ? at : now;
}

/** The USDC of an account: its balance when first seen, and the changes since. */
export type CashSeries = { since: Date; openingMicros: bigint; changes: readonly Change[] };

export type ValuePoint = {
  at: Date;
  /** Null before the account was first seen: its USDC is unknown then. */
  cashMicros: bigint | null;
  positionsMicros: bigint;
  inOrdersMicros: bigint;
  /** Positions excluded from the sums, because they have no recorded price. */
  unpriced: number;
};

/** Amounts of one token of one holder at each of the times, and its value then. */
export type PositionOverTime = {
  contractMicros: readonly bigint[];
  worthEachMicros: readonly (bigint | null)[];
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 7, 14, 30, 60, 90, 180, 365].map((days) => days * DAY),
];
const MAX_POINTS = 200;

/** At most 200 times: the first, round ones in between, and the last. */
export function timesBetween(from: Date, to: Date): Date[] {
  const [start, end] = [from.getTime(), to.getTime()];
  if (start >= end) return [to];
  const step = STEPS.find((one) => (end - start) / one <= MAX_POINTS - 3) ?? 5 * 365 * DAY;
  const times = [from];
  for (let at = (Math.floor(start / step) + 1) * step; at < end; at += step) {
    times.push(new Date(at));
  }
  return [...times, to];
}

/** The sum of all changes by each of the ascending times. */
export function amountsAt(times: readonly Date[], changes: readonly Change[]): bigint[] {
  const inOrder = changes.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  let next = 0;
  let sum = 0n;
  return times.map((time) => {
    for (let change = inOrder[next]; change && change.at <= time; change = inOrder[next]) {
      sum += change.micros;
      next += 1;
    }
    return sum;
  });
}

/** What orders had locked in the vault: changes of USDC, and tokens. */
type InOrders = { usdc: readonly Change[]; positions: readonly PositionOverTime[] };

export function valueOverTime(
  times: readonly Date[],
  cash: CashSeries | undefined,
  positions: readonly PositionOverTime[],
  inOrders: InOrders = { usdc: [], positions: [] },
): ValuePoint[] {
  const moved = amountsAt(times, cash?.changes ?? []);
  const lockedUsdc = amountsAt(times, inOrders.usdc);
  return times.map((at, index) => {
    const held = worthAt(positions, index);
    const locked = worthAt(inOrders.positions, index);
    const isKnown = cash !== undefined && cash.since <= at;
    return {
      at,
      cashMicros: isKnown ? cash.openingMicros + (moved[index] ?? 0n) : null,
      positionsMicros: held.micros,
      inOrdersMicros: (lockedUsdc[index] ?? 0n) + locked.micros,
      unpriced: held.unpriced + locked.unpriced,
    };
  });
}

function worthAt(positions: readonly PositionOverTime[], index: number) {
  let micros = 0n;
  let unpriced = 0;
  for (const { contractMicros, worthEachMicros } of positions) {
    const held = contractMicros[index] ?? 0n;
    if (held <= 0n) continue;
    const worth = worthEachMicros[index] ?? null;
    if (worth === null) unpriced += 1;
    else micros += costMicros(held, worth, 'down');
  }
  return { micros, unpriced };
}

export type TimedFlow = { flow: PositionFlow; at: Date };

/** The flows of one token of one holder in chain order, and its value at each time. */
type TradedOverTime = {
  flows: readonly TimedFlow[];
  worthEachMicros: readonly (bigint | null)[];
};

/**
 * The profit or loss by each of the ascending times, in USDC micros with all fees: realised by
 * sales and redemptions, unrealised at the contract's value at that time. Deposits and transfers
 * change nothing; a position without a price has no unrealised profit.
 */
export function profitOverTime(
  times: readonly Date[],
  positions: readonly TradedOverTime[],
): bigint[] {
  const sums = times.map(() => 0n);
  for (const { flows, worthEachMicros } of positions) {
    let cost = NOTHING_HELD;
    let next = 0;
    for (const [index, time] of times.entries()) {
      for (let one = flows[next]; one && one.at <= time; one = flows[next]) {
        cost = applyFlow(cost, one.flow);
        next += 1;
      }
      const open = unrealizedMicros(cost.contractMicros, cost, worthEachMicros[index] ?? null);
      sums[index] = (sums[index] ?? 0n) + cost.realisedUsdcMicros + (open ?? 0n);
    }
  }
  return sums;
}
