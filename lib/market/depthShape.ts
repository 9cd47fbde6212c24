import { maxMicros } from '#lib/money.ts';
import type { Ladder, LadderLevel } from './ladder.ts';

/** Of a drawing 100 wide and 100 high, as paths of SVG. */
export type DepthShape = {
  bids: string;
  asks: string;
  /** Prices at the left edge, in the middle and at the right edge. */
  lowestMicros: bigint;
  middleMicros: bigint;
  highestMicros: bigint;
  mostContractMicros: bigint;
};

/** Prices further away from the middle say little about what an order meets. */
const SHOWN_LEVELS = 40;

/** How many contracts are offered up to each price; undefined unless both sides have some. */
export function depthShape({ asks, bids }: Ladder): DepthShape | undefined {
  const [ask, bid] = [asks[0], bids[0]];
  if (!ask || !bid) return undefined;
  const shownBids = bids.slice(0, SHOWN_LEVELS);
  const shownAsks = asks.slice(0, SHOWN_LEVELS);
  const middleMicros = (ask.priceMicros + bid.priceMicros) / 2n;
  const far = [shownBids, shownAsks].map((levels) => {
    const away = (levels.at(-1)?.priceMicros ?? middleMicros) - middleMicros;
    return away < 0n ? -away : away;
  });
  // Both sides on one scale, or the middle would not be in the middle.
  const reachMicros = far.reduce(maxMicros) + 5_000n;
  const most = [shownBids, shownAsks].map((levels) => levels.at(-1)?.totalContractMicros ?? 0n);
  const mostContractMicros = most.reduce(maxMicros);
  const scale = { middleMicros, reachMicros, mostContractMicros };
  return {
    bids: stepped(shownBids, 0, scale),
    asks: stepped(shownAsks, 100, scale),
    lowestMicros: middleMicros - reachMicros,
    middleMicros,
    highestMicros: middleMicros + reachMicros,
    mostContractMicros,
  };
}

type Scale = { middleMicros: bigint; reachMicros: bigint; mostContractMicros: bigint };

function stepped(levels: LadderLevel[], edge: number, scale: Scale): string {
  const x = (price: bigint) =>
    50 + (Number(price - scale.middleMicros) / Number(scale.reachMicros)) * 50;
  const y = (total: bigint) => 100 - (Number(total) / Number(scale.mostContractMicros)) * 92;
  const first = levels[0]?.priceMicros ?? scale.middleMicros;
  const steps = levels.map(
    ({ priceMicros, totalContractMicros }) =>
      `H${x(priceMicros).toFixed(2)}V${y(totalContractMicros).toFixed(2)}`,
  );
  return `M${x(first).toFixed(2)} 100${steps.join('')}H${edge}V100Z`;
}
