import { maxMicros, minMicros } from '#lib/money.ts';
import type { ShardBalance } from '#server/exchange/port.ts';
import type { ShardTarget } from '#server/platform/config/exchange.ts';

/** What orders take from one shard. */
export type ShardDemand = {
  /** Spending limits of the purchases that are on their way to the exchange. */
  openMicros: bigint;
  /** What was spent on purchases lately. */
  recentMicros: bigint;
};

export type ShardPair = { source: number; destination: number };

export type OpenTransfer = ShardPair & {
  amountMicros: bigint;
  /** Whether the exchange is known to have taken the cash from the source. */
  hasLeft: boolean;
};

export type AllocationFacts = {
  targets: readonly ShardTarget[];
  balances: readonly ShardBalance[];
  openTransfers: readonly OpenTransfer[];
  demand: ReadonlyMap<number, ShardDemand>;
  /** Shards that take part in no transfer now. */
  blockedShards: ReadonlySet<number>;
  /** Pairs whose last transfer failed a moment ago. */
  restingPairs: readonly ShardPair[];
};

export type WantedTransfer = ShardPair & { amountMicros: bigint };

/** The exchange moves whole centicents. */
const STEP_MICROS = 100n;
/** Less is not worth a transfer, nor is less than this part of what a shard lacks. */
const LEAST_MICROS = 10_000n;
const LEAST_PART = 20n;
/** A shard that only differs from its share is left alone within this. */
const DRIFT_PERCENT = 20n;
const LEAST_DRIFT_MICROS = 10_000_000n;

type Shard = {
  shard: number;
  /** What can leave it now. */
  sendableMicros: bigint;
  /** What it has once all open transfers have arrived. */
  expectedMicros: bigint;
  /** What it should have. */
  allottedMicros: bigint;
  floorMicros: bigint;
};

/**
 * The transfers that bring each shard to its share of the cash, and before that to what its orders
 * and its minimum need. At most one per pair of shards is open at a time.
 */
export function decideTransfers(facts: AllocationFacts): WantedTransfer[] {
  const shards = shardsOf(facts).filter(({ shard }) => !facts.blockedShards.has(shard));
  const isBusy = (pair: ShardPair) =>
    [...facts.openTransfers, ...facts.restingPairs].some(
      (one) => one.source === pair.source && one.destination === pair.destination,
    );
  const surplus = new Map(
    shards.map((one) => [
      one.shard,
      minMicros(one.sendableMicros, one.expectedMicros - one.allottedMicros),
    ]),
  );
  const wanted: WantedTransfer[] = [];
  for (const short of shards.filter(isShort).sort(byNeed)) {
    let missingMicros = short.allottedMicros - short.expectedMicros;
    const leastMicros = maxMicros(LEAST_MICROS, missingMicros / LEAST_PART);
    const donors = [...surplus].sort(([, a], [, b]) => Number(b - a));
    for (const [source, spareMicros] of donors) {
      const pair = { source, destination: short.shard };
      const amountMicros = wholeSteps(minMicros(missingMicros, spareMicros));
      if (source === short.shard || amountMicros < leastMicros || isBusy(pair)) continue;
      wanted.push({ ...pair, amountMicros });
      surplus.set(source, spareMicros - amountMicros);
      missingMicros -= amountMicros;
    }
  }
  return wanted;
}

/** The cash below which a shard cannot serve its orders and its minimum. */
export function floorOf(
  shard: number,
  { targets, demand }: Pick<AllocationFacts, 'targets' | 'demand'>,
): bigint {
  const { openMicros = 0n, recentMicros = 0n } = demand.get(shard) ?? {};
  const minimumMicros = targets.find((one) => one.shard === shard)?.minimumMicros ?? 0n;
  return [recentMicros, minimumMicros].reduce(maxMicros, openMicros);
}

function shardsOf(facts: AllocationFacts): Shard[] {
  const { targets, balances, openTransfers, demand } = facts;
  const names = new Set([...targets, ...balances].map(({ shard }) => shard));
  const known = [...names].map((shard) => {
    const balanceMicros = balances.find((one) => one.shard === shard)?.balanceMicros ?? 0n;
    const leaving = openTransfers.filter((one) => one.source === shard && !one.hasLeft);
    const arriving = openTransfers.filter((one) => one.destination === shard);
    const sendableMicros = balanceMicros - sumOf(leaving);
    return { shard, sendableMicros, expectedMicros: sendableMicros + sumOf(arriving) };
  });
  const totalMicros = known.reduce((sum, one) => sum + maxMicros(one.expectedMicros, 0n), 0n);
  const needs = known.map(({ shard }) => {
    const percent = targets.find((one) => one.shard === shard)?.sharePercent ?? 0;
    const floorMicros = floorOf(shard, facts);
    const shareMicros = (totalMicros * BigInt(percent)) / 100n;
    return {
      openMicros: demand.get(shard)?.openMicros ?? 0n,
      floorMicros,
      wantedMicros: maxMicros(floorMicros, shareMicros),
    };
  });
  const allotted = allot(totalMicros, needs);
  return known.map((one, index) => ({
    ...one,
    floorMicros: needs[index]?.floorMicros ?? 0n,
    allottedMicros: allotted[index] ?? 0n,
  }));
}

type Need = { openMicros: bigint; floorMicros: bigint; wantedMicros: bigint };

/** Open orders first, then the floors, then the shares; too little is divided in proportion. */
function allot(totalMicros: bigint, needs: readonly Need[]): bigint[] {
  let leftMicros = totalMicros;
  let given = needs.map(() => 0n);
  for (const tier of ['openMicros', 'floorMicros', 'wantedMicros'] as const) {
    const missing = needs.map((need, index) => maxMicros(need[tier] - (given[index] ?? 0n), 0n));
    const missingMicros = missing.reduce((sum, one) => sum + one, 0n);
    if (missingMicros === 0n) continue;
    const paidMicros = minMicros(leftMicros, missingMicros);
    given = given.map((had, index) => had + ((missing[index] ?? 0n) * paidMicros) / missingMicros);
    leftMicros -= paidMicros;
  }
  return given;
}

function isShort({ expectedMicros, allottedMicros, floorMicros }: Shard): boolean {
  if (expectedMicros < minMicros(floorMicros, allottedMicros)) return true;
  const missingMicros = allottedMicros - expectedMicros;
  const driftMicros = maxMicros((allottedMicros * DRIFT_PERCENT) / 100n, LEAST_DRIFT_MICROS);
  return missingMicros > driftMicros;
}

/** Those below their floor first, the emptiest first. */
function byNeed(a: Shard, b: Shard): number {
  const shortfall = (one: Shard) => maxMicros(one.floorMicros - one.expectedMicros, 0n);
  return Number(shortfall(b) - shortfall(a));
}

function sumOf(transfers: readonly { amountMicros: bigint }[]): bigint {
  return transfers.reduce((sum, one) => sum + one.amountMicros, 0n);
}

function wholeSteps(micros: bigint): bigint {
  return micros - (micros % STEP_MICROS);
}

/**
 * The nearest smaller amount that no recent transfer of the pair has: the exchange takes no id of
 * ours, so the amount identifies a transfer whose response is lost.
 */
export function distinctAmount(wantedMicros: bigint, taken: ReadonlySet<bigint>): bigint {
  let amountMicros = wholeSteps(wantedMicros);
  while (taken.has(amountMicros)) amountMicros -= STEP_MICROS;
  return amountMicros;
}
