import type { MarketRecord } from './types.ts';

type Outcome = Pick<
  MarketRecord,
  'ticker' | 'strike' | 'strikeGroup' | 'expectedEndAt' | 'yesBidMicros' | 'volumeContractMicros'
>;

/**
 * The order in which people read an event's markets: by player or team, the most traded first, and
 * within each from the lowest strike up; by date where every market has its own; otherwise from the
 * likeliest down.
 */
export function orderOutcomes<Market extends Outcome>(markets: readonly Market[]): Market[] {
  const byTicker = (a: Market, b: Market) => (a.ticker < b.ticker ? -1 : 1);
  if (markets.every(({ strike }) => strike !== null)) {
    const volumes = volumeOfGroups(markets);
    const volumeOf = ({ strikeGroup }: Market) => volumes.get(strikeGroup) ?? 0n;
    return [...markets].sort(
      (a, b) =>
        compare(volumeOf(b), volumeOf(a)) ||
        compare(a.strikeGroup ?? '', b.strikeGroup ?? '') ||
        compare(a.strike ?? 0, b.strike ?? 0) ||
        byTicker(a, b),
    );
  }
  const dates = new Set(markets.map(({ expectedEndAt }) => expectedEndAt.getTime()));
  const hasOwnDates = dates.size === markets.length;
  return [...markets].sort(
    (a, b) =>
      (hasOwnDates ? compare(a.expectedEndAt, b.expectedEndAt) : 0) ||
      compare(b.yesBidMicros ?? -1n, a.yesBidMicros ?? -1n) ||
      byTicker(a, b),
  );
}

function volumeOfGroups(markets: readonly Outcome[]): Map<string | null, bigint> {
  const volumes = new Map<string | null, bigint>();
  for (const { strikeGroup, volumeContractMicros } of markets) {
    volumes.set(strikeGroup, (volumes.get(strikeGroup) ?? 0n) + volumeContractMicros);
  }
  return volumes;
}

function compare<Value extends bigint | number | string | Date>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
