import type { EventFigures, IndexedEvent } from './searchIndex.ts';
import { tickerDate } from './tokenize.ts';

const DAY_MS = 86_400_000;
/** How much the events of a much traded series, and much traded events, rank above others. */
const SERIES_VOLUME = 0.09;
const EVENT_VOLUME = 0.05;
/** How much events that end soon rank above those that end in years. */
const NEARNESS = 0.35;
const NEAR_DAYS = 60;
const NOT_OPEN = 0.55;
const LONG_TITLE = 0.025;

/** What ranks an event besides the words of a query. */
export type RankFigures = { popularity: number; endsAt: number | undefined };

export function brevityOf(titleLength: number): number {
  return 1 / (1 + LONG_TITLE * Math.max(titleLength, 1));
}

export function rankFiguresOf(event: IndexedEvent): RankFigures {
  return {
    popularity: EVENT_VOLUME * Math.log10(1 + event.volume24h + event.volume / 30),
    // The exchange's deadlines lie long after the date that an event is about.
    endsAt: tickerDate(event.ticker) ?? event.closesNextAt,
  };
}

export function seriesPopularity(volumeContractMicros: bigint): number {
  return SERIES_VOLUME * Math.log10(1 + Number(volumeContractMicros) / 1e6);
}

/** Ranks events that trade above those that do not, near ones above far ones, short titles first. */
export function rankFactor(
  doc: EventFigures & RankFigures & { brevity: number },
  seriesPopularity: number,
  now: number,
): number {
  const days = doc.endsAt === undefined ? NEAR_DAYS : Math.abs(doc.endsAt - now) / DAY_MS;
  const nearness = NEARNESS / (1 + days / NEAR_DAYS);
  const traded = 1 + doc.popularity + seriesPopularity;
  return (traded + nearness) * (doc.isOpen ? 1 : NOT_OPEN) * doc.brevity;
}
