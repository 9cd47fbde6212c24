import { compareAmounts, compareTitles, type Sorting } from '#lib/portfolio/positionOrder.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';

/** What is held of one event. */
export type HeldEvent = {
  title: string;
  /** The page of the event, or of the market where the event is not known; no two share it. */
  href: string;
  positions: PositionView[];
  valueMicros: bigint;
  /** What those cost whose cost is known; null when none is. */
  costMicros: bigint | null;
  /** What those made so far whose cost is known; null when none is. */
  profitMicros: bigint | null;
};

/** What is known of events: of which one a market is, and what an event is called. */
export type KnownEvents = {
  /** Event tickers by market ticker. */
  eventOf: Readonly<Record<string, string>>;
  /** Titles by event ticker, of those that had to be asked for. */
  titles: Readonly<Record<string, string>>;
};

/**
 * The positions by their events, each with what it comes to. Within an event they keep their order;
 * events are in the order of their own sums or titles, or where they have none for that column, of
 * their first positions. A market of no known event stands for itself.
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
 * Events whose title the positions do not tell: one market alone is held, or they ask different
 * things. Where several ask the same, that is what the event is called, and nobody has to be asked.
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

/** A position's words under its event's title, which is not said again where something else tells. */
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
