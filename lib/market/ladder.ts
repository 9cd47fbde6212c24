import type { OrderBook } from '#lib/api/schemas/market.ts';
import { CENT_MICROS, costMicros, MICROS, maxMicros, parseMicros, snap } from '#lib/money.ts';
import type { PriceRange } from './ticks.ts';

export type Side = 'yes' | 'no';

/** A price of one side of a market; totals include all better prices. */
export type LadderLevel = {
  priceMicros: bigint;
  contractMicros: bigint;
  totalContractMicros: bigint;
  totalUsdcMicros: bigint;
};

/** Both from the best price outwards. */
export type Ladder = { asks: LadderLevel[]; bids: LadderLevel[] };

type Sizes = readonly { priceMicros: bigint; contractMicros: bigint }[];

/**
 * The book as a trader of `side` sees it. Levels are put together in groups of `groupMicros`: bids
 * rounded down, asks rounded up, so that no group looks better than its prices.
 */
export function ladderOf(
  book: Pick<OrderBook, 'yesBids' | 'yesAsks'>,
  side: Side,
  groupMicros: bigint,
): Ladder {
  const exact = (levels: OrderBook['yesBids']): Sizes =>
    levels.map(({ priceDollars, contracts }) => ({
      priceMicros: parseMicros(priceDollars),
      contractMicros: parseMicros(String(contracts)),
    }));
  const [bids, asks] = [exact(book.yesBids), exact(book.yesAsks)];
  const mirror = (levels: Sizes) =>
    levels.map((level) => ({ ...level, priceMicros: MICROS - level.priceMicros }));
  return side === 'yes'
    ? { bids: grouped(bids, groupMicros, 'down'), asks: grouped(asks, groupMicros, 'up') }
    : {
        bids: grouped(mirror(asks), groupMicros, 'down'),
        asks: grouped(mirror(bids), groupMicros, 'up'),
      };
}

function grouped(levels: Sizes, groupMicros: bigint, toward: 'up' | 'down'): LadderLevel[] {
  const found: LadderLevel[] = [];
  let [contracts, usdc] = [0n, 0n];
  for (const { priceMicros, contractMicros } of levels) {
    contracts += contractMicros;
    usdc += costMicros(contractMicros, priceMicros, 'nearest');
    const price = snap(priceMicros, groupMicros, toward);
    const last = found.at(-1);
    const totals = { totalContractMicros: contracts, totalUsdcMicros: usdc };
    if (last?.priceMicros === price) {
      Object.assign(last, totals, { contractMicros: last.contractMicros + contractMicros });
    } else {
      found.push({ priceMicros: price, contractMicros, ...totals });
    }
  }
  return found;
}

const COARSE_MICROS = [CENT_MICROS, 5n * CENT_MICROS];

/** The group sizes that a book may be shown in, finest first: its finest tick, 1¢ and 5¢. */
export function groupSizes(ranges: readonly Pick<PriceRange, 'stepMicros'>[]): bigint[] {
  const [finest = CENT_MICROS] = ranges
    .map(({ stepMicros }) => stepMicros)
    .sort((a, b) => Number(a - b));
  return [finest, ...COARSE_MICROS.filter((size) => size > finest)];
}

/** An order of the visitor that rests in the book. */
export type OwnRest = {
  id: string;
  side: Side;
  action: 'buy' | 'sell';
  priceMicros: bigint;
  remainingContractMicros: bigint;
  /** Contracts ahead at its price; undefined while not known. */
  aheadContractMicros: bigint | undefined;
};

/** Where an order stands in the ladder of `side`: buying No at 40¢ is selling Yes at 60¢. */
export function restIn(rest: OwnRest, side: Side): { kind: 'ask' | 'bid'; priceMicros: bigint } {
  const isSame = rest.side === side;
  return {
    kind: (rest.action === 'buy') === isSame ? 'bid' : 'ask',
    priceMicros: isSame ? rest.priceMicros : MICROS - rest.priceMicros,
  };
}

/** Own orders at a shown level. Ahead of them is what is ahead of the last of them. */
export function ownAt(
  rests: readonly OwnRest[],
  side: Side,
  kind: 'ask' | 'bid',
  level: { priceMicros: bigint; groupMicros: bigint },
): { ownContractMicros: bigint; aheadContractMicros: bigint | undefined } | undefined {
  const toward = kind === 'bid' ? 'down' : 'up';
  const here = rests.filter((rest) => {
    const placed = restIn(rest, side);
    return (
      placed.kind === kind &&
      snap(placed.priceMicros, level.groupMicros, toward) === level.priceMicros
    );
  });
  if (here.length === 0) return undefined;
  const ahead = here.flatMap(({ aheadContractMicros: one }) => (one === undefined ? [] : [one]));
  return {
    ownContractMicros: here.reduce((sum, one) => sum + one.remainingContractMicros, 0n),
    aheadContractMicros: ahead.length === here.length ? ahead.reduce(maxMicros) : undefined,
  };
}
