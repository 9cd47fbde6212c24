import { compareAmounts, compareTitles, type Sorting } from '#lib/portfolio/positionOrder.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';

/** The positions of one event. */
export type HeldEvent = {
  title: string;
  /** The page of the event, or of the market if the event is unknown; unique per group. */
  href: string;
  positions: PositionView[];
  valueMicros: bigint;
  /** The cost of the positions with a known cost; null when there are none. */
  costMicros: bigint | null;
  /** The profit of the positions with a known cost; null when there are none. */
  profitMicros: bigint | null;
};

/** Known events: the event of each market, and the title of each event. */
export type KnownEvents = {
  /** Event tickers by market ticker. */
  eventOf: Readonly<Record<string, string>>;
  /** Fetched titles by event ticker. */
  titles: Readonly<Record<string, string>>;
};

/**
 * Groups the positions by event and sums them up. Positions keep their order within an event;
 * events are sorted by their own sums or titles, or by their first positions if the column has
 * none. A market without a known event forms its own group.
 */
export function byEvent(
  sorted: readonly PositionView[],
  known: KnownEvents,
  sorting: Sorting,
): HeldEvent[] {
  const groups = new Map<string, PositionView[]>();
  for (const position of sorted) {
    const href = hrefOf(known.eventOf[position.marketId], position.marketId);
    groups.set(href, [...(groups.get(href) ?? []), position]);
  }
  const events = [...groups].map(([href, positions]) => heldEvent(href, positions, known));
  const { sort, order } = sorting;
  if (sort === 'name') return events.sort((a, b) => compareTitles(a.title, b.title, order));
  if (sort !== 'value' && sort !== 'profit') return events;
  const sum = (event: HeldEvent) => (sort === 'value' ? event.valueMicros : event.profitMicros);
  return events.sort((a, b) => compareAmounts(sum(a), sum(b), order));
}

/**
 * Events whose title has to be fetched: a single market is held, or the markets ask different
 * questions. A question that several markets share is the event's title.
 */
export function untitledEvents(
  positions: readonly PositionView[],
  eventOf: KnownEvents['eventOf'],
): string[] {
  const heldOf = new Map<string, { markets: Set<string>; names: Set<string> }>();
  for (const { marketId, name } of positions) {
    const eventTicker = eventOf[marketId];
    if (eventTicker === undefined) continue;
    const held = heldOf.get(eventTicker) ?? { markets: new Set(), names: new Set() };
    held.markets.add(marketId);
    held.names.add(name);
    heldOf.set(eventTicker, held);
  }
  return [...heldOf]
    .filter(([, { markets, names }]) => markets.size === 1 || names.size > 1)
    .map(([eventTicker]) => eventTicker)
    .sort();
}

/**
 * The name of a position under its event, without the event's title if something else distinguishes
 * it.
 */
export function wordsUnder(
  title: string,
  position: PositionView,
): { name: string; subtitle: string } {
  const { name, subtitle } = position;
  const emits = subtitle !== '' && subtitle !== 'Yes' && subtitle !== 'No';
  return name === title && emits ? { name: subtitle, subtitle: '' } : { name, subtitle };
}

function hrefOf(eventTicker: string | undefined, marketId: string): string {
  return eventTicker === undefined ? `/markets/${marketId}` : `/events/${eventTicker}`;
}

function heldEvent(href: string, positions: PositionView[], known: KnownEvents): HeldEvent {
  const [first] = positions;
  const eventTicker = first && known.eventOf[first.marketId];
  const asked = eventTicker === undefined ? undefined : known.titles[eventTicker];
  const costed = positions.filter(({ profitMicros }) => profitMicros !== null);
  const sum = (of: (position: PositionView) => bigint | null) =>
    costed.length === 0 ? null : costed.reduce((total, one) => total + (of(one) ?? 0n), 0n);
  return {
    href,
    title: asked ?? first?.name ?? '',
    positions,
    valueMicros: positions.reduce((total, { valueMicros }) => total + valueMicros, 0n),
    costMicros: sum(({ costMicros }) => costMicros),
    profitMicros: sum(({ profitMicros }) => profitMicros),
  };
}
