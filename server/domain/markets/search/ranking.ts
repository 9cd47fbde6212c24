import type { IndexedEvent } from './searchIndex.ts';
import { tickerDate } from './tokenize.ts';

const DAY_MS = 86_400_000;
/** How much traded events rank above others. */
const EVENT_VOLUME = 0.05;
/** How much events that end soon rank above those that end in years. */
const NEARNESS = 0.35;
const NEAR_DAYS = 60;
const NOT_OPEN = 0.55;
const LONG_TITLE = 0.025;
/** The figures of one event. */
const FIGURES = 3;

/** What ranks events besides the words of a query, by the event's number. */
export class Ranking {
  private figures = new Float64Array(0);

  set(number: number, event: IndexedEvent, titleLength: number): void {
    const at = number * FIGURES;
    if (at >= this.figures.length) {
      const longer = new Float64Array(Math.ceil(number * 1.5 + 64) * FIGURES);
      longer.set(this.figures);
      this.figures = longer;
    }
    const brevity = 1 / (1 + LONG_TITLE * Math.max(titleLength, 1));
    this.figures[at] = 1 + EVENT_VOLUME * Math.log10(1 + event.volume24h + event.volume / 30);
    this.figures[at + 1] = brevity * (event.isOpen ? 1 : NOT_OPEN);
    // The exchange's deadlines are long after the date that an event is about.
    this.figures[at + 2] = tickerDate(event.ticker) ?? event.closesNextAt ?? Number.NaN;
  }

  /** Ranks events that trade above those that do not, near above far, short titles first. */
  factor(number: number, seriesPopularity: number, now: number): number {
    const at = number * FIGURES;
    const endsAt = this.figures[at + 2] ?? Number.NaN;
    const days = Number.isNaN(endsAt) ? NEAR_DAYS : Math.abs(endsAt - now) / DAY_MS;
    const traded = (this.figures[at] ?? 1) + seriesPopularity;
    return (traded + NEARNESS / (1 + days / NEAR_DAYS)) * (this.figures[at + 1] ?? 1);
  }
}
