import { closeOf, periodAt, stampOf } from './catalogue/calendar.ts';
import type { SeriesTemplate } from './catalogue/template.ts';
import { createEvent, type ExchangeEvent, type ExchangeMarket } from './market.ts';

/**
 * The events that exist at a moment. Rounds of every series follow the calendar, so the list is a
 * function of seed and time; a restart finds the same tickers, rules and results.
 */
export type World = {
  readonly seed: number;
  readonly templates: ReadonlyMap<string, SeriesTemplate>;
  readonly events: Map<string, ExchangeEvent>;
  readonly markets: Map<string, ExchangeMarket>;
  /** Lists new rounds and removes old ones; returns the new events. */
  refresh(now: number, keep: (event: ExchangeEvent) => boolean): ExchangeEvent[];
  /** Restores the event of a market that left the list, e.g. because an account holds it. */
  cached(seriesTicker: string, closeAt: number): ExchangeEvent[];
};

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export function createWorld(seed: number, templates: readonly SeriesTemplate[]): World {
  const events = new Map<string, ExchangeEvent>();
  const markets = new Map<string, ExchangeMarket>();
  const byTicker = new Map(templates.map((template) => [template.ticker, template]));
  const listed = new Set<string>();

  function list(template: SeriesTemplate, period: number): ExchangeEvent[] {
    const round = `${template.ticker} ${period}`;
    if (listed.has(round)) return [];
    listed.add(round);
    const made: ExchangeEvent[] = [];
    for (const event of roundOf(seed, template, period)) {
      if (events.has(event.ticker)) continue;
      events.set(event.ticker, event);
      for (const market of event.markets) markets.set(market.ticker, market);
      made.push(event);
    }
    return made;
  }

  function forget(event: ExchangeEvent): void {
    events.delete(event.ticker);
    listed.delete(`${event.template.ticker} ${roundNumber(event)}`);
    for (const market of event.markets) markets.delete(market.ticker);
  }

  return {
    seed,
    templates: byTicker,
    events,
    markets,
    refresh(now, keep) {
      const made: ExchangeEvent[] = [];
      for (const template of templates) {
        for (const period of listedPeriods(template, now)) made.push(...list(template, period));
      }
      for (const event of events.values()) {
        if (isOver(event, now) && !keep(event)) forget(event);
      }
      return made;
    },
    cached(seriesTicker, closeAt) {
      const template = byTicker.get(seriesTicker);
      return template ? list(template, periodAt(template.cadence, closeAt - 1)) : [];
    },
  };
}

/** The visible rounds: recently finished, open, and about to open. */
function listedPeriods(template: SeriesTemplate, now: number): number[] {
  const { cadence, roundsOpen } = template;
  const current = periodAt(cadence, now);
  const withTimeout = closeOf(cadence, current + roundsOpen - 1);
  const opensShortly = now + announceMs(template) >= closeOf(cadence, current);
  const periods: number[] = [];
  const finished = closeOf(cadence, current - 1);
  const afterlife = retentionMs(template);
  for (let past = current - 1; past > current - 40; past -= 1) {
    if (closeOf(cadence, past) + settlingMs(template) + afterlife < now) break;
    periods.unshift(past);
  }
  if (finished > withTimeout) return periods;
  const ahead = roundsOpen + (opensShortly ? 1 : 0);
  for (let offset = 0; offset < ahead; offset += 1) periods.push(current + offset);
  return periods;
}

/** How long before its opening a round is listed as unopened. */
function announceMs(template: SeriesTemplate): number {
  const { cadence } = template;
  const period = closeOf(cadence, 1) - closeOf(cadence, 0);
  return Math.min(period, 2 * DAY_MS);
}

function settlingMs(template: SeriesTemplate): number {
  return template.determineAfterMs + template.settlementTimerSeconds * 1000;
}

/** How long a settled round stays listed. */
function retentionMs(template: SeriesTemplate): number {
  const { cadence } = template;
  const period = closeOf(cadence, 1) - closeOf(cadence, 0);
  return Math.min(Math.max(period * 2, 30 * MINUTE_MS), 2 * DAY_MS);
}

function roundNumber(event: ExchangeEvent): number {
  return periodAt(event.template.cadence, event.life.closeAt - 1);
}

function isOver(event: ExchangeEvent, now: number): boolean {
  const end = Math.max(...event.markets.map((market) => market.state.schedule.finalAt));
  return end + retentionMs(event.template) < now;
}

function roundOf(seed: number, template: SeriesTemplate, period: number): ExchangeEvent[] {
  const { cadence } = template;
  const closeAt = closeOf(cadence, period);
  const openAt = closeOf(cadence, period - template.roundsOpen);
  const stamp = stampOf(cadence, closeAt);
  return template.events({ seed, openAt, closeAt, stamp }).map((spec) =>
    createEvent({
      ticker: `${template.ticker}-${spec.suffix}`,
      template,
      spec,
      life: { openAt, closeAt },
      createdAt: openAt - announceMs(template),
    }),
  );
}
